"""IBM's machines: whatever goes wrong between the question and the answer."""

from decimal import Decimal
from threading import Event

import pytest

from backends import (
    BackendError,
    GoneError,
    JobState,
    NotAcceptedError,
    UnavailableError,
    backend_from_spec,
)
from tests.backends.ibm.simulated import (
    KEYS,
    accepted,
    fail,
    job,
    point_to,
    replaced,
    until_ended,
)
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.protocol import Response

READ_FAULTS = (Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.SERVER_ERROR, Fault.SERVER_ERROR_AFTER)


@pytest.mark.parametrize("fault", READ_FAULTS)
def test_what_is_only_read_is_read_again(ibm, torino, fault):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    for operation in ("find", "status", "result"):
        fail(ibm, fault, operation)
    assert torino.find(KEYS[0]) == [id]
    assert until_ended(torino, id).state is JobState.DONE
    assert torino.raw_result(id)
    assert [rule["fired"] for rule in ibm.faults.listed()] == [1, 1, 1]


@pytest.mark.parametrize("fault", [*READ_FAULTS, Fault.TOO_MANY_REQUESTS])
def test_what_cannot_be_read_again_and_again_is_unavailable(ibm, torino, fault):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    until_ended(torino, id)
    fail(ibm, fault, "*", times=None)
    for ask in (lambda: torino.find(KEYS[0]), lambda: torino.raw_result(id)):
        with pytest.raises(UnavailableError):
            ask()


@pytest.mark.parametrize("answer", [b"junk", b"{}", b'{"id": "x", "backend": "ibm_other"}'])
def test_an_acceptance_that_cannot_be_read_is_no_refusal(monkeypatch, answer):
    def garbled(real, request):
        real(request)
        return Response(200, answer)

    with replaced("submit", garbled) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        with pytest.raises(UnavailableError):
            backend.submit({KEYS[0]: job()}, KEYS[0])
        assert backend.find(KEYS[0]) == accepted(server.provider)


@pytest.mark.parametrize("operation", ["search", "submit"])
def test_a_server_that_never_answers_is_not_waited_for(monkeypatch, operation):
    ended = Event()
    asked = []

    def hanging(real, request):
        asked.append(request.path)
        ended.wait(30)
        return real(request)

    with replaced(operation, hanging) as server:
        point_to(server, monkeypatch)
        if operation in ("usage", "submit"):
            backend_from_spec("ibm:torino").find(KEYS[0])
        # Before it submits it asks for other things, which take their time on a busy machine.
        patience = 12 if operation == "submit" else 3
        monkeypatch.setattr("backends.ibm.connection.PATIENCE_SECONDS", patience)
        with pytest.raises(UnavailableError):
            backend_from_spec("ibm:torino").submit({KEYS[0]: job()}, KEYS[0])
        assert not ended.is_set()
        assert len(asked) == 1 or operation in ("devices", "usage")
        ended.set()


REFUSALS = [
    (Fault.BAD_REQUEST, BackendError),
    (Fault.QUOTA_EXCEEDED, NotAcceptedError),
    (Fault.NOT_FOUND, GoneError),
    (Fault.CONFLICT, UnavailableError),
    (Fault.GONE, GoneError),
    (Fault.DEVICE_OFFLINE, NotAcceptedError),
]


@pytest.mark.parametrize(("fault", "error"), REFUSALS)
@pytest.mark.parametrize("operation", ["submit", "result"])
def test_each_refusal_has_its_meaning(ibm, torino, operation, fault, error):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    fail(ibm, fault, operation)
    ask = {
        "submit": lambda: torino.submit({KEYS[1]: job()}, KEYS[1]),
        "result": lambda: torino.raw_result(id),
    }[operation]
    with pytest.raises(BackendError) as caught:
        ask()
    assert type(caught.value) is error
    assert accepted(ibm, KEYS[1]) == []


@pytest.mark.parametrize("fault", [Fault.QUOTA_EXCEEDED, Fault.DEVICE_OFFLINE, Fault.CONFLICT])
def test_a_fence_that_cannot_be_had_just_now_is_waited_for(ibm, torino, fault):
    fail(ibm, fault, "fence")
    with pytest.raises(UnavailableError):
        torino.fence()
    assert torino.fence() is not None


def test_a_job_that_runs_longer_than_it_may_is_ended_and_costs_what_was_estimated(ibm, torino):
    fail(ibm, Fault.OVERRUN, seconds=100)
    asked = job()
    id = torino.submit({KEYS[0]: asked}, KEYS[0])
    assert ibm.machine.jobs[id].most_seconds == 3
    status = until_ended(torino, id)
    assert (status.state, status.detail) == (JobState.FAILED, "Ran too long (error code 1305)")
    assert torino.charge(id).usd == torino.estimated_cost_usd([asked]) == Decimal("4.80")
