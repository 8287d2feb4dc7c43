"""The rows that the stages leave behind."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from backends import BackendError, backend_from_spec
from backends.sparse import SparseBackend
from compiler.circuit_files import circuit_from_qpy
from compiler.errors import InputError, TargetError
from compiler.games.toml import game_from_toml
from compiler.lowering import pipelines
from compiler.targets import target_from_spec
from workers.provenance import revision, versions
from workers.records import Candidate, Compilation, Job, ScoreRow
from workers.stages import (
    MAX_SHOTS,
    CompileOrder,
    check_shots,
    collect,
    compile_program,
    counts_of,
    create_job,
    plan,
    run_job,
    score_job,
    source_of,
    submit,
    verify_compilation,
)


@pytest.fixture
def game(toy):
    return game_from_toml(toy.content.decode(), toy.name)


def test_every_candidate_is_kept_and_one_is_chosen(session, compiled, ghz):
    compilation = compiled(ghz, "star:4:iqm", "literal")
    candidates = session.scalars(select(Candidate)).all()
    assert candidates == compilation.candidates
    tried = [(one.synthesis, one.pipeline, one.seed) for one in candidates]
    assert len(set(tried)) == len(tried) > 4
    target = target_from_spec("star:4:iqm")
    assert {pipeline for _, pipeline, _ in tried} == {
        name for name, pipeline in pipelines.items() if pipeline.suits(target)
    }
    assert {one.verified for one in candidates} == {"exact"}
    (chosen,) = [one for one in candidates if one.chosen]
    assert chosen is compilation.chosen
    assert chosen.two_qubit_gates == min(one.two_qubit_gates for one in candidates)
    assert [one.native is not None for one in candidates] == [one.chosen for one in candidates]
    native = circuit_from_qpy(chosen.native, "native")
    assert sum(len(item.qubits) == 2 for item in native.data) == chosen.two_qubit_gates
    assert all(one.lower_seconds > 0 and one.verify_seconds > 0 for one in candidates)
    assert all(len(one.final_layout) == 3 for one in candidates)


def test_attempts_beyond_the_time_limit_are_not_begun(session, ghz):
    checked = plan(CompileOrder(ghz, "star", "literal", time_limit=0.0))
    compilation = compile_program(session, checked, None, lambda _: None)
    verify_compilation(session, compilation, None, lambda _: None)
    begun, *others = compilation.candidates
    assert begun.chosen
    assert begun.verified == "exact"
    assert others
    assert {one.verified for one in others} == {"failed"}
    assert {one.detail for one in others} == {"not begun: the time limit had passed"}


def test_a_compilation_says_where_it_comes_from(session, compiled, toy):
    compilation = session.get_one(Compilation, compiled(toy).id)
    assert source_of(compilation) == toy
    assert compilation.source_digest == toy.digest
    assert compilation.target == "all:16"
    assert (compilation.method, compilation.encoding) == ("fast", "paper")
    assert compilation.program_verified == compilation.verified == "exact"
    assert compilation.versions == versions()
    assert compilation.revision == revision()
    assert compilation.compile_seconds > 0


def test_a_circuit_is_its_own_measure(compiled, ghz):
    compilation = compiled(ghz)
    assert compilation.program_verified == "given"
    assert compilation.encoding == "none"
    assert compilation.verified == "exact"


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


def test_a_plan_fills_in_the_size(toy, ghz):
    assert plan(CompileOrder(toy, "star::cz", "fast")).target == "star:16:cz"
    assert plan(CompileOrder(ghz, "all", "fast")).target == "all:3"
    with pytest.raises(TargetError, match=r"toy\.toml needs 16 qubits, target 'star:15' has 15"):
        plan(CompileOrder(toy, "star:15", "fast"))


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
