"""The command `score --queue` at IBM, played over loopback: its cost, its limits, taken up."""

import json

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends.provider_simulators.faults import Faults
from backends.provider_simulators.ibm.api import SimulatedIBM
from backends.provider_simulators.machine import Machine
from backends.provider_simulators.server import Server
from tests.backends.ibm.simulated import SECRET, point_to
from tests.servers.process import wait_until
from tests.workers.score.tiny import tiny_suite
from workers.jobs.states import FINAL
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import Settings

ASKED = ("score", "--suite", "tiny", "-b", "ibm:torino", "--run", "monday", "--queue", "--json")
LEAST_USD, LIMIT_USD = 6.52, "6.5205USD"
"""What pauses and overhead of both parts cost at least, and less than their circuits do."""


@pytest.fixture
def ibm(folder, monkeypatch):
    faults = Faults(seed=1)
    machine = Machine(faults)
    with (
        Server(SimulatedIBM(faults, machine, api_key=SECRET)) as server,
        tiny_suite(folder / "suites"),
    ):
        point_to(server, monkeypatch)
        yield machine


def handed(stichwerk, *more):
    done = stichwerk(*ASKED, *more)
    assert done.code == 0, done.err
    (job_id,) = json.loads(done.out)["jobs"]
    return job_id, done.err


def led(folder, parent, rounds=1):
    """Let a new worker look at the score and all of its parts, so often."""
    engine = open_database(str(folder / "stichwerk.sqlite"))
    for _ in range(rounds):
        with Session(engine) as session:
            parts = session.scalars(select(Job.id).where(Job.parent_id == parent)).all()
        for one in (parent, *parts):
            Worker(engine, Settings()).advance(one)
    return engine


def states(engine, parent):
    with Session(engine) as session:
        asked = select(Job).where((Job.id == parent) | (Job.parent_id == parent)).order_by(Job.id)
        return [(job.state, job.asks, job.error) for job in session.scalars(asked)]


def test_it_is_told_what_it_costs_and_each_part_is_paid_once(stichwerk, folder, ibm):
    parent, told = handed(stichwerk, "--max-cost", "20USD")
    assert f"2 circuits, 300 shots, 0 not supported, at least {LEAST_USD} USD" in told
    # Each look is another worker's, as after one that was killed.
    engine = led(folder, parent, 2)
    assert [state for state, *_ in states(engine, parent)] == ["running", *["submitting"] * 2]
    assert ibm.audit() == []
    led(folder, parent)
    answer = json.loads(stichwerk("job", str(parent), "--json").out)
    cost = float(answer["estimated_cost_usd"])
    assert LEAST_USD < cost < 2 * LEAST_USD
    assert any(one["detail"].startswith("2 circuits for providers: about 6.5")
               for one in answer["events"])  # fmt: skip

    def ended():
        led(folder, parent)
        return states(engine, parent)[0][0] in FINAL

    assert wait_until(ended, 300)
    assert [one[:2] for one in states(engine, parent)] == [("done", 0), ("done", 1), ("done", 1)]
    assert len(ibm.audit()) == 2
    found = json.loads(stichwerk("score", "--job", str(parent), "--json").out)
    assert found["complete"]
    assert [part["outcome"] for part in found["parts"]] == ["played", "played"]
    assert found["score"] > 0.5
    assert float(found["cost_usd"]) > 0
    again, _ = handed(stichwerk, "--max-cost", "20USD")
    assert again == parent


def test_nothing_is_submitted_that_turns_out_to_cost_too_much(stichwerk, folder, ibm):
    parent, _ = handed(stichwerk, "--max-cost", LIMIT_USD)
    engine = led(folder, parent, 3)
    (state, _, error), *parts = states(engine, parent)
    assert state == "failed"
    assert "all of it would cost about 6.5" in error
    assert f"more than its limit of {LIMIT_USD.replace('USD', ' USD')}; nothing was" in error
    led(folder, parent)
    assert [one[:2] for one in states(engine, parent)[1:]] == [("cancelled", 0)] * len(parts)
    assert ibm.audit() == []
    # With a higher limit it goes on, its circuits compiled already.
    assert stichwerk("retry", str(parent), "--max-cost", "20USD").code == 0
    led(folder, parent, 2)
    assert all(state not in FINAL or state == "done" for state, *_ in states(engine, parent))
    assert [asks for _, asks, _ in states(engine, parent)] == [0, 1, 1]


@pytest.mark.parametrize("variable", ["DAY_BUDGET_USD", "TAG_BUDGET_USD"])
def test_budgets_refuse_it_before_anything_is_recorded(stichwerk, monkeypatch, variable, ibm):
    monkeypatch.setenv(f"STICHWERK_{variable}", "5")
    done = stichwerk(*ASKED)
    assert (done.code, done.out) == (2, "")
    assert "nothing was submitted" in done.err.splitlines()[-1]
    # What one job may cost is another thing: each of these costs less.
    monkeypatch.setenv(f"STICHWERK_{variable}", "100")
    monkeypatch.setenv("STICHWERK_JOB_BUDGET_USD", "4")
    assert stichwerk(*ASKED).code == 0
