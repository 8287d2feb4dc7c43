"""Events reach all who listen, and who listens is never in the way."""

import logging

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from workers import events
from workers.events import (
    CircuitLookedUp,
    Swept,
    WorkBegun,
    publish,
    subscribe,
)


@pytest.fixture(autouse=True)
def nobody_listens(monkeypatch):
    monkeypatch.setattr(events, "_listeners", {})
    monkeypatch.setattr(events, "_failed", set())


def broken(event):
    raise OSError("no space left on device")


def broken_too(event):
    raise KeyError(event)


def test_an_event_reaches_those_who_listen_once_each():
    heard = []
    for _ in range(2):
        subscribe(heard.append)
    publish(CircuitLookedUp(found=True))
    publish(WorkBegun())
    assert heard == [CircuitLookedUp(found=True), WorkBegun()]


def test_each_listener_that_fails_is_logged_once_and_the_others_hear(caplog):
    heard = []
    for listener in (broken, broken_too, heard.append):
        subscribe(listener)
    with caplog.at_level(logging.ERROR, "stichwerk.events"):
        for _ in range(3):
            publish(Swept(away=False))
    assert heard == [Swept(away=False)] * 3
    assert [line.message for line in caplog.records] == [
        "broken missed a Swept",
        "broken_too missed a Swept",
    ]
    assert "no space left on device" in caplog.text


def test_whose_time_is_up_hears_of_it_though_somebody_was_listening():
    def late(event):
        raise SoftTimeLimitExceeded

    subscribe(late)
    with pytest.raises(SoftTimeLimitExceeded):
        publish(WorkBegun())
