"""Who is served next, and who must wait."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

import pytest

from tests.servers.process import wait_until
from workers.untrusted_programs.tenant_turns import BusyError, Turns

PATIENT_SECONDS = 30.0


class Crowd:
    """Threads that want a turn, each until it is told to leave."""

    def __init__(self, turns_: Turns) -> None:
        self.served: list[str] = []
        self._turns = turns_
        self._leave: dict[str, threading.Event] = {}
        self._threads: list[threading.Thread] = []

    def comes(self, name: str) -> None:
        """Let one come; its tenant is the first letter."""
        self._leave[name] = threading.Event()
        self._threads.append(threading.Thread(target=self._stay, args=(name,)))
        self._threads[-1].start()
        assert wait_until(lambda: name in self.served or self._waits(name), PATIENT_SECONDS)

    def leaves(self, name: str) -> None:
        """Let one that is served go."""
        self._leave[name].set()

    def serves(self, *names: str) -> bool:
        """Tell whether these, in this order, are the last that were served."""
        return wait_until(lambda: self.served[-len(names) :] == list(names), PATIENT_SECONDS)

    def end(self) -> None:
        """Let all go."""
        for event in self._leave.values():
            event.set()
        for thread in self._threads:
            thread.join(PATIENT_SECONDS)

    def _waits(self, name: str) -> bool:
        here = sum(one[0] == name[0] for one in self._leave if one not in self.served)
        return sum(one.tenant == name[0] for one in self._turns._waiting) == here

    def _stay(self, name: str) -> None:
        with self._turns.turn(name[0]):
            self.served.append(name)
            self._leave[name].wait(PATIENT_SECONDS)


@contextmanager
def crowd(number: int) -> Iterator[Crowd]:
    one = Crowd(Turns(number, 24))
    try:
        yield one
    finally:
        one.end()


def test_one_tenant_has_but_a_part_of_the_processes() -> None:
    with crowd(2) as here:
        for name in ("a1", "a2", "a3"):
            here.comes(name)
        assert here.served == ["a1"]
        here.comes("b1")
        assert here.serves("a1", "b1")
        here.leaves("a1")
        assert here.serves("b1", "a2")


def test_tenants_are_served_in_turn() -> None:
    with crowd(1) as here:
        for name in ("a1", "a2", "a3", "b1", "c1"):
            here.comes(name)
        # The time that a1 takes counts, so that a2 comes after all who have had none.
        here._turns._used["a"] = (monotonic(), 1.0)
        for name, following in (("a1", "b1"), ("b1", "c1"), ("c1", "a2")):
            here.leaves(name)
            assert here.serves(name, following)


def test_one_process_is_kept_for_those_whose_programs_are_quick() -> None:
    with crowd(3) as here:
        for tenant in "abcd":
            here._turns._used[tenant] = (monotonic(), 100.0)
        for name in ("a1", "b1", "c1", "d1"):
            here.comes(name)
        assert here.served == ["a1", "b1"]
        here.comes("q1")
        assert here.serves("b1", "q1")


def test_a_turn_that_ends_badly_is_over() -> None:
    one = Turns(1, 24)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), one.turn("a"):
            raise ZeroDivisionError
    with one.turn("b"):
        assert one._free == 0


def test_places_are_kept_for_those_who_have_none() -> None:
    one = Turns(1, 4)
    with ExitStack() as inside:
        for tenant in ("a", "a", "b", "b"):
            inside.enter_context(one.place(tenant))
        for tenant in "ab":
            with pytest.raises(BusyError), one.place(tenant):
                pytest.fail("had its part already")
        for tenant in "cdef":
            inside.enter_context(one.place(tenant))
        for tenant in "ag":
            with pytest.raises(BusyError), one.place(tenant):
                pytest.fail("there is no place at all")
    for tenant in "ag":
        with one.place(tenant):
            pass
