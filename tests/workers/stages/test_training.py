"""Trainings whose circuits are jobs: as good as without a queue, cancelled, resumed, paid once."""

from decimal import Decimal

import pytest
from sqlalchemy.orm import Session

from games.sources import Source
from tests.workers.conftest import PATIENT_SECONDS
from workers.queue.worker import Worker
from workers.records.tables import Spending

WEIGHTED = Source(
    "four.toml",
    b'game = "weighted-skat"\nplayers = 2\nhand = 2\ndeck = ["CA", "C10", "CK", "CQ"]\n',
)
ASKED = {"seat": 1, "steps": 1, "shots": 50, "backend": "x", "seed": 0}
CIRCUITS = 4
"""One look, two shifts of B's one bit, and the look at the end."""
COST_MICROUSD = 550_000
"""What 50 shots cost at the folder provider."""


@pytest.fixture
def context(context):
    """A service whose only worker is never thought dead, however busy the machine is."""
    return context.with_settings(lease_seconds=PATIENT_SECONDS)


def begun(context, **given):
    (job_id,) = context.submit(WEIGHTED, kind="training", request=ASKED, **given)
    return job_id


def test_a_step_is_asked_for_together_and_paid_once_and_the_weights_get_better(context):
    job_id = begun(context, tag="train", max_cost_usd=Decimal(50))
    worker = Worker(context.engine, context.settings)
    worker.advance(job_id)
    # Nobody has run anything, and another look begins nothing new.
    worker.advance(job_id)
    assert len(context.rounds(job_id)) == CIRCUITS - 1
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    each = context.rounds(job_id)
    assert [one.state for one in each] == ["done"] * CIRCUITS
    assert sorted(context.provider.accepted()) == sorted(one.key for one in each)
    assert {one.tag for one in each} == {"train"}
    assert [one.seed for one in each] == list(range(CIRCUITS))
    with Session(context.engine) as session:
        paid = session.get_one(Spending, f"training:{job_id}").reserved_microusd
    assert paid == CIRCUITS * COST_MICROUSD
    found = job.result
    first, last = found["backends"][-1]["training"]
    assert first["p_win"] == pytest.approx(5 / 12, abs=1e-12)
    # B plays against the party, and its first step is as long as with exact gradients.
    assert last["p_win"] == found["p_win"] < 5 / 12
    assert found["low"] <= found["measured"] <= found["high"]
    assert found["backends"][-1]["circuits"] == CIRCUITS
    assert found["trained"].startswith('game = "weighted-skat"')
    told = [detail for _, detail in context.events(job_id) if detail.startswith("round")]
    assert told[0] == "round 1: the training begins"
    assert "step 0 of 1: P(win) measured" in told[-1]


def test_an_equilibrium_asks_for_one_seat_after_the_other(context):
    asked = {"objective": "equilibrium", "steps": 2}
    (job_id,) = context.submit(WEIGHTED, kind="training", request={**ASKED, **asked})
    Worker(context.engine, context.settings).advance(job_id)
    # The look, and A's two shifts; B's follow from what these have measured.
    assert len(context.rounds(job_id)) == 3
    job = context.until(job_id)
    assert job.state == "done", context.events(job_id)
    assert [one.state for one in context.rounds(job_id)] == ["done"] * 11
    found = job.result
    assert (found["objective"], found["backends"][-1]["circuits"]) == ("equilibrium", 11)
    # In the first step all weights are equal; the second has learned from it.
    assert found["p_win"] < 0.4
    # Both seats' weights are kept.
    assert "seat = 1" in found["trained"]
    told = [detail for _, detail in context.events(job_id) if detail.startswith("round")]
    assert any("B learns" in one for one in told)
