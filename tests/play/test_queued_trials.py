"""Measurements of a match as jobs: run here, handed to the queue, and what becomes of them."""

from datetime import timedelta
from functools import partial
from random import Random

import pytest
from attrs import asdict, evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from play.hosted.queued_trials import QueuedTrials, WaitingTrials, keys_of, seed_of
from play.match_log import Measurement
from play.oracle import BackendOracle, NotYetMeasuredError
from play.playable import playables
from play.trials import NotRunnableError, replay
from workers.clock import database_now
from workers.jobs.control import cancel, retry
from workers.jobs.without_queue import finish_job
from workers.records.tables import Job
from workers.settings import settings


@pytest.fixture(scope="module")
def match():
    """A match that waits for a measurement after others, of 0 or 1."""
    now = playables["six-nimmt"].start({"seats": 2, "seed": 3})
    random = Random(3)
    while len(now.known) < 2 or not now.awaited or len(now.chances()) < 2:
        if now.awaited:
            now = now.collapse(max(now.chances()))
            continue
        seat = now.to_move[0]
        plain = [move for move in now.legal_moves(seat) if move.endswith((" H", " hSwap"))]
        now = now.play(seat, random.choice(plain or list(now.legal_moves(seat))))
    return now


def queued(context, backend="sparse", nonce="0", **given):
    """Return trials of the queue, and the numbers of jobs of which workers are told."""
    tell = []
    trials = QueuedTrials(
        partial(Session, context.engine),
        context.settings,
        backend,
        7,
        keys_of(nonce, backend),
        tell.append,
        **given,
    )
    return trials, tell


def here(session, backend="sparse", nonce="0", progress=lambda _: None):
    """Return what runs trials in this process."""
    return QueuedTrials(
        partial(Session, session.get_bind()),
        settings(),
        backend,
        7,
        keys_of(nonce, backend),
        str,
        finish=partial(finish_job, progress=progress),
    )


def jobs(context):
    with Session(context.engine) as session:
        return list(session.scalars(select(Job).order_by(Job.id)))


def test_a_measurement_is_run_here(session, match):
    told = []
    run = here(session, progress=told.append)
    found = BackendOracle("sparse", 7, run).measured(match)
    (job,) = session.scalars(select(Job))
    assert (found.origin.how, found.origin.job) == (Measurement.SELECTED, job.id)
    assert job.tag == "play"
    assert (job.backend, job.shots, job.state) == ("sparse", found.origin.shots, "done")
    exact = float(match.chances()[found.outcomes])
    assert 0 < exact < 1
    assert 8 <= found.origin.agreeing <= found.origin.shots
    assert all(line.startswith("post-selected.qpy") for line in told)
    assert match.learnt(found).log[-1] == found


@pytest.fixture
def hasty(monkeypatch):
    """Settings by which a command looks again at once."""
    for name in ("LEASE", "POLL", "SETTLE", "BACKOFF", "OUTAGE_MOST"):
        monkeypatch.setenv(f"STICHWERK_{name}_SECONDS", "0.5")


def test_who_stops_and_goes_on_pays_once(session, context, match, hasty):
    """Ctrl-C while the provider has the job; then the match is loaded again."""

    def stops(line):
        if line.startswith("job "):
            raise KeyboardInterrupt

    context.provider.do_wrong("queue", 3)
    with pytest.raises(KeyboardInterrupt):
        BackendOracle(context.backend, 7, here(session, context.backend, progress=stops)).measured(
            match
        )
    (left,) = jobs(context)
    assert left.state == "at_provider"
    with Session(context.engine) as later:
        oracle = BackendOracle(context.backend, 7, here(later, context.backend))
        found = oracle.measured(match)
        assert (found.origin.how, found.origin.job) == (Measurement.AFRESH, left.id)
        # What is done is told again.
        assert oracle.measured(match) == found
    assert context.provider.accepted() == [left.key]
    with Session(context.engine) as later:
        again = BackendOracle(context.backend, 7, here(later, context.backend, "another"))
        assert again.measured(match).origin.job != left.id


def test_a_budget_of_its_tag_holds_for_what_is_run_here(session, context, match, monkeypatch):
    monkeypatch.setenv("STICHWERK_TAG_BUDGET_USD", "0.7")
    for nonce in ("0", "1"):
        run = here(session, context.backend, nonce)
        origin = BackendOracle(context.backend, 7, run).measured(match).origin
        assert origin.how is (Measurement.EXACT if nonce == "1" else Measurement.AFRESH)
    assert "of the budget of tag play, 0.7 USD, 0.6 USD are reserved" in origin.reason
    assert len(context.provider.accepted()) == 1


def test_a_measurement_goes_through_the_queue(context, match):
    run, told = queued(context)
    oracle = BackendOracle("sparse", 7, run)
    for _ in range(2):
        with pytest.raises(NotYetMeasuredError) as waiting:
            oracle.measured(match)
    (job,) = jobs(context)
    assert str(waiting.value) == f"job {job.id} on sparse (post-selected, 100 shots): queued"
    assert (told, job.tag, job.seed) == ([job.id], "play", seed_of(7, match))
    assert context.until(job.id).state == "done"
    found = oracle.measured(match)
    assert found.origin.job == job.id
    assert found == oracle.measured(match)
    assert len(jobs(context)) == 1


def test_the_seed_of_a_match_cannot_be_read_off_a_job(match):
    assert seed_of(7, match) != seed_of(8, match)
    assert seed_of(7, match) == seed_of(7, match)
    assert 0 <= seed_of(1 << 127, match) < 1 << 31


def test_a_job_that_was_cancelled_is_told(context, match):
    run, _ = queued(context)
    oracle = BackendOracle("sparse", 7, run)
    with pytest.raises(NotYetMeasuredError):
        oracle.measured(match)
    (job,) = jobs(context)
    context.control(cancel, job.id)
    found = oracle.measured(match)
    assert (found.origin.how, found.origin.reason) == (
        Measurement.EXACT,
        f"job {job.id} was cancelled",
    )
    assert not match.learnt(found).awaited
    # Somebody wants it after all.
    context.control(retry, job.id)
    context.until(job.id)
    assert oracle.measured(match).origin.how is Measurement.SELECTED


def test_a_job_that_takes_too_long_is_cancelled(context, match):
    run, _ = queued(context, seconds=120.0)
    oracle = BackendOracle("sparse", 7, run)
    with pytest.raises(NotYetMeasuredError):
        oracle.measured(match)
    (job,) = jobs(context)
    with Session(context.engine) as session:
        row = session.get_one(Job, job.id)
        row.created_at = database_now(session) - timedelta(seconds=121)
        session.commit()
    found = oracle.measured(match)
    assert found.origin.reason == f"job {job.id} was not done within 120 s"
    assert jobs(context)[0].state == "cancelled"


@pytest.mark.parametrize("kind", ["here", "queue"])
def test_a_backend_that_runs_no_such_circuit_says_so(session, context, match, kind):
    backend = context.backend
    run = here(session, backend) if kind == "here" else queued(context, backend)[0]
    with pytest.raises(NotRunnableError, match=r"does not support mid-circuit measurements"):
        run(match, replay(match.program().circuit, match.known))
    assert jobs(context) == []


@pytest.fixture(scope="module")
def board():
    """A board on a quantum computer, after three moves."""
    setup = {"seed": 3, "size": 9, "options": {"scheme": "cqc"}}
    now = playables["five-in-a-row"].start(setup)
    for number, move in enumerate(["S+ E5 F5", "E E5-E6 F5-F6", "T E6-D5 F6+G5,G7"]):
        now = now.play(number % 2, move)
    return now


EXACT = {"black_stones": 2, "white_stones": 1, "black_has_five": 0, "white_has_five": 0,
         "black_at_e5": 0.5, "black_at_g7": 0.25, "white_at_f6": 0.5}  # fmt: skip


def check_look(look, job):
    assert (look.job, look.shots, look.scores, look.reason) == (job.id, 1000, "raw", "")
    assert look.fidelity > 0.99
    seen = {one.name: one for one in look.seen}
    assert {name: seen[name].exact for name in EXACT} == EXACT
    for name, exact in EXACT.items():
        assert seen[name].measured == pytest.approx(exact, abs=0.07)
        assert seen[name].low <= seen[name].measured <= seen[name].high


def test_a_look_goes_through_the_queue(context, board):
    run, told = queued(context)
    oracle = BackendOracle("sparse", 7, run, run.look)
    for _ in range(2):
        with pytest.raises(NotYetMeasuredError, match=r"\(look, 1,000 shots\): queued"):
            oracle.seen(board)
    (job,) = jobs(context)
    assert (told, job.tag) == ([job.id], "play")
    context.until(job.id)
    check_look(oracle.seen(board), job)
    waiting = WaitingTrials(**asdict(run, recurse=False))
    assert BackendOracle("sparse", 7, waiting, waiting.look).seen(board) == oracle.seen(board)
    assert len(jobs(context)) == 1


def test_a_job_of_another_backend_is_not_taken(context, match):
    def same(*_):
        return "the-same"

    trials = [evolve(queued(context, backend)[0], key=same) for backend in ("sparse", "aer")]
    with pytest.raises(NotYetMeasuredError):
        BackendOracle("sparse", 7, trials[0]).measured(match)
    found = BackendOracle("aer", 7, trials[1]).measured(match)
    assert found.origin.how is Measurement.EXACT
    assert found.origin.reason == "job 1 was on sparse, not on aer"
