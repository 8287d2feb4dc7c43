"""Cancelling, retrying and rescoring, in every state."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from workers.control import RefusedError, cancel, rescore, retry
from workers.finding import UnknownJobError
from workers.jobs import run_job
from workers.records import Job, ScoreRow, Spending


def control(desk, change, job_id):
    with Session(desk.engine) as session:
        return change(session, job_id).id


def stop_at(desk, monkeypatch, state):
    """Submit a job, and let the worker stop when it has entered a state."""
    from workers import advance

    (job_id,) = desk.submit()
    stages = {
        one: (lambda _: False) if one == state else stage for one, stage in advance.STAGES.items()
    }
    with monkeypatch.context() as patch:
        patch.setattr(advance, "STAGES", stages)
        if state != "queued":
            assert desk.until(job_id, state).state == state
    return job_id


@pytest.mark.parametrize("state", ["queued", "submitting", "scoring"])
def test_what_the_provider_has_not_is_cancelled_at_once(desk, monkeypatch, state):
    job_id = stop_at(desk, monkeypatch, state)
    control(desk, cancel, job_id)
    job = desk.job(job_id)
    assert (job.state, job.due_at) == ("cancelled", None)
    assert job.finished_at is not None
    desk.sweep()
    assert desk.job(job_id).state == "cancelled"
    assert len(desk.provider.accepted()) == (state == "scoring")


@pytest.mark.parametrize("state", ["compiling", "verifying"])
def test_a_busy_worker_hears_that_its_job_is_cancelled(desk, monkeypatch, state):
    from workers.stages import circuits

    name = {"compiling": "compile_program", "verifying": "verify_compilation"}[state]
    work = getattr(circuits, name)
    (job_id,) = desk.submit()

    def cancelled_meanwhile(*arguments):
        assert desk.job(job_id).state == state
        control(desk, cancel, job_id)
        return work(*arguments)

    monkeypatch.setattr(circuits, name, cancelled_meanwhile)
    desk.sweep()
    assert desk.job(job_id).state == "cancelled"
    assert desk.provider.accepted() == []
    monkeypatch.undo()
    (other,) = desk.submit()
    assert desk.until(other).state == "done", "another job of the same circuit is not harmed"


@pytest.mark.parametrize("state", ["at_provider", "running"])
def test_what_the_provider_has_is_cancelled_there(desk, state):
    desk.provider.do_wrong("run" if state == "running" else "queue", 1)
    (job_id,) = desk.submit()
    desk.until(job_id, state)
    control(desk, cancel, job_id)
    assert desk.job(job_id).cancel_requested
    job = desk.until(job_id)
    assert job.state == "cancelled"
    assert job.estimated_cost_microusd == 550_000, "what it cost, the provider knows"


def test_cancelled_between_the_question_and_the_answer(desk, monkeypatch):
    """The provider accepts it while somebody cancels it: it is cancelled there."""
    (job_id,) = desk.submit()
    ask = desk.provider.submit

    def cancelled_meanwhile(job, key, **given):
        control(desk, cancel, job_id)
        return ask(job, key, **given)

    monkeypatch.setattr(desk.provider, "submit", cancelled_meanwhile)
    assert desk.until(job_id).state == "cancelled"
    assert desk.provider.accepted() == [desk.job(job_id).key]


def test_cancelled_while_nobody_knows_whether_the_provider_has_it(desk):
    desk.provider.do_wrong("cut-before")
    (job_id,) = desk.submit()
    while desk.job(job_id).asked_at is None:
        desk.sweep()
    control(desk, cancel, job_id)
    job = desk.until(job_id)
    assert job.state == "cancelled"
    assert job.estimated_cost_microusd is None
    assert ("cancelled", "the provider never had it") in desk.events(job_id)
    with Session(desk.engine) as session:
        assert {row.reserved_microusd for row in session.query(Spending)} == {0}


def test_cancelled_too_late(desk, monkeypatch):
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    monkeypatch.setattr(desk.provider, "cancel", lambda _: None)
    control(desk, cancel, job_id)
    assert desk.until(job_id).state == "done"
    assert ("scoring", "it was done before it could be cancelled") in desk.events(job_id)


def test_a_simulation_is_cancelled_at_once(desk, monkeypatch):
    from workers.stages import running

    (job_id,) = desk.submit(backend="sparse")
    simulated = running.simulated

    def cancelled_meanwhile(*given, **named):
        assert desk.job(job_id).state == "running"
        control(desk, cancel, job_id)
        return simulated(*given, **named)

    monkeypatch.setattr(running, "simulated", cancelled_meanwhile)
    desk.sweep()
    job = desk.job(job_id)
    assert (job.state, job.counts) == ("cancelled", None)


def test_what_has_ended_is_not_cancelled(desk):
    (job_id,) = desk.submit()
    desk.until(job_id)
    with pytest.raises(RefusedError, match=f"job {job_id} is done already"):
        control(desk, cancel, job_id)


def test_a_refused_job_is_submitted_again_under_its_key(desk):
    desk.provider.do_wrong("refuse")
    (job_id,) = desk.submit()
    assert desk.until(job_id).state == "failed"
    assert control(desk, retry, job_id) == job_id
    job = desk.until(job_id)
    assert (job.state, job.error) == ("done", None)
    assert desk.provider.accepted() == [job.key]


def test_a_retried_job_that_the_provider_has_is_not_submitted_again(desk):
    desk.provider.do_wrong("few")
    (job_id,) = desk.submit()
    assert desk.until(job_id).quarantined
    assert control(desk, retry, job_id) == job_id
    assert desk.job(job_id).quarantined is None
    assert desk.until(job_id).state == "done"
    assert desk.provider.accepted() == [desk.job(job_id).key]


def test_a_corrupt_result_is_fetched_again(desk):
    desk.provider.do_wrong("corrupt")
    (job_id,) = desk.submit()
    desk.until(job_id)
    control(desk, retry, job_id)
    assert desk.until(job_id).state == "done"
    assert desk.provider.accepted() == [desk.job(job_id).key]


@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_what_the_provider_ended_takes_a_new_job(desk, how):
    (job_id,) = desk.submit(tag="mine")
    desk.until(job_id, "at_provider")
    if how == "failed":
        desk.provider.do_wrong("fail")
    else:
        control(desk, cancel, job_id)
    assert desk.until(job_id).state == how
    other = control(desk, retry, job_id)
    assert other != job_id
    job = desk.until(other)
    assert (job.state, job.retry_of, job.tag) == ("done", job_id, "mine")
    assert job.key != desk.job(job_id).key
    assert sorted(desk.provider.accepted()) == sorted([job.key, desk.job(job_id).key])
    assert desk.job(job_id).state == how


def test_a_job_is_retried_once(desk):
    (job_id,) = desk.submit()
    desk.provider.do_wrong("fail")
    desk.until(job_id)
    other = control(desk, retry, job_id)
    with pytest.raises(RefusedError, match=f"goes on as job {other}, which is submitting: retry"):
        control(desk, retry, job_id)
    assert ("failed", f"goes on as job {other}") in desk.events(job_id)
    assert len(desk.provider.accepted()) == 1


def test_a_circuit_that_failed_is_compiled_again(desk, monkeypatch):
    from workers.stages import circuits

    def broken(*_):
        raise RefusedError("the moon is full")

    with monkeypatch.context() as patch:
        patch.setattr(circuits, "compile_program", broken)
        (job_id,) = desk.submit()
        assert desk.until(job_id).error == "the moon is full"
    control(desk, retry, job_id)
    assert desk.until(job_id).state == "done"


def test_what_a_command_left_behind_is_taken_up(desk, session, compiled, ghz):
    """Its process died while the provider had the job."""

    def dies(_):
        raise KeyboardInterrupt

    desk.provider.do_wrong("queue", 5)
    with pytest.raises(KeyboardInterrupt):
        run_job(session, compiled(ghz), desk.backend, 50, 0, progress=dies)
    session.rollback()
    (left,) = session.scalars(select(Job)).all()
    assert (left.state, left.due_at) == ("at_provider", None)
    desk.sweep()
    assert desk.job(left.id).state == "at_provider"
    assert control(desk, retry, left.id) == left.id
    assert desk.until(left.id).state == "done"
    assert desk.provider.accepted() == [left.key]


def test_only_what_has_failed_is_retried(desk):
    (job_id,) = desk.submit()
    with pytest.raises(RefusedError, match="is queued: only what has failed"):
        control(desk, retry, job_id)


def test_scores_are_computed_again_from_what_was_measured(desk, toy):
    (job_id,) = desk.submit(toy)
    first = desk.until(job_id)
    with Session(desk.engine) as session:
        for row in session.query(ScoreRow):
            row.observables[0].measured = 0.123
        session.get_one(Job, job_id).counts = {"0": 50}
        session.commit()
    control(desk, rescore, job_id)
    job = desk.until(job_id)
    assert job.counts == first.counts
    assert [row.figures for row in job.scores] == [row.figures for row in first.scores]
    assert len(desk.provider.accepted()) == 1


def test_nothing_is_no_result(desk):
    desk.provider.do_wrong("refuse")
    (job_id,) = desk.submit()
    desk.until(job_id)
    with pytest.raises(RefusedError, match="is failed and has no result to score"):
        control(desk, rescore, job_id)


@pytest.mark.parametrize("change", [cancel, retry, rescore])
@pytest.mark.parametrize("job_id", [0, -1, 1, 2**40])
def test_a_job_that_there_is_not(desk, change, job_id):
    with pytest.raises(UnknownJobError, match=f"there is no job {job_id}"):
        control(desk, change, job_id)
