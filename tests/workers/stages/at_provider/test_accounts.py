"""Jobs are looked for, and asked for again, in the account that they were asked for in alone."""

import pytest
from qiskit_ibm_runtime import QiskitRuntimeService
from sqlalchemy import null, update
from sqlalchemy.orm import Session

from backends import UnavailableError
from tests.backends.ibm.simulated import ACCOUNT_FILE
from tests.servers.provider_simulators.braket.access import ACCOUNT, SECRET_KEY
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.ibm.access import API_KEY, CRN
from tests.workers.stages.at_provider.real_sdks import LOOKS, Service, connect_anew, servers
from workers.records.backup import doubt_older_state
from workers.records.tables import DatabaseOrigin, Job
from workers.stages.context import shared_backend

__all__ = ["servers"]

OTHER_CRN = "crn:v1:bluemix:public:quantum-computing:eu-de:a/another:stichwerk::"
OTHER_KEY = "another-ibm-api-key"
OTHER_ACCOUNT, OTHER_ACCESS_KEY = "111111111111", "SIMULATEDACCESSKEY02"

AWS = "AWS_PROFILE or AWS_ACCESS_KEY_ID of account"

MOVES = {
    "instance": (
        "ibm:torino",
        {"QISKIT_IBM_INSTANCE": OTHER_CRN},
        (CRN, OTHER_CRN),
        f"QISKIT_IBM_INSTANCE={CRN} and its QISKIT_IBM_TOKEN",
    ),
    "IBM account": (
        "ibm:torino",
        {"QISKIT_IBM_INSTANCE": OTHER_CRN, "QISKIT_IBM_TOKEN": OTHER_KEY},
        (CRN, OTHER_CRN),
        f"QISKIT_IBM_INSTANCE={CRN} and its QISKIT_IBM_TOKEN",
    ),
    "AWS account": (
        "braket:garnet",
        {"AWS_ACCESS_KEY_ID": OTHER_ACCESS_KEY},
        (f"{ACCOUNT} in eu-north-1", f"{OTHER_ACCOUNT} in eu-north-1"),
        f"AWS_REGION=eu-north-1 and {AWS} {ACCOUNT}",
    ),
    "region": (
        "braket:sv1",
        {"AWS_REGION": "us-east-1"},
        (f"{ACCOUNT} in eu-north-1", f"{ACCOUNT} in us-east-1"),
        f"AWS_REGION=eu-north-1 and {AWS} {ACCOUNT}",
    ),
}
"""A backend, the variables of another worker, both accounts, and the variables of the first one."""


@pytest.fixture
def service(engine, servers):
    """Providers with two accounts each, and a second instance of the first one of IBM's."""
    servers["braket"].provider.accounts[OTHER_ACCESS_KEY] = OTHER_ACCOUNT
    return Service(engine, servers)


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.full if name in ("IBM account", "region") else ())
        for name in MOVES
    ]
)
def move(request, service):
    instances = service.servers["ibm"].provider.access.other_instances
    instances[OTHER_CRN] = API_KEY if request.param == "instance" else OTHER_KEY
    return MOVES[request.param]


def left_alone(service, job_id, accounts, variables):
    """Let a worker of another account look at a job, and check what it says."""
    backend = shared_backend(service.job(job_id).backend)
    before = service.job(job_id)
    assert backend.account() == accounts[1]
    service.advance(job_id, 4)
    job = service.job(job_id)
    assert (job.state, job.provider_account) == (before.state, accounts[0])
    address = backend.address()
    (told,) = [detail for detail in service.events(job_id) if "start a worker" in detail]
    assert told == (
        f"the job was submitted to {address}, account {accounts[0]}, but a worker uses {address}, "
        f"account {accounts[1]}: start a worker with {backend.variables(address, None)}, "
        f"{variables}"
    )
    assert OTHER_KEY not in told
    assert SECRET_KEY not in told


@pytest.mark.parametrize(
    "fault", [Fault.CUT_AFTER, pytest.param(Fault.CUT_BEFORE, marks=pytest.mark.full)]
)
def test_a_job_in_doubt_is_not_asked_for_in_another_account(service, move, monkeypatch, fault):
    backend, variables, accounts, leads = move
    job_id = service.submit(backend)
    service.fail(backend, Rule(fault, "submit", times=1))
    while not service.job(job_id).doubtful:
        service.advance(job_id)
    accepted = service.accepted()
    with monkeypatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        left_alone(service, job_id, accounts, leads)
        assert service.accepted() == accepted
    assert service.until(job_id).state == "done"
    assert service.accepted() == [service.job(job_id).key]


def test_a_job_that_was_accepted_is_left_to_its_account(service, move, monkeypatch):
    backend, variables, accounts, leads = move
    service.fail(backend, Rule(Fault.SLOW_QUEUE, "submit", seconds=600))
    job_id = service.submit(backend)
    service.until(job_id, "at_provider")
    with monkeypatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        left_alone(service, job_id, accounts, leads)
    service.advance(job_id)
    assert service.job(job_id).failures == 0


def test_a_job_that_was_never_asked_for_goes_wherever_workers_are_led(service, move, monkeypatch):
    backend, variables, accounts, _ = move
    job_id = service.submit(backend)
    service.fail(backend, Rule(Fault.OUTAGE, "find"))
    service.advance(job_id, 2)
    service.mend()
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    job = service.until(job_id)
    assert (job.state, job.provider_account) == ("done", accounts[1])


@pytest.mark.parametrize(
    "remembered",
    ["nothing", "refused elsewhere", pytest.param("asked elsewhere", marks=pytest.mark.full)],
)
def test_a_job_whose_account_was_forgotten_is_looked_for_in_all_that_are_in_use(
    service, monkeypatch, remembered
):
    """The database is an older state, and two services with different accounts share it.

    There the job was never submitted, or its last submission was to another account.
    """
    backend = "braket:garnet"
    assert service.until(service.submit(backend)).state == "done"
    job_id = service.submit(backend)
    before = service.job(job_id)
    with monkeypatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", OTHER_ACCESS_KEY)
        assert service.until(service.submit(backend)).state == "done"
        assert service.until(job_id).state == "done"
    paid = service.accepted()
    with Session(service.engine) as session:
        kept = ("version", "state", "asked_at", "asks", "provider_id", "provider_account")
        session.execute(
            update(Job)
            .where(Job.id == job_id)
            .values(
                due_at=before.created_at,
                finished_at=None,
                counts=null(),
                **{name: getattr(before, name) for name in kept},
            )
        )
        if remembered != "nothing":
            first = {"provider_account": f"{ACCOUNT} in eu-north-1"}
            if remembered == "asked elsewhere":
                address = shared_backend(backend).address()
                first |= {"asked_at": before.created_at, "asks": 1, "provider_address": address}
            session.execute(update(Job).where(Job.id == job_id).values(**first))
        session.execute(update(DatabaseOrigin).values(identity="another"))
        session.commit()
        assert doubt_older_state(session)
    for _ in range(LOOKS):
        service.advance(job_id)
        if any("may be in" in told for told in service.events(job_id)):
            break
    service.advance(job_id, 5)
    assert service.accepted() == paid
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", OTHER_ACCESS_KEY)
    job = service.until(job_id)
    assert (job.state, job.provider_account) == ("done", f"{OTHER_ACCOUNT} in eu-north-1")
    assert service.accepted() == paid


def test_whose_the_jobs_are_is_asked_once_a_connection(service):
    for backend, operation in (("ibm:torino", "search"), ("braket:garnet", "identity")):
        service.fail(backend, Rule(Fault.SLOW_ANSWER, operation, seconds=0))
        first = service.submit(backend)
        service.until(first)
        asked = service.fired(backend)
        service.until(service.submit(backend))
        assert service.fired(backend) == asked > 0


def test_an_account_that_changes_while_it_is_asked_gets_nothing(
    service, servers, monkeypatch, tmp_path
):
    """The key of a saved account is revoked, and another account saved in its place."""
    access = servers["ibm"].provider.access
    access.other_instances[OTHER_CRN] = OTHER_KEY
    file = str(tmp_path / "accounts.json")
    monkeypatch.setattr(ACCOUNT_FILE, file)
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE", "QISKIT_IBM_URL"):
        monkeypatch.delenv(name, raising=False)
    QiskitRuntimeService.save_account(token=API_KEY, instance=CRN, filename=file)
    connect_anew(monkeypatch)
    torino = shared_backend("ibm:torino")
    assert torino.account() == CRN
    QiskitRuntimeService.save_account(
        token=OTHER_KEY, instance=OTHER_CRN, filename=file, overwrite=True
    )
    access.revoke()
    monkeypatch.setattr(access, "api_key", "nobody's")
    with pytest.raises(UnavailableError, match="another instance"):
        torino.find("0" * 32)
    assert torino.account() == OTHER_CRN
