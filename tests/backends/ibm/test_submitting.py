"""IBM's machines: the last check before a job is sent, and the fences that jobs are sent under."""

import pytest

from backends import BackendError, JobState, UnavailableError, backend_from_spec
from tests.backends.ibm.simulated import (
    KEYS,
    counted,
    fail,
    job,
    point_to,
    replaced,
    until_ended,
)
from tests.servers.provider_simulators.faults import Fault


def test_a_check_is_made_before_every_request_that_submits(ibm):
    checks = []
    backend = backend_from_spec("ibm:torino")
    backend.find(KEYS[0])
    ibm.access.revoke()  # the first questions are asked again with a new token
    for key in KEYS[:3]:
        backend.submit({key: job()}, key, leave=lambda: checks.append(None))
    fail(ibm, Fault.EXPIRED_TOKEN)
    with pytest.raises(UnavailableError, match="new token"):
        backend.submit({KEYS[3]: job()}, KEYS[3], leave=lambda: checks.append(None))
    assert len(checks) == 4
    assert len(ibm.machine.jobs) == 3


def test_a_job_is_submitted_under_its_fence_and_runs_after_it_is_closed(ibm, torino):
    fence = torino.fence()
    id = torino.submit({KEYS[0]: job()}, KEYS[0], fence=fence)
    torino.close_fence(fence)
    torino.close_fence(fence)
    assert until_ended(torino, id).state is JobState.DONE
    assert sum(counted(torino, id).values()) == 200
    assert [entry["fence"] for entry in ibm.machine.audit()] == [fence]
    assert {"id": fence, "mode": "batch", "open": False} in ibm.fences()


def test_a_request_on_its_way_is_refused_once_its_fence_is_closed(monkeypatch):
    def late(real, request):
        backend.close_fence(fence)
        return real(request)

    with replaced("submit", late) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        fence = backend.fence()
        with pytest.raises(BackendError, match="closed"):
            backend.submit({KEYS[0]: job()}, KEYS[0], fence=fence)
        assert server.provider.machine.audit() == []


@pytest.mark.parametrize("granted", [True, False])
def test_a_plan_without_batches_grants_no_fence(ibm, torino, monkeypatch, granted):
    monkeypatch.setattr(ibm.sessions, "granted", granted)
    assert (torino.fence() is not None) == granted


def test_a_fence_that_may_be_open_is_none_that_is_closed(ibm, torino, monkeypatch):
    fail(ibm, Fault.SERVER_ERROR, "fence")
    with pytest.raises(UnavailableError):
        torino.fence()
    fence = torino.fence()
    fail(ibm, Fault.SERVER_ERROR, "close-fence")
    with pytest.raises(UnavailableError):
        torino.close_fence(fence)
    fail(ibm, Fault.CUT_AFTER, "close-fence")
    with pytest.raises(UnavailableError):
        torino.close_fence(fence)
    torino.close_fence(fence)
    torino.close_fence("no-such-fence")
    for fault in (Fault.CONFLICT, Fault.BAD_REQUEST, Fault.NOT_FOUND):
        fail(ibm, fault, "close-fence")
        torino.close_fence(fence)
    still_open = torino.fence()
    monkeypatch.setattr(ibm.sessions, "closes", False)
    with pytest.raises(UnavailableError, match="not closed"):
        torino.close_fence(still_open)
