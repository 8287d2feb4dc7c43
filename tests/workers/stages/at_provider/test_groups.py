"""Circuits of one parent that are submitted as one provider job."""

from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.words.estimator_names import EstimatorName
from games.sources import Source
from tests.servers.fixtures import EACH_DATABASE
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.workers.accounts.test_budgets import spent
from tests.workers.conftest import GHZ, TOY
from tests.workers.stages.at_provider.real_sdks import BACKENDS, LOOKS, ONE, Service, servers
from workers.batches.batch import Batch
from workers.batches.submitting import submit_batch
from workers.compilation.orders import CompileOrder
from workers.estimation.request import Estimation
from workers.jobs.control import cancel, retry
from workers.jobs.request import Submission
from workers.jobs.states import FINAL, JobKind
from workers.jobs.submission import checked, submit
from workers.records.tables import Job
from workers.scoring import counts_of

__all__ = ["servers"]

ALONE, TOGETHER = 3 * 550_000, 650_000
"""Cost of three circuits of 50 shots at the folder provider, in millionths of US dollars."""


@pytest.fixture
def engine(any_engine):
    """An empty database."""
    return any_engine


@pytest.fixture
def group(context):
    """A service whose provider takes ten circuits at once."""
    (context.provider.folder / "group").write_text("10")
    return context


@pytest.fixture
def service(engine, servers):
    """A service beside both providers."""
    return Service(engine, servers)


def begun(group, *shots):
    """Submit a batch of circuits and return its number."""
    order = CompileOrder(GHZ, "", Options("fast", budget=5))
    jobs = tuple(
        checked(Submission(order, group.backend, n, seed, idempotency_key=f"batch:{seed}"))
        for seed, n in enumerate(shots or (50, 50, 50))
    )
    with Session(group.engine) as session:
        batch = Batch("group", jobs)
        return submit_batch(session, group.settings, batch, key="batch", tag=None).id


def states(group, parent_id):
    return [job.state for job in group.rounds(parent_id)]


def until_asked(group, parent_id):
    """Sweep until the provider has the leader, and return the jobs."""
    while not any(job.provider_id for job in group.rounds(parent_id)):
        group.sweep()
    return group.rounds(parent_id)


@EACH_DATABASE
def test_circuits_of_a_batch_are_one_provider_job_paid_once(group):
    parent_id = begun(group)
    assert group.until(parent_id).state == "done"
    jobs = group.rounds(parent_id)
    leader = jobs[0].id
    assert [(job.state, job.leader_id) for job in jobs] == [("done", leader)] * 3
    assert group.provider.accepted() == [jobs[0].key]
    assert spent(group) == {"day": TOGETHER, "batch": TOGETHER}
    assert [sum(counts_of(job).values()) for job in jobs] == [50] * 3
    priced = [text for _, text in group.events(parent_id) if "less than alone" in text]
    assert priced == [
        "3 circuits for providers, up to 0.65 USD: 1 USD less than alone, in 1 provider job"
    ]


def test_groups_keep_to_the_provider_s_limit(group):
    (group.provider.folder / "group").write_text("2")
    parent_id = begun(group)
    assert group.until(parent_id).state == "done"
    jobs = group.rounds(parent_id)
    assert [job.leader_id for job in jobs] == [jobs[0].id, jobs[0].id, jobs[2].id]
    assert group.provider.accepted() == [jobs[0].key, jobs[2].key]


@pytest.mark.parametrize("bad", [0, 1])
def test_a_circuit_that_is_refused_before_it_is_sent_fails_alone(group, bad):
    (group.provider.folder / "refused-shots").write_text("60")
    shots = [50, 50, 50]
    shots[bad] = 60
    parent_id = begun(group, *shots)
    assert group.until(parent_id).state == "failed"
    jobs = group.rounds(parent_id)
    assert [job.state == "failed" for job in jobs] == [n == 60 for n in shots]
    assert jobs[bad].error == "too many"
    assert len(group.provider.accepted()) == 1
    assert spent(group)["day"] == 600_000


def test_a_group_that_the_provider_refuses_is_submitted_one_by_one(group):
    group.provider.do_wrong("refuse")
    parent_id = begun(group)
    assert group.until(parent_id).state == "done"
    assert len(group.provider.accepted()) == 3
    assert spent(group)["day"] == ALONE


def test_a_circuit_that_fails_at_the_provider_is_run_again_alone(group):
    (group.provider.folder / "failed-shots").write_text("60")
    parent_id = begun(group, 50, 60, 50)
    assert group.until(parent_id).state == "failed"
    assert states(group, parent_id) == ["done", "failed", "done"]
    (group.provider.folder / "failed-shots").unlink()
    group.control(retry, parent_id)
    assert group.until(parent_id).state == "done"
    assert states(group, parent_id) == ["done", "failed", "done", "done"]
    assert len(group.provider.accepted()) == 2


def test_a_provider_job_that_fails_is_run_again_as_a_group(group):
    group.provider.do_wrong("fail")
    parent_id = begun(group)
    assert group.until(parent_id).state == "failed"
    assert states(group, parent_id) == ["failed"] * 3
    group.control(retry, parent_id)
    assert group.until(parent_id).state == "done"
    assert states(group, parent_id)[3:] == ["done"] * 3
    assert len(group.provider.accepted()) == 2


def test_a_cancelled_circuit_ends_and_the_others_go_on(group):
    group.provider.do_wrong("queue", 1000)
    parent_id = begun(group)
    leader, follower, other = until_asked(group, parent_id)
    group.control(cancel, follower.id)
    group.control(cancel, leader.id)
    for _ in range(5):
        group.sweep()
    assert group.provider.billed() == [leader.key]
    (group.provider.folder / "queue").unlink()
    assert group.until(other.id).state == "done"
    assert [group.job(one.id).state for one in (leader, follower)] == ["done", "cancelled"]
    assert group.until(parent_id).state == "failed"


def test_a_cancelled_batch_is_cancelled_at_the_provider(group):
    group.provider.do_wrong("queue", 1000)
    parent_id = begun(group)
    leader, *_ = until_asked(group, parent_id)
    group.control(cancel, parent_id)
    assert group.until(leader.id).state == "cancelled"
    assert states(group, parent_id) == ["cancelled"] * 3
    assert group.provider.billed() == []


def test_a_circuit_that_is_cancelled_before_its_group_is_sent_is_not_sent(group):
    group.provider.do_wrong("no-fence", 10**6)
    parent_id = begun(group)
    while [job.leader_id is None for job in group.rounds(parent_id)] != [False] * 3:
        group.sweep()
    _, follower, _ = group.rounds(parent_id)
    group.control(cancel, follower.id)
    (group.provider.folder / "no-fence").unlink()
    assert group.until(parent_id).state == "failed"
    assert states(group, parent_id) == ["done", "cancelled", "done"]
    assert spent(group)["day"] == 600_000


@pytest.mark.parametrize("fault", ["cut-after", "cut-before"])
def test_a_group_in_doubt_is_submitted_once(group, fault):
    group.provider.do_wrong(fault)
    parent_id = begun(group)
    assert group.until(parent_id).state == "done"
    assert group.provider.accepted() == [group.rounds(parent_id)[0].key]
    assert spent(group)["day"] == TOGETHER


def test_a_result_without_a_circuit_puts_its_job_aside(group, monkeypatch):
    parent_id = begun(group)
    leader, follower, _ = until_asked(group, parent_id)
    counts = group.provider.counts

    def other(raw, job, key, provider_id, *, circuits):
        return counts(raw, job, "0" * 32 if key == follower.key else key, provider_id, circuits=3)

    with monkeypatch.context() as patch:
        patch.setattr(group.provider, "counts", other)
        assert group.until(parent_id).state == "failed"
    assert group.job(leader.id).state == "done"
    assert group.job(follower.id).quarantined == "of other circuits"
    group.control(retry, parent_id)
    assert group.until(parent_id).state == "done"
    assert len(group.provider.accepted()) == 1


def test_a_budget_that_does_not_suffice_fails_the_group(group):
    parent_id = begun(group)
    poor = group.with_settings(day_budget_usd=Decimal("0.6"))
    assert poor.until(parent_id).state == "failed"
    assert poor.provider.accepted() == []


def until_ended(service, parent_id):
    """Advance a parent job and its jobs, and return their numbers."""
    children = select(Job.id).where(Job.parent_id == parent_id).order_by(Job.id)
    for _ in range(LOOKS):
        with Session(service.engine) as session:
            ids = list(session.scalars(children))
        if service.job(parent_id).state in FINAL:
            break
        for one in (*ids, parent_id):
            service.advance(one)
    assert service.job(parent_id).state == "done", [
        service.events(one) for one in (parent_id, *ids)
    ]
    return ids


@pytest.mark.full
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_real_sdks_submit_the_rounds_of_a_step_once(service, backend):
    request = Estimation("win", EstimatorName.BAYESIAN, 0.05, 0.6, 20, 1, together=2)
    order = CompileOrder(TOY, "", Options("fast", budget=5))
    kind = {"kind": JobKind.ESTIMATION, "request": request.as_json()}
    with Session(service.engine) as session:
        submission = checked(Submission(order, backend, 20, **kind))
        (job,) = submit(session, service.settings, submission)
        parent_id = job.id
    service.fail(backend, Rule(Fault.CUT_AFTER, "submit", times=1))
    ids = until_ended(service, parent_id)
    result = service.job(parent_id).result
    assert [one["iterates"] for one in result["rounds"]][:2] == [0, 1]
    jobs = [service.job(one) for one in ids]
    assert service.accepted() == [job.key for job in jobs if job.leader_id == job.id]
    assert [job.leader_id for job in jobs[:2]] == [ids[0]] * 2
    (saving,) = [text for text in service.events(ids[0]) if "less than alone" in text]
    assert saving.startswith(f"submitted with jobs {ids[1]}: ")
    assert [sum(counts_of(job).values()) for job in jobs] == [20] * len(ids)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_real_sdks_submit_a_group_once_and_each_circuit_is_compared(service, backend):
    sources = [
        Source(f"{qubit}.qasm", ONE.content.replace(b"x q[0]", b"x q[%d]" % qubit))
        for qubit in range(2)
    ]
    jobs = tuple(
        checked(
            Submission(CompileOrder(one, "", Options("fast")), backend, 20, idempotency_key=f"r{n}")
        )
        for n, one in enumerate(sources)
    )
    with Session(service.engine) as session:
        batch = Batch("group", jobs)
        parent_id = submit_batch(session, service.settings, batch, key="batch", tag=None).id
    service.fail(backend, Rule(Fault.TOO_MANY_REQUESTS, "submit", times=1, seconds=0.1))
    service.fail(backend, Rule(Fault.CUT_AFTER, "submit", times=1))
    ids = until_ended(service, parent_id)
    assert service.accepted() == [service.job(ids[0]).key]
    with Session(service.engine) as session:
        for n, one in enumerate(ids):
            job = session.get_one(Job, one)
            assert job.counts == {str(1 << n): 20}
            assert job.executed == "identical"
        assert session.get_one(Job, ids[0]).charged_microusd
