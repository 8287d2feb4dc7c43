"""Pruning removes what nobody needs and nothing else; a dry run tells the same."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from workers.compilation.compiling import keep_chosen
from workers.records.pruning import Pruned, prune
from workers.records.tables import (
    Candidate,
    CircuitRow,
    Compilation,
    Event,
    Job,
    LedgerEntry,
    ObservableRow,
    Order,
    ScoreRow,
)

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
NATIVE, LOGICAL, LOST = b"native" * 9, b"logical" * 9, b"lost" * 9


def compilation(**chosen):
    return Compilation(
        program="p", source=b"", source_digest="d", target="t", method="m", encoding="e",
        objective="o", seed=1, program_verified="given", versions={},
        candidates=[
            Candidate(synthesis="s", pipeline="p", seed=0, native=NATIVE, logical=LOGICAL),
            Candidate(synthesis="s", pipeline="p", seed=1, native=LOST, logical=LOGICAL, **chosen),
        ],
    )  # fmt: skip


def job(name, made=None, **given):
    usual = {"state": "done", "finished_at": LONG_AGO, "created_at": LONG_AGO}
    scores = [ScoreRow(kind="raw", shots=1, legal_fraction=1.0, observables=[
        ObservableRow(place=0, name="win", kind="event")])]  # fmt: skip
    return Job(
        key=name, compilation=made, program=name, target="t", backend="sparse", shots=1, seed=0,
        scores=scores, events=[Event(state="done")], **usual | given,
    )  # fmt: skip


def order(digest):
    return Order(
        digest=digest, program="p", source=b"", target="t", options={}, created_at=LONG_AGO
    )


@pytest.fixture
def engine(each_engine):
    """Records of which some are needed; what they are called says whether they are."""
    with Session(each_engine) as session:
        old, paid, waiting = (compilation(chosen=True) for _ in range(3))
        undecided, abandoned, fresh = (compilation() for _ in range(3))
        fresh.program = "fresh"
        for one in (old, paid, waiting, undecided, abandoned):
            one.created_at = LONG_AGO
        for one, pending in ((old, b"old"), (paid, b"paid"), (waiting, b"waiting")):
            session.add(one)
            one.chosen.native = pending * 50
            session.flush()
            keep_chosen(session, one)
        session.add_all([undecided, abandoned, fresh, order("unused"), order("waited")])
        session.add(CircuitRow(digest="orphan", content=b"orphan" * 500))
        session.flush()
        # A loser that another version forgot to empty.
        old_loser = next(one for one in paid.candidates if not one.chosen)
        old_loser.native = LOST
        kept = job("paid", paid)
        session.add_all([job("old", old), kept, job("open", waiting, state="queued")])
        session.add_all([
            job("verifying", undecided, state="verifying", order_digest="waited"),
            job("asked", asked_at=LONG_AGO),
        ])  # fmt: skip
        session.flush()
        session.add(LedgerEntry(job_id=kept.id, budget="day:2020-01-01", kind="reserved",
                                microusd=1))  # fmt: skip
        parent = job("parent")
        session.add(parent)
        session.flush()
        session.add(job("round", parent_id=parent.id))
        half = job("half")
        session.add(half)
        session.flush()
        session.add(job("again", state="running", retry_of=half.id))
        session.commit()
    return each_engine


def jobs(engine):
    with Session(engine) as session:
        return set(session.scalars(select(Job.key)))


ALL = {"old", "paid", "open", "verifying", "asked", "parent", "round", "half", "again"}
LEFT = ALL - {"old", "parent", "round"}


def test_a_dry_run_tells_what_would_be_removed(engine):
    told = prune(engine, YEAR, dry_run=True)
    assert jobs(engine) == ALL
    done = prune(engine, YEAR, dry_run=False)
    assert evolve(told, freed_bytes=0) == evolve(done, freed_bytes=0)
    assert told.freed_bytes >= 0
    # The abandoned one, and the one whose job is gone.
    assert evolve(done, freed_bytes=0) == Pruned(3, 2, 1, 1, 2, 0)
    assert evolve(prune(engine, YEAR, dry_run=False), freed_bytes=0) == Pruned(0, 0, 0, 0, 0, 0)


def test_what_is_needed_stays(engine):
    prune(engine, YEAR, dry_run=False)
    assert jobs(engine) == LEFT
    with Session(engine) as session:
        kept = {one.content for one in session.scalars(select(CircuitRow))}
        assert kept == {b"paid" * 50, b"waiting" * 50, LOGICAL}
        assert len(session.scalars(select(ScoreRow)).all()) == len(LEFT)
        assert len(session.scalars(select(ObservableRow)).all()) == len(LEFT)
        assert len(session.scalars(select(Event)).all()) == len(LEFT)
        assert session.scalars(select(Order.digest)).all() == ["waited"]
        assert len(session.scalars(select(LedgerEntry)).all()) == 1
        assert len(session.scalars(select(Compilation)).all()) == 4
        # What is not decided yet can still be decided.
        pending = session.scalars(select(Candidate).where(Candidate.pending_native.is_not(None)))
        assert len(pending.all()) == 4


def test_without_an_age_only_circuits_go(engine):
    done = prune(engine, None, dry_run=False)
    assert evolve(done, freed_bytes=0) == Pruned(0, 0, 0, 3, 1, 0)
    assert jobs(engine) == ALL
