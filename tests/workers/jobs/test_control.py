"""Cancelling, retrying and rescoring, in every state."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.words.run_options import PLAIN, RunOptions
from games.sources import Source
from workers.compilation.compiling import Recorder
from workers.compilation.orders import CompileOrder
from workers.jobs.control import RefusedError, cancel, rescore, retry
from workers.jobs.request import ConflictError, Submission
from workers.jobs.without_queue import run_job
from workers.records.tables import Job, ScoreRow, Spending
from workers.records.tables.jobs import RUN_COLUMNS


def stop_at(context, monkeypatch, state):
    """Submit a job, and let the worker stop when it has entered a state."""
    from workers.queue import worker as worker_module

    (job_id,) = context.submit()
    stages = {
        one: (lambda _: False) if one == state else stage
        for one, stage in worker_module.STAGES.items()
    }
    with monkeypatch.context() as patch:
        patch.setattr(worker_module, "STAGES", stages)
        if state != "queued":
            assert context.until(job_id, state).state == state
    return job_id


@pytest.mark.parametrize("state", ["queued", "submitting", "scoring"])
def test_what_the_provider_has_not_is_cancelled_at_once(context, monkeypatch, state):
    job_id = stop_at(context, monkeypatch, state)
    context.control(cancel, job_id)
    job = context.job(job_id)
    assert (job.state, job.due_at) == ("cancelled", None)
    assert job.finished_at is not None
    context.sweep()
    assert context.job(job_id).state == "cancelled"
    assert len(context.provider.accepted()) == (state == "scoring")


@pytest.mark.parametrize("state", ["compiling", "verifying"])
def test_a_busy_worker_hears_that_its_job_is_cancelled(context, monkeypatch, state):
    from workers.stages import circuits

    owner, name = {
        "compiling": (circuits, "compile_order"), "verifying": (Recorder, "program_proven")
    }[state]  # fmt: skip
    work = getattr(owner, name)
    (job_id,) = context.submit()

    def cancelled_meanwhile(*arguments, **options):
        assert context.job(job_id).state == state
        context.control(cancel, job_id)
        return work(*arguments, **options)

    monkeypatch.setattr(owner, name, cancelled_meanwhile)
    context.sweep()
    assert context.job(job_id).state == "cancelled"
    assert context.provider.accepted() == []
    monkeypatch.undo()
    (other,) = context.submit()
    assert context.until(other).state == "done", "another job of the same circuit is not harmed"


@pytest.mark.parametrize("state", ["at_provider", "running"])
def test_what_the_provider_has_is_cancelled_there(context, state):
    context.provider.do_wrong("run" if state == "running" else "queue", 1)
    (job_id,) = context.submit()
    context.until(job_id, state)
    context.control(cancel, job_id)
    assert context.job(job_id).cancel_requested
    job = context.until(job_id)
    assert job.state == "cancelled"
    assert job.estimated_cost_microusd == 550_000, "what it cost, the provider knows"


def test_cancelled_between_the_question_and_the_answer(context, monkeypatch):
    """The provider accepts it while somebody cancels it: it is cancelled there."""
    (job_id,) = context.submit()
    ask = context.provider.submit

    def cancelled_meanwhile(job, key, **given):
        context.control(cancel, job_id)
        return ask(job, key, **given)

    monkeypatch.setattr(context.provider, "submit", cancelled_meanwhile)
    assert context.until(job_id).state == "cancelled"
    assert context.provider.accepted() == [context.job(job_id).key]


def test_cancelled_while_nobody_knows_whether_the_provider_has_it(context):
    context.provider.do_wrong("cut-before")
    (job_id,) = context.submit()
    while context.job(job_id).asked_at is None:
        context.sweep()
    context.control(cancel, job_id)
    job = context.until(job_id)
    assert job.state == "cancelled"
    assert job.estimated_cost_microusd is None
    assert ("cancelled", "the provider never had it") in context.events(job_id)
    with Session(context.engine) as session:
        assert {row.reserved_microusd for row in session.query(Spending)} == {0}


def test_a_simulation_is_cancelled_at_once(context, monkeypatch):
    from workers.stages import running

    (job_id,) = context.submit(backend="sparse")
    simulated = running.simulated

    def cancelled_meanwhile(*given, **named):
        assert context.job(job_id).state == "running"
        context.control(cancel, job_id)
        return simulated(*given, **named)

    monkeypatch.setattr(running, "simulated", cancelled_meanwhile)
    job = context.until(job_id)
    assert (job.state, job.counts) == ("cancelled", None)


def test_a_refused_job_is_submitted_again_under_its_key(context):
    context.provider.do_wrong("refuse")
    (job_id,) = context.submit()
    assert context.until(job_id).state == "failed"
    assert context.control(retry, job_id) == job_id
    job = context.until(job_id)
    assert (job.state, job.error) == ("done", None)
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("fault", ["few", "corrupt"])
def test_a_retried_job_that_the_provider_has_is_not_submitted_again(context, fault):
    context.provider.do_wrong(fault)
    (job_id,) = context.submit()
    assert context.until(job_id).quarantined
    assert context.control(retry, job_id) == job_id
    assert context.job(job_id).quarantined is None
    assert context.until(job_id).state == "done"
    assert context.provider.accepted() == [context.job(job_id).key]


@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_what_the_provider_ended_takes_a_new_job(context, how):
    (job_id,) = context.submit(tag="mine")
    context.until(job_id, "at_provider")
    if how == "failed":
        context.provider.do_wrong("fail")
    else:
        context.control(cancel, job_id)
    assert context.until(job_id).state == how
    other = context.control(retry, job_id)
    assert other != job_id
    job = context.until(other)
    assert (job.state, job.retry_of, job.tag) == ("done", job_id, "mine")
    assert job.key != context.job(job_id).key
    assert sorted(context.provider.accepted()) == sorted([job.key, context.job(job_id).key])
    assert context.job(job_id).state == how


def test_a_job_is_retried_once(context):
    (job_id,) = context.submit()
    context.provider.do_wrong("fail")
    context.until(job_id)
    other = context.control(retry, job_id)
    with pytest.raises(RefusedError, match=f"continues as job {other}, which is submitting: retry"):
        context.control(retry, job_id)
    assert ("failed", f"continues as job {other}") in context.events(job_id)
    assert len(context.provider.accepted()) == 1


def test_what_a_command_left_behind_is_taken_up(context, session, compiled, ghz):
    """Its process died while the provider had the job."""

    def dies(_):
        raise KeyboardInterrupt

    context.provider.do_wrong("queue", 5)
    with pytest.raises(KeyboardInterrupt):
        run_job(session, compiled(ghz), context.backend, 50, 0, progress=dies)
    session.rollback()
    (left,) = session.scalars(select(Job)).all()
    assert (left.state, left.due_at) == ("at_provider", None)
    context.sweep()
    assert context.job(left.id).state == "at_provider"
    assert context.control(retry, left.id) == left.id
    assert context.until(left.id).state == "done"
    assert context.provider.accepted() == [left.key]


def test_only_what_has_failed_is_retried(context):
    (job_id,) = context.submit()
    with pytest.raises(RefusedError, match="is queued: only failed jobs"):
        context.control(retry, job_id)


def test_scores_are_computed_again_from_what_was_measured(context, toy):
    (job_id,) = context.submit(toy)
    first = context.until(job_id)
    with Session(context.engine) as session:
        for row in session.query(ScoreRow):
            row.observables[0].measured = 0.123
        session.get_one(Job, job_id).counts = {"0": 50}
        session.commit()
    context.control(rescore, job_id)
    job = context.until(job_id)
    assert job.counts == first.counts
    assert job.scored == first.scored
    assert len(context.provider.accepted()) == 1


OPTIONS = RunOptions(decoupling=True, twirling=True, noise=3)


def test_a_row_and_its_copies_hold_all_options(context):
    (job_id,) = context.submit(run_options=OPTIONS, idempotency_key="key")
    assert context.submit(run_options=OPTIONS, idempotency_key="key") == [job_id]
    with pytest.raises(ConflictError):
        context.submit(run_options=PLAIN, idempotency_key="key")
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        assert job.run_options == OPTIONS
        again = job.another(seed=7)
        same = [name for name in RUN_COLUMNS if getattr(again, name) == getattr(job, name)]
        assert set(RUN_COLUMNS) - set(same) == {"seed"}
        session.add(again)
        session.commit()
        assert session.get_one(Job, again.id).run_options == OPTIONS


def test_a_submission_is_read_as_it_was_written():
    order = CompileOrder(Source("a.qasm", b"OPENQASM 3.0;", b"{}"), "star:5", Options("fast"))
    asked = Submission(order, "sparse", 10, 3, tag="t", idempotency_key="k", run_options=OPTIONS)
    assert Submission.from_json(asked.as_json()) == asked
