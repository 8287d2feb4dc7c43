"""Calls are allowed again as time passes, and not before."""

from service.api import rate_limits
from service.api.rate_limits import Rates


def test_a_bucket_fills_up_with_time() -> None:
    now = [0.0]
    one = Rates(lambda: now[0])
    assert [one.wait("a", 3) for _ in range(4)] == [0, 0, 0, 20]
    assert one.exhausted("a", 3)
    assert not one.exhausted("b", 3)
    now[0] = 19.0
    assert one.wait("a", 3) == 1
    now[0] = 20.0
    assert [one.wait("a", 3) for _ in range(2)] == [0, 20]
    # Never more than a minute's worth.
    now[0] = 10_000.0
    assert [one.wait("a", 3) for _ in range(4)] == [0, 0, 0, 20]


def test_whoever_has_not_called_for_longest_is_forgotten(monkeypatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_KNOWN", 2)
    one = Rates(lambda: 0.0)
    for who in "abc":
        one.wait(who, 1)
    assert [one.exhausted(who, 1) for who in "abc"] == [False, True, True]
