"""`--mitigation` of `run` and `submit`: what it takes, raw beside mitigated, what is refused."""

import json

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from workers.batches.running import drifts
from workers.records.database import open_database
from workers.records.queries.runs import newest_runs
from workers.records.tables import Job

HOW = ("-b", "aer:torino", "--method", "fast", "--budget", "5", "--shots", "200")
ASKED = ("pair.toml", *HOW)

PAIR = 'game = "skat"\nrules = "paper"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10"]\n'
"""Two cards, on few qubits: each random form of a circuit is simulated by itself."""


@pytest.fixture(autouse=True)
def pair(folder):
    (folder / "pair.toml").write_text(PAIR)


def test_a_run_is_told_raw_and_mitigated(stichwerk, folder):
    done = stichwerk("run", *ASKED, "--mitigation", "zne, twirling", "--json")
    assert done.code == 0, done.err
    assert (
        "twirling, zne: 3 more circuits and 600 more shots than the raw run's 200, no charge"
        in done.err
    )
    answer = json.loads(done.out)
    found = answer["mitigation"]
    assert [(run["twirling"], run["noise"]) for run in found["runs"]] == [
        (False, 1), (True, 1), (True, 3), (True, 5),
    ]  # fmt: skip
    assert found["extra"] == {"circuits": 3, "shots": 600, "cost_usd": None}
    assert found["extrapolated_from"] == "mitigated"
    raw = answer["scores"]["observables"]
    assert found["observables"].keys() == raw.keys()
    for name, one in found["observables"].items():
        assert one["raw"]["measured"] == raw[name]["measured"]
        assert None not in (one["treated"], one["extrapolated"])
        assert one["exact"] == raw[name]["exact"]
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        jobs = session.scalars(select(Job).order_by(Job.id)).all()
        # The raw run alone is what machines are compared by.
        assert [run.job for run in newest_runs(session, 9)[0]] == [answer["job"]]
        assert drifts(session, jobs) == []
    (listed,) = json.loads(stichwerk("jobs", "--json").out)["jobs"]
    assert (listed["id"], listed["rounds_done"]) == (jobs[0].id, 4)
    assert "Mitigated by twirling, zne" in stichwerk("job", str(jobs[0].id)).out


def test_without_it_nothing_is_mitigated_but_readout(stichwerk):
    answer = json.loads(stichwerk("run", *ASKED, "--json").out)
    assert answer["mitigation"] is None
    assert answer["mitigated_scores"] is not None
