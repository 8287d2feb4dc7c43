"""A worker is killed exactly before and exactly after each change of a job's state.

The job must still end once: the provider has one job, its result is right, and each state was
entered once.
"""

import multiprocessing
import signal
import time
from decimal import Decimal

import pytest
from sqlalchemy.orm import Session

from compiler.words.estimator_names import EstimatorName
from tests.servers.fixtures import new_engine
from tests.workers.conftest import TOY
from tests.workers.queue.dying_worker import work
from tests.workers.records.test_backup import begun_group
from tests.workers.stages.test_training import WEIGHTED
from workers.estimation.request import Estimation
from workers.jobs.control import cancel, retry
from workers.jobs.request import recorded_key
from workers.jobs.states import FINAL
from workers.queue.worker import Worker
from workers.records.tables import Spending
from workers.scoring import counts_of

PASSED = [
    "queued", "compiling", "verifying", "submitting", "at_provider", "running", "scoring", "done",
]  # fmt: skip
LOCAL = ["queued", "compiling", "verifying", "submitting", "running", "scoring", "done"]

ROUND_MICROUSD = 550_000
"""What 50 shots cost at the folder provider."""

ASKED_TO_TRAIN = {
    "seat": 1, "steps": 1, "shots": 50, "backend": "folder", "seed": 0,
}  # fmt: skip

PATIENT_SECONDS = 300.0

FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["tests.workers.queue.prepared"])
"""Children begin with everything imported and nothing started."""


@pytest.fixture(params=["postgresql", pytest.param("sqlite", marks=pytest.mark.full)])
def engine(request, tmp_path):
    """A database that several processes share."""
    yield from new_engine(request, tmp_path)


def die(context, job_id, when, column, value=None, meanwhile=lambda: None):
    """Let workers take the job on, until one has been killed at this moment.

    What happens `meanwhile`, others do.
    """
    address = context.engine.url.render_as_string(hide_password=False)
    end = time.monotonic() + PATIENT_SECONDS
    while True:
        assert time.monotonic() < end, f"never {when} {column} = {value}: {context.events(job_id)}"
        arguments = (address, job_id, context.settings, when, column, value)
        child = FRESH.Process(target=work, args=arguments)
        child.start()
        child.join()
        if child.exitcode == -signal.SIGKILL:
            return
        assert child.exitcode == 0
        assert context.job(job_id).state not in FINAL
        meanwhile()


def ended_once(context, job_id, passed):
    """Check that a job was done, once, and rightly."""
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    assert set(counts_of(job)) == {0b000, 0b111}
    assert sum(counts_of(job).values()) == 50
    entered = [
        state
        for state, detail in context.events(job_id)
        if not detail.startswith(("will try again", "in doubt", "reserved"))
    ]
    assert entered == passed
    return job


@pytest.mark.parametrize(
    ("when", "state"),
    [
        *(("after", state) for state in ("submitting", "at_provider", "done")),
        *(("before", state) for state in ("submitting", "at_provider", "running")),
        *(("after", state) for state in ("compiling", "verifying", "running", "scoring")),
        *(("before", state) for state in ("compiling", "verifying", "scoring", "done")),
    ],
)
def test_killed_around_a_change(context, when, state):
    context.provider.do_wrong("run", 1)
    (job_id,) = context.submit()
    die(context, job_id, when, "state", state)
    passed = PASSED
    if (state, when) == ("running", "before"):
        # The provider was asked twice, and was done the second time.
        passed = [one for one in PASSED if one != "running"]
    job = ended_once(context, job_id, passed)
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("state", LOCAL[4:])
def test_killed_while_a_simulator_runs(context, when, state):
    (job_id,) = context.submit(backend="sparse")
    die(context, job_id, when, "state", state)
    ended_once(context, job_id, LOCAL)


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_around_the_mark_that_the_provider_is_asked(context, when):
    (job_id,) = context.submit()
    die(context, job_id, when, "asked_at")
    job = ended_once(context, job_id, [state for state in PASSED if state != "running"])
    assert context.provider.accepted() == [job.key]


def test_killed_after_the_provider_has_accepted_and_before_it_says_so(context):
    context.provider.do_wrong("kill-after-acceptance")
    (job_id,) = context.submit()
    die(context, job_id, "after", "state", "done")
    job = context.job(job_id)
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_around_a_failure(context, when):
    context.provider.do_wrong("fail", 2)
    (job_id,) = context.submit()
    die(context, job_id, when, "state", "failed")
    job = context.until(job_id)
    assert (job.state, job.error[-18:]) == ("failed", "the fridge is warm")
    assert [state for state, _ in context.events(job_id)].count("failed") == 1
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_around_the_end_of_a_cancelled_job(context, when):
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    with Session(context.engine) as session:
        assert cancel(session, job_id).cancel_requested
    die(context, job_id, when, "state", "cancelled")
    job = context.until(job_id)
    assert job.state == "cancelled"
    assert [state for state, _ in context.events(job_id)].count("cancelled") == 1
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_around_the_result_of_a_retried_job(context, when):
    context.provider.do_wrong("few")
    (job_id,) = context.submit()
    assert context.until(job_id).state == "failed"
    with Session(context.engine) as session:
        assert retry(session, job_id).id == job_id
    die(context, job_id, when, "state", "scoring")
    job = context.until(job_id)
    assert (job.state, job.error) == ("done", None)
    assert context.provider.accepted() == [job.key]


TOGETHER = Estimation("win", EstimatorName.BAYESIAN, 0.03, 0.95, 50, 4, together=2).as_json()
"""An estimate whose first step is a provider job of two rounds."""


def begun_estimate(context):
    """Return what is found without a kill, what that cost, and an estimate to be killed."""
    context.provider.do_wrong("group", 10)
    estimation = {"kind": "estimation", "request": TOGETHER, "max_cost_usd": Decimal(50)}
    (plain_id,) = context.submit(TOY, **estimation)
    plain = context.until(plain_id)
    (job_id,) = context.submit(TOY, **estimation)
    return plain, context.provider.accepted(), job_id


def run_rounds(context, job_id):
    while left := [one for one in context.rounds(job_id) if one.state not in FINAL]:
        for one in left:
            Worker(context.engine, context.settings).advance(one.id)


def went_on(context, job_id, plain, before):
    """Check that no step was run or paid for twice, and that nothing else was found."""
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    assert job.result == plain.result
    rounds = context.rounds(job_id)
    assert [one.state for one in rounds] == ["done"] * len(job.result["rounds"])
    leaders = [one for one in rounds if one.leader_id == one.id]
    assert rounds[1].leader_id == rounds[0].id
    assert context.provider.accepted() == [*before, *(one.key for one in leaders)]
    paid_once(context, job, len(leaders), len(rounds))


def paid_once(context, parent, provider_jobs, circuits):
    with Session(context.engine) as session:
        paid = session.get_one(Spending, f"{parent.kind}:{parent.id}").reserved_microusd
    assert paid == provider_jobs * 500_000 + circuits * 50_000


@pytest.mark.parametrize("when", ["before", pytest.param("after", marks=pytest.mark.full)])
@pytest.mark.parametrize("place", [pytest.param(0, marks=pytest.mark.full), 1, 2])
def test_an_estimate_killed_around_the_asking_of_a_round_goes_on(context, when, place):
    """Within a step, or when the results of one are there and the next one is not asked for."""
    plain, before, job_id = begun_estimate(context)
    key = recorded_key(f"estimation-{job_id}-{place}", None)
    die(context, job_id, when, "idempotency_key", key, lambda: run_rounds(context, job_id))
    assert len(context.rounds(job_id)) == place + (when == "after")
    went_on(context, job_id, plain, before)


@pytest.mark.parametrize("when", ["before", pytest.param("after", marks=pytest.mark.full)])
@pytest.mark.parametrize("place", [1, pytest.param(3, marks=pytest.mark.full)])
def test_a_training_killed_around_the_asking_of_a_circuit_goes_on(context, when, place):
    """Within a step, whose circuits are asked for together, or after what it has measured."""
    training = {"kind": "training", "request": ASKED_TO_TRAIN, "max_cost_usd": Decimal(50)}
    (plain_id,) = context.submit(WEIGHTED, **training)
    plain = context.until(plain_id)
    before = context.provider.accepted()
    (job_id,) = context.submit(WEIGHTED, **training)
    key = recorded_key(f"training-{job_id}-{place}", None)
    die(context, job_id, when, "idempotency_key", key, lambda: run_rounds(context, job_id))
    assert len(context.rounds(job_id)) == place + (when == "after")
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    learned = [one.result["backends"][-1] for one in (plain, job)]
    assert learned[0]["training"] == learned[1]["training"]
    rounds = context.rounds(job_id)
    assert [one.state for one in rounds] == ["done"] * learned[0]["circuits"]
    accepted = [key for key in context.provider.accepted() if key not in before]
    assert sorted(accepted) == sorted(one.key for one in rounds)
    with Session(context.engine) as session:
        paid = session.get_one(Spending, f"training:{job_id}").reserved_microusd
    assert paid == len(rounds) * ROUND_MICROUSD


KILL_POINTS = [
    (0, "after", "leader_id", None),
    (0, "before", "asked_at", None),
    (0, "after", "state", "at_provider"),
    (1, "before", "state", "scoring"),
    *(
        pytest.param(*each, marks=pytest.mark.full)
        for each in (
            (0, "after", "asked_at", None),
            (0, "before", "state", "at_provider"),
            (0, "before", "state", "scoring"),
            (1, "after", "state", "at_provider"),
        )
    ),
]
"""Place of the circuit in its group, and the change of its row."""


def die_in_group(context, parent_id, job, when, column, value):
    while len(context.rounds(parent_id)) < 2:
        context.advance(parent_id)
    rounds = [one.id for one in context.rounds(parent_id)]

    def meanwhile():
        for other in (parent_id, *rounds):
            if other != rounds[job]:
                context.advance(other)

    die(context, rounds[job], when, column, value, meanwhile)


@pytest.mark.parametrize(("job", "when", "column", "value"), KILL_POINTS)
def test_a_group_killed_around_a_change_is_one_provider_job(context, job, when, column, value):
    parent_id = begun_group(context)
    die_in_group(context, parent_id, job, when, column, value)
    parent = context.until(parent_id)
    assert parent.state == "done"
    rounds = context.rounds(parent_id)
    assert context.provider.accepted() == [rounds[0].key]
    assert [one.leader_id for one in rounds] == [rounds[0].id] * 2
    assert [sum(counts_of(context.job(one.id)).values()) for one in rounds] == [50, 50]
    paid_once(context, parent, 1, 2)


@pytest.mark.parametrize(("job", "when", "column", "value"), KILL_POINTS)
def test_rounds_of_a_provider_job_killed_around_a_change_go_on(context, job, when, column, value):
    plain, before, job_id = begun_estimate(context)
    die_in_group(context, job_id, job, when, column, value)
    went_on(context, job_id, plain, before)
