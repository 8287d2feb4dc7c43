"""Queued jobs, stage by stage, and whatever a provider can do wrong."""

import json
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import BackendError
from tests.workers.conftest import TOY
from workers.advance import Worker
from workers.jobs import run_job
from workers.records import Compilation, Job, Order
from workers.request import ConflictError
from workers.scoring import counts_of

PASSED = ["queued", "compiling", "verifying", "submitting", "at_provider", "scoring", "done"]


def states(desk, job_id):
    passed = [state for state, _ in desk.events(job_id)]
    return [state for place, state in enumerate(passed) if state not in passed[:place]]


def test_a_job_goes_through_every_stage(desk):
    (job_id,) = desk.submit(tag="first")
    assert desk.job(job_id).state == "queued"
    job = desk.until(job_id)
    assert states(desk, job_id) == PASSED
    assert set(counts_of(job)) == {0b000, 0b111}
    assert sum(counts_of(job).values()) == 50
    assert json.loads(job.raw_result) == job.counts
    assert job.estimated_cost_usd == Decimal("0.55")
    assert desk.provider.accepted() == [job.key]
    assert job.due_at is job.lease_owner is job.lease_until is job.error is None


def test_a_simulator_runs_in_the_worker(desk, toy):
    (job_id,) = desk.submit(toy, "sparse")
    job = desk.until(job_id)
    assert states(desk, job_id) == [*PASSED[:4], "running", "scoring", "done"]
    assert [row.kind for row in job.scores] == ["raw", "post_selected"]


def test_the_same_circuit_is_compiled_once(desk):
    first, second = desk.submit(repeat=2)
    desk.until(first)
    desk.until(second)
    (third,) = desk.submit()
    desk.until(third)
    with Session(desk.engine) as session:
        assert session.query(Compilation).count() == session.query(Order).count() == 1
    assert states(desk, third) == ["queued", "submitting", "at_provider", "scoring", "done"]
    assert len(desk.provider.accepted()) == 3


def test_a_circuit_that_cannot_be_compiled_fails_all_its_jobs(desk, monkeypatch):
    def broken(*_):
        raise BackendError("the moon is full")

    monkeypatch.setattr("workers.stages.circuits.compile_program", broken)
    ids = desk.submit(repeat=3)
    assert {desk.until(job_id).error for job_id in ids} == {"the moon is full"}
    assert {desk.job(job_id).state for job_id in ids} == {"failed"}


def test_where_a_job_is_in_the_providers_queue(desk):
    desk.provider.do_wrong("queue", 1)
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    while desk.job(job_id).queue_position is None:
        desk.sweep()
    job = desk.job(job_id)
    assert (job.state, job.provider_state, job.queue_position) == ("at_provider", "queued", 7)
    desk.provider.do_wrong("run", 1)
    assert desk.until(job_id, "running").state == "running"
    assert desk.until(job_id).state == "done"


@pytest.mark.parametrize(("fault", "asked"), [("cut-before", 1), ("cut-after", 1)])
def test_a_cut_connection_costs_no_second_job(desk, fault, asked):
    desk.provider.do_wrong(fault)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.state == "done"
    assert desk.provider.accepted() == [job.key]
    found = ("at_provider", "the provider has it already") in desk.events(job_id)
    assert found is (fault == "cut-after")
    assert ("submitting", "will try again: connection cut") in desk.events(job_id)


def test_a_provider_that_stays_away_is_waited_for_however_long(desk):
    desk.provider.do_wrong("cut-before", 3 * desk.settings.most_failures)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.state == "done"
    assert job.asks == 3 * desk.settings.most_failures + 1
    assert desk.provider.accepted() == [job.key]


def test_a_refusal_is_final_and_costs_nothing(desk):
    desk.provider.do_wrong("refuse")
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert (job.state, job.error) == ("failed", "no such gate")
    assert job.estimated_cost_usd is None
    assert desk.provider.accepted() == []


def test_a_queued_job_waits_for_new_credentials(desk):
    desk.provider.do_wrong("expired", 3 * desk.settings.most_failures)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert (job.state, job.doubtful) == ("done", False)
    assert job.asks == 3 * desk.settings.most_failures + 1
    assert desk.provider.accepted() == [job.key]


def test_who_waits_for_a_job_hears_of_credentials_at_once(desk, session, compiled, ghz):
    desk.provider.do_wrong("expired")
    with pytest.raises(BackendError, match="the token has expired"):
        run_job(session, compiled(ghz), desk.backend, 50, 0)
    (job,) = session.scalars(select(Job))
    assert (job.state, job.asked_at, job.estimated_cost_usd) == ("failed", None, None)


def test_a_result_that_is_late_is_waited_for(desk):
    desk.provider.do_wrong("late", 2)
    (job_id,) = desk.submit()
    assert desk.until(job_id).state == "done"
    assert desk.events(job_id).count(("at_provider", "will try again: not there yet")) == 1


def test_a_corrupt_result_fails_the_job_and_is_kept(desk):
    desk.provider.do_wrong("corrupt")
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.state == "failed"
    assert job.error.startswith("the result is no JSON")
    assert job.raw_result == b'{"counts": {"0'
    assert job.counts is None
    assert job.quarantined == job.error


def test_a_result_without_all_shots_is_no_result(desk):
    desk.provider.do_wrong("few")
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.error == f"backend '{desk.backend}' brought back 1 of 50 shots"
    assert json.loads(job.raw_result) == {"0": 1}
    assert job.quarantined == job.error


def test_a_job_that_its_provider_failed(desk):
    desk.provider.do_wrong("fail")
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.error == f"backend '{desk.backend}' failed it: the fridge is warm"
    assert job.estimated_cost_usd == Decimal("0.55"), "what it cost, the provider knows"


def test_a_token_that_expires_in_the_middle(desk):
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    desk.provider.do_wrong("expired", 3 * desk.settings.most_failures)
    job = desk.until(job_id)
    assert (job.state, job.error) == ("done", None)
    assert ("at_provider", "will try again: the token has expired") in desk.events(job_id)


def test_a_job_is_not_looked_for_at_another_provider(desk, monkeypatch):
    """Else a worker with an account would buy what was submitted to a simulator."""
    desk.provider.do_wrong("cut-after")
    (job_id,) = desk.submit()
    while not desk.job(job_id).doubtful:
        desk.sweep()
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.provider), "address", lambda _: None)
        patch.setattr(desk.provider, "find", lambda *_: [])
        for _ in range(3):
            Worker(desk.engine, desk.settings).advance(job_id)
        job = desk.job(job_id)
    assert (job.state, job.failures) == ("submitting", 1), "only the cut counts"
    told = f"submitted to {desk.provider.folder}, but a worker is led to the real provider"
    assert sum(told in detail for _, detail in desk.events(job_id)) == 1
    assert desk.until(job_id).state == "done"
    assert desk.provider.accepted() == [job.key]


def test_an_error_in_our_own_code_is_tried_again_and_then_told(desk, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("workers.stages.scoring.scored", broken)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.state == "failed"
    assert job.error.startswith("internal error: ZeroDivisionError: division by zero (4 times")


def test_the_same_key_is_the_same_job(desk):
    first = desk.submit(repeat=2, idempotency_key="mine")
    assert desk.submit(repeat=2, idempotency_key="mine") == first
    assert not set(desk.submit(repeat=2, idempotency_key="yours")) & set(first)


@pytest.mark.parametrize(
    "other",
    [
        {"tag": "other"}, {"repeat": 1}, {"repeat": 3}, {"seed": 7},
        {"backend": "sparse"}, {"source": TOY},
    ],
)  # fmt: skip
def test_the_same_key_for_something_else_is_refused(desk, other):
    desk.submit(repeat=2, idempotency_key="mine")
    with pytest.raises(ConflictError, match="idempotency key 'mine' stands for other jobs, such"):
        desk.submit(**{"repeat": 2, "idempotency_key": "mine"} | other)


def test_a_key_outlives_a_change_of_budgets(desk):
    first = desk.submit(idempotency_key="mine", max_cost_usd=Decimal(3))
    richer = desk.with_settings(job_budget_usd=Decimal(2))
    assert richer.submit(idempotency_key="mine", max_cost_usd=Decimal(3)) == first
    assert desk.submit(idempotency_key="mine") == first


def test_a_key_outlives_an_upgrade(desk, monkeypatch):
    first = desk.submit(idempotency_key="mine")
    monkeypatch.setattr("workers.orders.revision", lambda: "a newer one")
    assert desk.submit(idempotency_key="mine") == first


def test_two_at_once_with_the_same_key(desk, monkeypatch):
    """The second looks before the first commits, and commits after it."""
    from workers import submission

    first = []
    known = submission.known_jobs

    def late(session, asked, limit):
        found = known(session, asked, limit)
        if not first:
            first.append(None)
            first[:] = desk.submit(idempotency_key="mine")
        return found

    monkeypatch.setattr(submission, "known_jobs", late)
    assert desk.submit(idempotency_key="mine") == first
