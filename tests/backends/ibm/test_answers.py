"""IBM's machines: what is found, what it cost, and answers that cannot be used."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from backends import Charge, JobState, ResultError, UnavailableError, backend_from_spec
from backends.ibm.job_status import charged_seconds
from backends.providers.text import line, queue_position, seconds, usable_id
from tests.backends.ibm.simulated import (
    KEYS,
    fail,
    job,
    point_to,
    replaced,
    until_ended,
)
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.protocol import Response


def test_twins_are_all_found_and_cancelled_ones_only_if_there_is_no_other(ibm, torino):
    ibm.machine.queue_seconds = 1000
    first, second, third = (torino.submit({KEYS[0]: job()}, KEYS[0]) for _ in range(3))
    assert torino.find(KEYS[0]) == [first, second, third]
    torino.cancel(first)
    assert torino.find(KEYS[0]) == [second, third]
    torino.cancel(second)
    torino.cancel(third)
    assert torino.find(KEYS[0]) == [first, second, third]
    assert [entry["can_bill"] for entry in ibm.machine.audit()] == [False] * 3


def test_more_twins_than_a_page_holds_are_found(ibm, torino, monkeypatch):
    monkeypatch.setattr("backends.ibm.backend.PAGE", 2)
    ids = [torino.submit({KEYS[0]: job(shots=1)}, KEYS[0]) for _ in range(4)]
    assert torino.find(KEYS[0]) == ids
    monkeypatch.setattr("backends.ibm.backend.PAGES", 2)
    with pytest.raises(UnavailableError, match="without an end"):
        torino.find(KEYS[0])


def test_what_is_older_than_asked_for_is_left_out(ibm, torino):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    ibm.machine.jobs[id].created -= timedelta(days=2)
    now = datetime.now(UTC)
    assert torino.find(KEYS[0], now - timedelta(hours=1)) == []
    assert torino.find(KEYS[0], now - timedelta(days=3)) == [id]


def test_a_job_that_is_not_shown_yet_is_there_nevertheless(ibm, torino):
    fail(ibm, Fault.HIDDEN, seconds=1000)
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    assert torino.find(KEYS[0]) == []
    assert until_ended(torino, id).state is JobState.DONE


def test_a_job_costs_what_ibm_says_that_it_used(ibm, torino):
    ibm.machine.queue_seconds = 1000
    waiting = torino.submit({KEYS[0]: job()}, KEYS[0])
    assert torino.charge(waiting) is None
    torino.cancel(waiting)
    assert torino.charge(waiting) == Charge(Decimal(0), 0.0)
    ibm.machine.queue_seconds = 0
    done = torino.submit({KEYS[1]: job(shots=4000)}, KEYS[1])
    until_ended(torino, done, KEYS[1])
    # 2 s + 4000 × (250 µs + the circuit) = 3.008 s, charged as 4 s at 1.60
    assert torino.charge(done) == Charge(Decimal("6.40"), 4.0)


def test_usage_that_is_pending_when_a_job_ends_is_told_later(ibm, torino):
    fail(ibm, Fault.LATE_USAGE, seconds=1000)
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    assert torino.charge(id) is None
    ibm.machine.jobs[id].usage_late = 0
    assert torino.charge(id) == Charge(Decimal("4.80"), 3.0)


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ({"status": "completed", "qpu_charge_time_seconds": 2.5}, 2.5),
        ({"status": "completed", "quantum_seconds": 3}, 3.0),
        ({"status": "pending", "quantum_seconds": 3}, None),
        ({"quantum_seconds": 3}, None),
        *[
            ({"status": "completed", "quantum_seconds": odd}, None)
            for odd in (-1, True, "3", float("nan"), float("inf"), 10**400, [], None)
        ],
        ([], None),
        (None, None),
    ],
)
def test_only_a_time_is_charged(usage, told):
    assert charged_seconds({"usage": usage}) == told
    assert charged_seconds(usage) is None


ODD = (
    b"",
    b"[]",
    b"[" * 100_000,
    b'{"jobs": [{}], "count": 1}',
    b'{"jobs": [7], "count": 1}',
    b'{"id": "x", "state": 7, "tags": 7}',
    b'{"id": "x", "state": {"status": []}, "tags": []}',
    b"9" * 5000,
)


NAMED = [answer for answer in ODD if b'": ' in answer]
HARMLESS = {
    "find": [b'{"jobs": [{}], "count": 1}'],
    "status": [],
    "metrics": [b"[]", *NAMED],
}
"""What can be read, but tells of no job and no charge."""


@pytest.mark.parametrize("answer", ODD, ids=lambda answer: repr(answer[:30]))
@pytest.mark.parametrize("operation", ["find", "status", "metrics"])
def test_an_answer_that_cannot_be_read_is_told_in_one_line(monkeypatch, operation, answer):
    with replaced(operation, lambda real, request: Response(200, answer)) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        ask = {
            "find": lambda: backend.find(KEYS[0]),
            "status": lambda: backend.status("x", KEYS[0]),
            "metrics": lambda: backend.charge("x"),
        }[operation]
        if answer in HARMLESS[operation]:
            assert not ask()
            return
        with pytest.raises((UnavailableError, ResultError)) as error:
            ask()
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 400
        assert operation == "status" or error.type is UnavailableError


def test_words_of_the_provider_are_cut_and_cleaned(monkeypatch):
    def described(real, request):
        state = {"status": "Failed", "reason": "\u202e\x1b[31m\n" + "!" * 10**6}
        told = {"id": "x", "tags": [f"stichwerk-{KEYS[0]}"], "state": state}
        return Response(200, json.dumps(told).encode())

    with replaced("status", described) as server:
        point_to(server, monkeypatch)
        status = backend_from_spec("ibm:torino").status("x", KEYS[0])
    assert status.state is JobState.FAILED
    assert status.detail.startswith("[31m !!!")
    assert len(status.detail) == 300


@pytest.mark.parametrize("state", ["Paused", "x" * 1000, ""])
def test_an_unknown_state_is_no_end(monkeypatch, state):
    told = {"id": "x", "tags": [f"stichwerk-{KEYS[0]}"], "state": {"status": state}}
    with replaced("status", lambda real, request: Response.of_json(told)) as server:
        point_to(server, monkeypatch)
        with pytest.raises(UnavailableError, match="unknown state") as error:
            backend_from_spec("ibm:torino").status("x", KEYS[0])
    assert len(str(error.value)) < 200


def test_text_and_numbers_of_providers():
    assert line("a\n\tb \u2028c\u200bd") == "a b c d"
    assert line("x" * 1000, 10) == "x" * 10
    assert [queue_position(p) for p in (0, "17", 10**9)] == [0, 17, 10**9]
    odd = (-1, 10**9 + 1, True, 1.0, "1.5", "-1", "\u0663", "9" * 5000, ">2000", None, [1])
    assert {queue_position(p) for p in odd} == {None}
    assert [seconds(s) for s in (0, 2.5, True, -1, "1", None)] == [0.0, 2.5, None, None, None, None]
    arn = "arn:aws:braket:eu-north-1:000000000000:quantum-task/0-1"
    assert usable_id(arn, "here") == arn
