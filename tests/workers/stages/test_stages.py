"""Queued jobs, stage by stage, and whatever a provider can do wrong."""

import json
from contextlib import closing
from decimal import Decimal
from math import inf
from sqlite3 import connect

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from backends import BackendError
from games.sources import Source
from tests.workers.conftest import TOY
from workers.jobs.control import rescore
from workers.jobs.request import ConflictError
from workers.jobs.states import Queue
from workers.queue import fairness
from workers.queue.worker import Worker
from workers.records.tables import Compilation, Order
from workers.scoring import counts_of
from workers.stages import scoring

PASSED = ["queued", "compiling", "verifying", "submitting", "at_provider", "scoring", "done"]


def states(context, job_id):
    passed = [state for state, _ in context.events(job_id)]
    return [state for place, state in enumerate(passed) if state not in passed[:place]]


def test_a_job_goes_through_every_stage(context):
    (job_id,) = context.submit(tag="first")
    assert context.job(job_id).state == "queued"
    job = context.until(job_id)
    assert states(context, job_id) == PASSED
    assert set(counts_of(job)) == {0b000, 0b111}
    assert sum(counts_of(job).values()) == 50
    assert json.loads(job.raw_result) == {job.key: job.counts}
    assert job.estimated_cost_usd == Decimal("0.55")
    assert context.provider.accepted() == [job.key]
    assert job.due_at is job.lease_owner is job.lease_until is job.error is None


def test_a_simulator_runs_in_the_worker(context, toy):
    (job_id,) = context.submit(toy, "sparse")
    job = context.until(job_id)
    assert states(context, job_id) == [*PASSED[:4], "running", "scoring", "done"]
    assert [row.kind for row in job.scores] == ["raw", "post_selected"]


def test_others_can_write_while_scores_are_computed(context, monkeypatch):
    computed = scoring.scored

    def scored(*arguments):
        rows = computed(*arguments)
        with closing(connect(context.engine.url.database, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
        return rows

    monkeypatch.setattr(scoring, "scored", scored)
    (job_id,) = context.submit()
    assert context.until(job_id).state == "done"
    context.control(rescore, job_id)
    assert [row.kind for row in context.until(job_id).scores] == ["raw"]


def test_a_job_whose_circuit_is_known_asks_the_database_little(context, monkeypatch):
    """Each question and each commit is time that a lone job takes besides its run."""
    monkeypatch.setattr(fairness, "FRESH_SECONDS", -1.0)  # ask every time, however slow the machine
    monkeypatch.setattr("workers.stages.context.LOOK_SECONDS", inf)
    context = context.with_settings(lease_seconds=600)  # no renewal comes in between
    (first,) = context.submit(backend="sparse")
    context.until(first)
    (job_id,) = context.submit(backend="sparse")
    asked: list[str] = []
    commits: list[object] = []
    event.listen(
        context.engine, "before_cursor_execute", lambda _c, _k, said, *_: asked.append(said)
    )
    event.listen(context.engine, "commit", commits.append)
    assert Worker(context.engine, context.settings).advance_fairest(Queue.COMPILE) is None
    assert len(asked) <= 15, asked
    assert len(commits) == 3
    assert context.events(job_id) == [
        ("queued", ""), ("submitting", "compiled before, as record 1"), ("running", ""),
        ("scoring", ""), ("done", ""),
    ]  # fmt: skip


def test_the_same_circuit_is_compiled_once(context):
    first, second = context.submit(repeat=2)
    context.until(first)
    context.until(second)
    (third,) = context.submit()
    context.until(third)
    with Session(context.engine) as session:
        assert session.query(Compilation).count() == session.query(Order).count() == 1
    assert states(context, third) == ["queued", "submitting", "at_provider", "scoring", "done"]
    assert len(context.provider.accepted()) == 3


def test_a_circuit_that_cannot_be_compiled_fails_all_its_jobs(context, monkeypatch):
    def broken(*_, **__):
        raise BackendError("the moon is full")

    monkeypatch.setattr("workers.stages.circuits.compile_order", broken)
    ids = context.submit(repeat=3)
    assert {context.until(job_id).error for job_id in ids} == {"the moon is full"}
    assert {context.job(job_id).state for job_id in ids} == {"failed"}


def test_where_a_job_is_in_the_providers_queue(context):
    context.provider.do_wrong("queue", 1)
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    while context.job(job_id).queue_position is None:
        context.sweep()
    job = context.job(job_id)
    assert (job.state, job.provider_state, job.queue_position) == ("at_provider", "queued", 7)
    context.provider.do_wrong("run", 1)
    assert context.until(job_id, "running").state == "running"
    assert context.until(job_id).state == "done"


@pytest.mark.parametrize(("fault", "asked"), [("cut-before", 1), ("cut-after", 1)])
def test_a_cut_connection_costs_no_second_job(context, fault, asked):
    context.provider.do_wrong(fault)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert job.state == "done"
    assert context.provider.accepted() == [job.key]
    found = ("at_provider", "the provider has it already") in context.events(job_id)
    assert found is (fault == "cut-after")
    assert ("submitting", "will try again: connection cut") in context.events(job_id)


def test_a_circuit_that_takes_too_long_to_compile_fails_all_its_jobs(context):
    hasty = context.with_settings(compile_seconds=0)
    ids = hasty.submit(Source("skat-9"), repeat=2)
    jobs = [hasty.until(job_id) for job_id in ids]
    assert {job.state for job in jobs} == {"failed"}
    assert {job.error[:29] for job in jobs} == {"compiling and proving exceed "}


@pytest.mark.parametrize(
    ("fault", "told", "begun"),
    [
        ("cut-before", "connection cut", False),
        ("cut-before", "connection cut", True),
        ("expired", "the token has expired", True),
        ("late", "not there yet", False),
        ("outage", "the fridge is away", True),
        pytest.param("expired", "the token has expired", False, marks=pytest.mark.full),
        pytest.param("late", "not there yet", True, marks=pytest.mark.full),
        pytest.param("outage", "the fridge is away", False, marks=pytest.mark.full),
    ],
)
def test_what_passes_by_itself_is_waited_for_however_long(context, fault, told, begun):
    """Before and after the provider has been asked for the job."""
    times = 3 * context.settings.most_failures
    (job_id,) = context.submit()
    if begun:
        context.until(job_id, "at_provider")
    context.provider.do_wrong(fault, times)
    job = context.until(job_id)
    # Of a request that was cut nobody knows whether the provider has it.
    in_doubt = (fault, begun) == ("cut-before", False)
    assert (job.state, job.error, job.doubtful) == ("done", None, in_doubt)
    assert context.provider.accepted() == [job.key]
    assert job.asks == 1 + in_doubt * times
    if (fault, begun) != ("cut-before", True):
        assert any(detail == f"will try again: {told}" for _, detail in context.events(job_id))


def test_a_refusal_is_final_and_costs_nothing(context):
    context.provider.do_wrong("refuse")
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert (job.state, job.error) == ("failed", "no such gate")
    assert job.estimated_cost_usd is None
    assert context.provider.accepted() == []


@pytest.mark.parametrize(
    ("fault", "error", "raw"),
    [
        ("corrupt", "the result is no JSON", b'{"counts": {"0'),
        ("few", "brought back 1 of 50 shots", b': {"0": 1}}'),
        ("fail", "failed it: the fridge is warm", None),
    ],
)
def test_a_wrong_result_fails_the_job_and_is_kept(context, fault, error, raw):
    context.provider.do_wrong(fault)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert job.state == "failed"
    assert error in job.error
    assert job.estimated_cost_usd == Decimal("0.55"), "what it cost, the provider knows"
    assert job.raw_result is None if raw is None else raw in job.raw_result
    assert job.quarantined == (None if raw is None else job.error)


def test_a_job_is_not_looked_for_at_another_provider(context, monkeypatch):
    """Else a worker with an account would buy what was submitted to a simulator."""
    context.provider.do_wrong("cut-after")
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    with monkeypatch.context() as patch:
        patch.setattr(type(context.provider), "address", lambda _: None)
        patch.setattr(context.provider, "find", lambda *_: [])
        for _ in range(3):
            Worker(context.engine, context.settings).advance(job_id)
        job = context.job(job_id)
    assert (job.state, job.failures) == ("submitting", 1), "only the cut counts"
    folder = context.provider.folder
    told = (
        f"the job was submitted to {folder}, account account 1, but a worker uses the real "
        f"provider: start a worker with FOLDER={folder} ACCOUNT=account 1"
    )
    assert sum(told == detail for _, detail in context.events(job_id)) == 1
    assert context.until(job_id).state == "done"
    assert context.provider.accepted() == [job.key]


def test_an_error_in_our_own_code_is_tried_again_and_then_told(context, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("workers.stages.scoring.scored", broken)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert job.state == "failed"
    assert job.error.startswith("internal error: ZeroDivisionError: division by zero (4 times")


def test_the_same_key_is_the_same_job(context):
    first = context.submit(repeat=2, idempotency_key="mine")
    assert context.submit(repeat=2, idempotency_key="mine") == first
    assert not set(context.submit(repeat=2, idempotency_key="yours")) & set(first)


@pytest.mark.parametrize(
    "other",
    [
        {"tag": "other"}, {"repeat": 1}, {"repeat": 3}, {"seed": 7},
        {"backend": "sparse"}, {"source": TOY},
    ],
)  # fmt: skip
def test_the_same_key_for_something_else_is_refused(context, other):
    context.submit(repeat=2, idempotency_key="mine")
    with pytest.raises(ConflictError, match="idempotency key 'mine' belongs to another request"):
        context.submit(**{"repeat": 2, "idempotency_key": "mine"} | other)


def test_two_at_once_with_the_same_key(context, monkeypatch):
    """The second looks before the first commits, and commits after it."""
    from workers.jobs import submission

    first = []
    recorded = submission.jobs_of_key

    def late(session, request, limit):
        jobs = recorded(session, request, limit)
        if not first:
            first.append(None)
            first[:] = context.submit(idempotency_key="mine")
        return jobs

    monkeypatch.setattr(submission, "jobs_of_key", late)
    assert context.submit(idempotency_key="mine") == first
