"""Events reach all who listen, and who listens is never in the way."""

import logging
from itertools import groupby

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from workers import events
from workers.events import (
    AttemptMade,
    CircuitLookedUp,
    CostReserved,
    JobMoved,
    MessagesSent,
    ProviderCalled,
    Swept,
    WorkBegun,
    publish,
    subscribe,
)
from workers.jobs.states import State


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


def test_a_job_is_done_though_whoever_listens_fails(context, ghz, caplog):
    heard = []
    for listener in (broken, heard.append):
        subscribe(listener)
    (job_id,) = context.submit(ghz)
    with caplog.at_level(logging.ERROR, "stichwerk.events"):
        job = context.until(job_id)
    assert job.state == State.DONE
    moves = [event for event in heard if isinstance(event, JobMoved)]
    # Notes, such as what was reserved, are in the state that the job is in.
    states = [state for state, _ in groupby(state for state, _ in context.events(job_id))]
    assert [event.entered for event in moves] == states[1:]
    assert [event.lifetime_seconds is None for event in moves] == [True] * (len(moves) - 1) + [
        False
    ]
    assert {type(event) for event in heard} == {
        JobMoved, CircuitLookedUp, AttemptMade, CostReserved, ProviderCalled, MessagesSent,
    }  # fmt: skip
    assert [line.message for line in caplog.records if line.name == "stichwerk.events"] == [
        "broken missed a MessagesSent"
    ]
