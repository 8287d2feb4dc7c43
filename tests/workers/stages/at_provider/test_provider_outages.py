"""Nothing that is away before a provider was asked for a job ends it, whichever call meets it."""

import pytest

from tests.backends.providers.test_tls import certificates, secured
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.workers.stages.at_provider.real_sdks import BACKENDS, Service, connect_anew, servers
from workers.stages.context import shared_backend

__all__ = ["certificates", "secured", "servers"]

FAULTS = (
    Fault.OUTAGE,
    *(
        pytest.param(fault, marks=pytest.mark.full)
        for fault in (Fault.TOO_MANY_REQUESTS, Fault.SERVER_ERROR, Fault.CUT_BEFORE)
    ),
)

BEFORE = {
    "ibm:torino": (
        "token", "search", "devices", "configuration", "properties", "usage", "find", "fence",
    ),
    "braket:garnet": ("device", "identity", "bucket", "find"),
}  # fmt: skip
"""What each provider is asked before it is asked for a job; IBM's SDK does without a catalogue that
refuses it."""

ADDRESSES = {
    "IAM_URL": "/iam",
    "GLOBAL_SEARCH_URL": "/search",
    "GLOBAL_CATALOG_URL": "/catalog",
    "STICHWERK_IBM_URL": "/api/v1",
    "AWS_ENDPOINT_URL_BRAKET": "",
    "AWS_ENDPOINT_URL_STS": "",
    "AWS_ENDPOINT_URL_S3": "",
}

QUICK = {
    ("IAM_URL", "dead port"),
    ("STICHWERK_IBM_URL", "bad certificate"),
    ("AWS_ENDPOINT_URL_BRAKET", "dead port"),
    ("AWS_ENDPOINT_URL_S3", "bad certificate"),
}
"""Those of `make test`."""

DEAD = "http://127.0.0.1:9"


@pytest.fixture
def service(engine, servers):
    return Service(engine, servers)


@pytest.fixture
def queued(service, monkeypatch):
    """Return what makes a job that is compiled, with nothing of its provider known yet."""

    def queued(backend):
        job_id = service.submit(backend)
        connect_anew(monkeypatch)
        return job_id

    return queued


def outlast(service, job_id):
    """Let a job meet more failures than end one that fails by itself."""
    service.advance(job_id, service.settings.most_failures + 2)
    job = service.job(job_id)
    assert (job.state, job.error, job.asked_at, job.doubtful) == ("submitting", None, None, False)
    assert job.failures > service.settings.most_failures
    assert service.accepted() == []
    return job


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("backend", "operation"),
    [
        pytest.param(backend, operation, marks=pytest.mark.full if number % 3 else ())
        for backend in BACKENDS
        for number, operation in enumerate(BEFORE[backend])
    ],
)
def test_a_call_that_fails_for_long_ends_no_job(service, queued, backend, operation, fault):
    job_id = queued(backend)
    service.fail(backend, Rule(fault, operation))
    job = outlast(service, job_id)
    assert service.fired(backend) > 0
    service.mend()
    assert service.until(job_id).state == "done"
    assert service.accepted() == [job.key]


@pytest.mark.parametrize(
    ("variable", "fault"),
    [
        pytest.param(variable, fault, marks=() if (variable, fault) in QUICK else pytest.mark.full)
        for variable in ADDRESSES
        for fault in ("dead port", "bad certificate")
    ],
)
def test_an_address_that_is_away_for_long_ends_no_job(
    service, queued, secured, monkeypatch, variable, fault
):
    backend = BACKENDS["AWS" in variable]
    job_id = queued(backend)
    simulated = type(service.servers[backend.partition(":")[0]].provider)
    url = DEAD if fault == "dead port" else secured(simulated, "self")[1]
    leads_elsewhere = variable in ("STICHWERK_IBM_URL", "AWS_ENDPOINT_URL_BRAKET")
    with monkeypatch.context() as patch:
        if leads_elsewhere:
            # The service there is meant, and so is the same as ever.
            here = shared_backend(backend).address()
            patch.setattr(type(shared_backend(backend)), "address", lambda _: here)
        patch.setenv(variable, url + ADDRESSES[variable])
        job = outlast(service, job_id)
    connect_anew(monkeypatch)
    assert service.until(job_id).state == "done"
    assert service.accepted() == [job.key]
