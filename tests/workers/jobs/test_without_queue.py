"""Jobs that a command runs by itself."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from backends import BackendError
from games.toml import game_from_toml
from workers.jobs.without_queue import run_job
from workers.records.tables import Event, Job, ScoreRow
from workers.scoring import counts_of, scored


@pytest.fixture
def game(toy):
    return game_from_toml(toy.content.decode(), toy.name)


def test_a_job_goes_from_state_to_state(session, compiled, toy, game):
    job = run_job(session, compiled(toy), "sparse", 600, 3)
    states = [event.state for event in session.scalars(select(Event).order_by(Event.id))]
    assert states == ["running", "scoring", "done"]
    assert job.estimated_cost_usd is None
    assert job.run_seconds > 0
    assert sum(counts_of(job).values()) == 600
    assert counts_of(job).keys() == game.exact_distribution().keys()
    assert job.created_at <= job.finished_at
    assert job.finished_at - job.created_at < timedelta(hours=1)
    assert (job.lease_owner, job.lease_until, job.due_at) == (None, None, None)
    scores = {row.kind: row for row in session.scalars(select(ScoreRow))}
    assert scores.keys() == {"raw", "post_selected"}
    assert {row.job_id for row in scores.values()} == {job.id}
    wins = sum(n for outcome, n in counts_of(job).items() if game.is_win(outcome))
    win = {kind: score.observables["win"] for kind, score in job.scored.items()}
    assert win["raw"].measured == win["post_selected"].measured == wins / 600
    assert win["raw"].exact == pytest.approx(float(game.average("win")))


def test_no_legal_shot_leaves_the_raw_score_alone(session, compiled, toy, game):
    illegal = next(outcome for outcome in range(64) if not game.is_legal(outcome))
    job = run_job(session, compiled(toy), "sparse", 10, 0)
    job.counts = {str(illegal): 10}
    (row,) = scored(job)
    assert row.kind == "raw"
    assert (row.hellinger_fidelity, row.legal_fraction) == (0, 0)
    assert [(one.name, one.measured) for one in row.observables] == [("win", 0), ("points", None)]
    assert row.tvd == pytest.approx(1)


def test_a_refused_job_is_recorded_as_failed(session, compiled, ghz, context):
    context.provider.do_wrong("refuse")
    with pytest.raises(BackendError, match="no such gate"):
        run_job(session, compiled(ghz), context.backend, 50, 0)
    row = session.scalars(select(Job)).one()
    assert (row.state, row.error) == ("failed", "no such gate")
    assert row.counts is None
    assert row.estimated_cost_usd is None


def test_a_providers_job_is_waited_for_without_a_queue(session, compiled, ghz, context):
    context.provider.do_wrong("queue", 2)
    said = []
    job = run_job(session, compiled(ghz), context.backend, 50, 0, progress=said.append)
    assert (job.state, sum(counts_of(job).values())) == ("done", 50)
    assert context.provider.accepted() == [job.key]
    assert said[0] == f"job {job.id}: at provider"
    assert f"job {job.id}: at provider, number 7 in its queue" in said


def test_what_earlier_jobs_cost_is_asked_for_before_another_is_run(context, session, compiled, ghz):
    first = run_job(session, compiled(ghz), context.backend, 50, 0)
    assert (first.state, first.charged_microusd) == ("done", None)
    first_id, due = first.id, first.charge_due_at - timedelta(hours=1)
    session.connection().execute(update(Job).where(Job.id == first_id).values(charge_due_at=due))
    session.commit()
    (context.provider.folder / "charge").write_text("0.20")
    second = run_job(session, compiled(ghz), context.backend, 50, 0)
    charged = [context.job(job_id).charged_microusd for job_id in (first_id, second.id)]
    assert charged == [200_000, 200_000]


def test_who_waits_for_a_job_asks_a_provider_that_is_away_more_and_more_rarely(
    session, compiled, ghz, context, monkeypatch
):
    pauses = []
    monkeypatch.setattr("workers.jobs.without_queue.sleep", pauses.append)
    context.provider.do_wrong("no-fence", 12)
    job = run_job(session, compiled(ghz), context.backend, 50, 0)
    assert (job.state, job.asks) == ("done", 1)
    assert pauses[:12] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
