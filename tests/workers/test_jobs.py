"""The rows that a job leaves behind."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from backends import BackendError, backend_from_spec
from backends.sparse import SparseBackend
from compiler.errors import InputError
from compiler.games.toml import game_from_toml
from workers.jobs import (
    MAX_SHOTS,
    check_shots,
    collect,
    counts_of,
    create_job,
    run_job,
    score_job,
    submit,
)
from workers.records import Job, ScoreRow


@pytest.fixture
def game(toy):
    return game_from_toml(toy.content.decode(), toy.name)


def test_a_job_goes_from_state_to_state(session, compiled, toy, game):
    backend = backend_from_spec("sparse")
    job = create_job(session, compiled(toy), "sparse", 600, 3)
    assert (job.state, job.provider_id, job.counts) == ("created", None, None)
    assert submit(session, job, backend).state == "submitted"
    assert job.provider_id == job.key
    assert job.estimated_cost_usd == "0"
    assert job.run_seconds > 0
    assert collect(session, job, backend).state == "collected"
    assert sum(counts_of(job).values()) == 600
    assert counts_of(job).keys() == game.exact_distribution().keys()
    assert score_job(session, job).state == "done"
    assert job.created_at <= job.submitted_at <= job.finished_at
    assert job.finished_at - job.created_at < timedelta(hours=1)
    scores = {row.kind: row for row in session.scalars(select(ScoreRow))}
    assert scores.keys() == {"raw", "post_selected"}
    assert {row.job_id for row in scores.values()} == {job.id}
    wins = sum(n for outcome, n in counts_of(job).items() if game.is_win(outcome))
    assert scores["raw"].p_win == scores["post_selected"].p_win == wins / 600
    assert scores["raw"].p_win_exact == pytest.approx(float(game.p_win()))


def test_no_legal_shot_leaves_the_raw_score_alone(session, compiled, toy, game):
    job = create_job(session, compiled(toy), "broken", 10, 0)
    illegal = next(outcome for outcome in range(64) if not game.is_legal(outcome))
    job.counts = {str(illegal): 10}
    score_job(session, job)
    (row,) = job.scores
    assert row.kind == "raw"
    assert (row.hellinger_fidelity, row.legal_fraction, row.p_win) == (0, 0, 0)
    assert row.tvd == pytest.approx(1)
    assert row.points is None


def test_a_circuit_has_no_scores(session, compiled, ghz):
    backend = backend_from_spec("sparse")
    job = submit(session, create_job(session, compiled(ghz), "sparse", 50, 0), backend)
    score_job(session, collect(session, job, backend))
    assert job.state == "done"
    assert job.scores == []


class Counting(SparseBackend):
    """Remembers how often it really ran something."""

    def __init__(self):
        super().__init__("")
        self.runs = 0

    def run(self, job):
        self.runs += 1
        return super().run(job)


def test_a_job_that_was_submitted_is_found_and_not_run_again(session, compiled, ghz):
    backend = Counting()
    job = submit(session, create_job(session, compiled(ghz), "counting", 50, 0), backend)
    first = job.provider_id
    assert submit(session, job, backend).provider_id == first
    assert backend.runs == 1
    other = create_job(session, job.compilation, "counting", 50, 0)
    assert other.key != job.key
    submit(session, other, backend)
    assert backend.runs == 2


class Refusing(SparseBackend):
    """Refuses every job."""

    def run(self, job):
        raise BackendError("the machine is down")


def test_a_refused_job_is_recorded_as_failed(session, compiled, ghz):
    job = create_job(session, compiled(ghz), "refusing", 50, 0)
    with pytest.raises(BackendError, match="the machine is down"):
        submit(session, job, Refusing(""))
    row = session.scalars(select(Job)).one()
    assert (row.state, row.error) == ("failed", "the machine is down")
    assert row.finished_at >= row.submitted_at
    assert row.counts is None


@pytest.mark.parametrize("shots", [1, MAX_SHOTS])
def test_shots_that_can_be_run(shots):
    check_shots(shots)


@pytest.mark.parametrize("shots", [-1, 0, MAX_SHOTS + 1])
def test_shots_that_cannot(shots):
    with pytest.raises(InputError, match=f"shots = {shots}:"):
        check_shots(shots)


def test_noisy_counts_are_scored_with_readout_errors_undone_too(session, compiled, toy):
    compilation = compiled(toy, "heavy-hex:torino")
    noisy = run_job(session, compilation, "aer:torino", 2000, 5)
    scores = {row.kind: row for row in noisy.scores}
    assert list(scores) == ["raw", "post_selected", "mitigated", "mitigated_post_selected"]
    assert scores["mitigated"].hellinger_fidelity > scores["raw"].hellinger_fidelity
    assert scores["mitigated"].legal_fraction > scores["raw"].legal_fraction
    exact = run_job(session, compilation, "sparse", 100, 5)
    assert [row.kind for row in exact.scores] == ["raw", "post_selected"]
