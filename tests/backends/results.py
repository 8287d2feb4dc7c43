"""What the tests of results share: mutations of real ones, and how they must be refused."""

import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backends import ResultError
from tests.servers.provider_simulators.hostile import hostile

SEEDS = st.integers(0, 2**32)

EXAMPLES = pytest.mark.parametrize("examples", [20, pytest.param(300, marks=pytest.mark.full)])
"""How many results are tried."""


def edited(raw, *changes):
    """Return a result with (path, value) changes; a path is a tuple of keys and indices."""
    value = json.loads(raw)
    for path, changed in changes:
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = changed(holder[path[-1]]) if callable(changed) else changed
    return json.dumps(value).encode()


def check_harmless(read, raw, seed, counted, megabytes=300):
    """Read a result made hostile: it is what it was, or refused in one line, in bounded memory."""
    harmed = hostile(raw, seed)
    tracemalloc.start()
    try:
        assert read(harmed) == counted or sum(read(harmed).values()) == sum(counted.values())
    except ResultError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
        assert str(error).isprintable()
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < megabytes * 2**20


def check_no_harm(read, raw, examples):
    """Read so many results made hostile."""
    counted = read(raw)

    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(seed=SEEDS)
    def try_(seed):
        check_harmless(read, raw, seed, counted)

    try_()
