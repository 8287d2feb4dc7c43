"""Rows whose metrics tests look at."""

from datetime import timedelta

from sqlalchemy.orm import Session

from tests.workers.metrics.exposed import read
from workers.jobs.states import FINAL
from workers.metrics.from_records.collector import RecordCollector
from workers.records.tables import Candidate, Compilation, Job, ObservableRow, ScoreRow, now
from workers.settings import Settings

TODAY = now()


def add(engine, *rows):
    with Session(engine, expire_on_commit=False) as session:
        session.add_all(rows)
        session.commit()
    return rows


def told(engine, set_=None, lengths=lambda: None):
    return read([RecordCollector(engine, set_ or Settings(), lengths)])


def job(n, state, backend="sparse", **given):
    since = TODAY - timedelta(seconds=100 + n)
    usual = {
        "program": "p", "target": "t", "shots": 10, "seed": n, "due_at": None if state in FINAL
        else TODAY, "state_since": since,
    }  # fmt: skip
    return Job(state=state, backend=backend, **usual | given)


def compilation(program="skat-4", chosen=None, **given):
    usual = {
        "source": b"", "source_digest": program, "target": "star:17", "method": "best",
        "encoding": "paper", "objective": "two_qubit_gates", "seed": 0,
        "program_verified": "exact", "compile_seconds": 2.5, "versions": {},
    }  # fmt: skip
    lost = Candidate(synthesis="s", pipeline="lost", seed=0, verified="exact", two_qubit_gates=999)
    figures = {
        "synthesis": "s", "pipeline": "tket", "seed": 1, "verified": "exact", "chosen": True,
        "qubits": 17, "two_qubit_gates": 43, "two_qubit_depth": 30, "depth": 60, "gates": 120,
        "duration_ns": 5000.0, "expected_fidelity": 0.75,
    }  # fmt: skip
    candidates = [lost, Candidate(**figures | (chosen or {}))]
    return Compilation(program=program, candidates=candidates, **usual | given)


def score(kind, **given):
    usual = {
        "shots": 10, "hellinger_fidelity": 0.9, "normalized_fidelity": 0.8, "legal_fraction": 0.7,
    }  # fmt: skip
    win = {"measured": 0.5, "low": 0.4, "high": 0.6, "exact": 0.75} | given.pop("win", {})
    row = ObservableRow(place=0, name="win", kind="event", **win)
    return ScoreRow(kind=kind, observables=[row], **usual | given)
