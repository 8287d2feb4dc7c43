"""Estimates whose rounds are jobs: found right, cancelled, resumed, within one budget."""

from decimal import Decimal

from sqlalchemy.orm import Session

from compiler.words.estimator_names import EstimatorName
from tests.workers.conftest import TOY
from workers.estimation.request import Estimation
from workers.jobs.control import cancel, retry
from workers.records.tables import Spending

ASKED = Estimation("win", EstimatorName.BAYESIAN, 0.05, 0.95, 50, 8).as_json()


def begun(context, backend="sparse", **given):
    (job_id,) = context.submit(TOY, backend, kind="estimation", **{"request": ASKED} | given)
    return job_id


def exact(context):
    from compiler.amplification.event import Event
    from games.sources import read_program

    return Event(read_program(TOY, "default"), "win").probability


def test_the_probability_is_found_by_rounds_that_are_jobs(context):
    job_id = begun(context, tag="estimate")
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    found = job.result
    assert found["low"] <= exact(context) <= found["high"]
    assert found["high"] - found["low"] <= 2 * ASKED["error"]
    assert found["reached"]
    each = context.rounds(job_id)
    assert [one.state for one in each] == ["done"] * len(found["rounds"])
    assert {one.tag for one in each} == {"estimate"}
    assert sum(one.shots for one in each) == found["shots"]
    told = [detail for _, detail in context.events(job_id) if detail.startswith("round")]
    assert len(told) == len(each)
    assert told[0] == "round 1: 0 iterates"


def test_rounds_that_are_chosen_together_are_paid_once(context):
    (context.provider.folder / "group").write_text("10")
    job_id = begun(context, context.backend, request=ASKED | {"together": 2, "error": 0.03})
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    assert job.result["low"] <= exact(context) <= job.result["high"]
    each = context.rounds(job_id)
    leaders = [one for one in each if one.leader_id == one.id]
    assert len(each) == len(job.result["rounds"]) > len(leaders)
    assert context.provider.accepted() == [one.key for one in leaders]
    for leader in leaders:
        group = [one.id for one in each if one.leader_id == leader.id]
        assert len(group) <= 2
        savings = [text for _, text in context.events(leader.id) if "less than alone" in text]
        expected = [f"submitted with jobs {group[1]}: 0.5 USD less than alone"] if group[1:] else []
        assert savings == expected
    with Session(context.engine) as session:
        paid = session.get_one(Spending, f"estimation:{job_id}").reserved_microusd
    assert paid == len(leaders) * 500_000 + len(each) * 50_000


def test_a_round_that_fails_fails_the_estimate_and_a_retry_goes_on(context):
    job_id = begun(context, context.backend)
    context.provider.do_wrong("fail", 1)
    job = context.until(job_id)
    (failed,) = context.rounds(job_id)
    assert job.state == "failed"
    assert job.error == (
        f"round 1, job {failed.id}, is failed: backend '{context.backend}' failed it: "
        "the fridge is warm"
    )
    context.control(retry, job_id)
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    assert job.error is None
    each = context.rounds(job_id)
    assert each[1].retry_of == failed.id
    assert len(each) == 1 + len(job.result["rounds"])


def test_a_cancelled_estimate_ends_its_rounds(context):
    context.provider.do_wrong("queue", 10**6)
    job_id = begun(context, context.backend)
    while not context.rounds(job_id):
        context.sweep()
    (one,) = context.rounds(job_id)
    context.until(one.id, "at_provider")
    context.control(cancel, job_id)
    assert context.job(job_id).state == "cancelled"
    assert context.until(one.id).state == "cancelled"
    assert len(context.rounds(job_id)) == 1


def test_all_rounds_together_cost_no_more_than_allowed(context):
    """A round costs 0.55 USD at this provider, of which one fits."""
    job_id = begun(context, context.backend, max_cost_usd=Decimal("0.6"))
    job = context.until(job_id)
    assert job.state == "failed"
    assert [one.state for one in context.rounds(job_id)] == ["done", "failed"]
    last = context.rounds(job_id)[-1]
    assert last.error == (
        f"the job needs 0.55 USD, but of the budget of estimation {job_id}, 0.6 USD, 0.55 USD "
        "are reserved; nothing was submitted"
    )
    with Session(context.engine) as session:
        assert session.get_one(Spending, f"estimation:{job_id}").reserved_microusd == 550_000


def test_a_program_without_the_event_is_refused_with_its_reason(context):
    job_id = begun(context, request=ASKED | {"observable": "beauty"})
    job = context.until(job_id)
    assert (job.state, job.error) == (
        "failed",
        "toy.toml: no observable 'beauty'; known: win, points",
    )
