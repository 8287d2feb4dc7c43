"""Parts of programs after which an event is decided, and how little is played to see it."""

import pytest

from compiler.amplification import preparation
from compiler.amplification.event import Event
from compiler.amplification.preparation import preparations
from games import encoded, named_game


@pytest.mark.parametrize(
    ("game", "encoding"), [("skat-4", "lean"), ("skat-4", "lists"), ("skat-5", "lists")]
)
def test_what_one_step_tells_is_what_all_that_follows_tells(game, encoding, monkeypatch):
    event = Event(encoded(named_game(game), encoding), "win")
    after, told = preparation._decided_after, []

    def watched(basis, step, decided):
        told.append(len(after(basis, step, decided)))
        return after(basis, step, decided)

    with monkeypatch.context() as watching:
        watching.setattr(preparation, "_decided_after", watched)
        found = [(len(one.rest.data), one.decided) for one in preparations(event)]
    monkeypatch.setattr(preparation, "_decided_after", lambda *_: {})
    assert found == [(len(one.rest.data), one.decided) for one in preparations(event)]
    # Nothing follows the whole program, so that it is played to its end.
    assert (told[0], max(told) > 0) == (0, True)
    assert len(found) > 1
