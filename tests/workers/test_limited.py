"""Calls that take too long are ended, and others go on."""

import os
import signal

import pytest

from workers.parallel import Ended, Pool


def busy(seconds):
    """Count until so many CPU seconds have been used, or forever."""
    count = 0
    while seconds is None:
        count += 1
    return seconds


def fails(number):
    """Raise what it is given."""
    raise ValueError(number)


def dies(number):
    """End its own process."""
    os.kill(os.getpid(), signal.SIGKILL)


def place_of(number):
    """Return where it runs."""
    return os.getpid()


def test_a_call_that_takes_too_long_is_ended_and_the_others_are_made():
    with Pool(2, 1) as pool:
        made = dict(pool.each(busy, [3, None, 4, 5]))
    assert made == {0: 3, 1: Ended(1), 2: 4, 3: 5}
    assert str(made[1]) == "not within 1 CPU s"


def test_a_process_is_used_again_until_it_dies():
    with Pool(1, 60) as pool:
        first, again = (pool.submit(place_of, 0).result() for _ in range(2))
        died = pool.submit(dies, 0).result()
        other = pool.submit(place_of, 0).result()
    assert first == again != other
    assert other != os.getpid()
    assert died == Ended(None)
    assert "died" in str(died)


def test_what_a_call_raises_is_raised_here():
    with Pool(1, 60) as pool, pytest.raises(ValueError, match="7"):
        pool.submit(fails, 7).result()


def test_nothing_goes_on_once_the_pool_is_left():
    with Pool(2, 600) as pool:
        working = pool.submit(place_of, 0).result()
        calls = [pool.submit(busy, None) for _ in range(4)]
    assert all(call.done() for call in calls)
    with pytest.raises(ProcessLookupError):
        os.kill(working, 0)
