"""What was asked for last is kept, and nothing else."""

from service.play.kept_match import Recent


def test_what_nobody_has_asked_for_longest_is_forgotten() -> None:
    recent: Recent[str, int] = Recent(2)
    assert recent.keep("one", 1) == 1
    recent.keep("two", 2)
    assert recent.get("one") == 1
    recent.keep("three", 3)
    assert [recent.get(key) for key in ("one", "two", "three")] == [1, None, 3]
    recent.keep("one", 10)
    recent.keep("four", 4)
    assert [recent.get(key) for key in ("one", "three", "four")] == [10, None, 4]
