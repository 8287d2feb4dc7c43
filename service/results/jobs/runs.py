"""Results of runs: counts, outcomes and scores of a job's counts."""

from collections.abc import Mapping, Sequence
from typing import Literal, Self

from service.results.jobs.compilations import CompilationResult
from service.results.model import ResultModel, Usd
from workers.records.tables import Job


class Observable(ResultModel):
    """Observable of a score."""

    kind: str
    """event: a probability; number: a mean over the legal shots"""
    measured: float | None
    low: float | None
    """Lower end of the 95 % interval"""
    high: float | None
    exact: float | None
    """Exact value; null if the distribution is too large"""
    bound: float | None = None
    """Largest probability without entanglement"""
    sigmas: float | None = None
    """Excess of the counts over the bound, in standard deviations"""


class Score(ResultModel):
    """Score of a job's counts."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    tvd: float | None
    legal_fraction: float
    observables: Mapping[str, Observable]
    """Observables by name, such as win and points"""


class SelectedScore(Score):
    """Score of all counts, beside that of the legal ones."""

    post_selected: Score | None


def scores_of(job: Job) -> dict[str, Score]:
    """Return a job's scores by kind; none before it is scored, and none without a reference."""
    return {kind: Score.from_objects(score) for kind, score in job.scored.items()}


def selected(scores: Mapping[str, Score], kind: str, legal: str) -> SelectedScore | None:
    """Return the score of a kind beside that of the legal counts; None before it is scored."""
    if kind not in scores:
        return None
    return SelectedScore.from_objects(scores[kind], post_selected=scores.get(legal))


class Measurement(ResultModel):
    """Counts of a job."""

    counts: Mapping[str, int]
    """Shots by bitstring, classical bit 0 on the right, no spaces between registers"""
    registers: Mapping[str, Sequence[int]]
    """Bit numbers of each classical register, its bit 0 first"""
    outcomes: Mapping[str, int] | None
    """Shots by outcome of the game, or illegal; null for circuits"""
    backend: str
    shots: int
    unscored: str | None
    """Reason why the counts have no scores"""


class JobCounts(Measurement):
    """Counts and scores of a job, without its compilation."""

    id: int
    program: str
    target: str
    scores: Mapping[str, Score]
    """Scores by kind: raw, post_selected, …"""


class ScoredMeasurement(Measurement):
    """Counts, scores and costs of a job."""

    job: int
    scores: SelectedScore | None
    mitigated_scores: SelectedScore | None
    """Score after correction of readout errors"""
    estimated_cost_usd: Usd
    run_seconds: float | None


class JobResult(CompilationResult, ScoredMeasurement, commands="result"):
    """Counts and scores of a job, and its compilation."""

    @classmethod
    def of_job(cls, job: Job, **fields: object) -> Self:
        """Return the result of a job that is done.

        Args:
            job: With counts.
            fields: Of a subclass.
        """
        from compiler.measurement import bitstrings, registers_of
        from games.sources import read_program
        from workers.compilation.compiling import source_of
        from workers.scoring import counts_of

        program = read_program(source_of(job.compiled), job.compiled.encoding)
        counts, scores = counts_of(job), scores_of(job)
        return cls.of(
            job.compiled,
            job,
            counts=bitstrings(counts, program.circuit.num_clbits),
            registers=registers_of(program.circuit),
            outcomes=program.named_outcomes(counts),
            job=job.id,
            scores=selected(scores, "raw", "post_selected"),
            mitigated_scores=selected(scores, "mitigated", "mitigated_post_selected"),
            estimated_cost_usd=job.estimated_cost_usd or 0,
            **fields,
        )


class Interval(ResultModel):
    """Value with its 95 % interval."""

    measured: float | None
    low: float | None
    high: float | None


class MitigatedRun(ResultModel):
    """Run of a mitigation."""

    job: int
    decoupling: bool
    twirling: bool
    noise: int
    """Factor by which the noise of the gates is amplified"""
    shots: int
    cost_usd: Usd | None


class ExtraRuns(ResultModel):
    """Circuits and shots beyond the raw run."""

    circuits: int
    shots: int
    cost_usd: Usd | None


class MitigatedFidelity(ResultModel):
    """Normalised fidelity of the raw and of the treated run."""

    raw: float | None
    treated: float | None


class MitigatedObservable(ResultModel):
    """Raw and mitigated values of an observable; null if not requested."""

    kind: str
    exact: float | None
    raw: Interval | None
    treated: Interval | None
    """With decoupling or twirling"""
    extrapolated: Interval | None
    """By zero-noise extrapolation"""


class MitigationResult(ResultModel):
    """Raw and mitigated values of a run."""

    methods: Sequence[Literal["dd", "twirling", "zne"]]
    runs: Sequence[MitigatedRun]
    extra: ExtraRuns
    extrapolated_from: Literal["raw", "mitigated"] | None
    normalized_fidelity: MitigatedFidelity
    observables: Mapping[str, MitigatedObservable]


class WinRateResult(ResultModel):
    """Win rate of all questions of a nonlocal game together."""

    game: str
    wins: int
    shots: int
    win_rate: float
    low: float
    """Lower end of the 95 % interval"""
    high: float
    mitigated: float | None
    """After correction of readout errors; without a p-value"""
    quantum: float
    """Win rate of the quantum strategy without noise"""
    bound: float
    """Largest win rate of classical players"""
    sigmas: float
    """Excess over the bound, by a martingale"""
    beats: bool


class RunResult(JobResult, commands="run"):
    """Result of a run, and of its mitigation."""

    mitigation: MitigationResult | None
    runs: Sequence[JobResult] = ()
    """All runs, one for each set of parameter values or question, this run first; empty for a
    single run"""
    win_rate: WinRateResult | None = None


class BenchResult(ResultModel, commands="bench"):
    """Suite that was compiled, run and scored."""

    suite: str
    seconds: float
    processes: int
    database: str
    report: str
    """Path of the report"""
    peak_memory_gib: float
    """Maximum memory of one process"""
    compilations: Sequence[CompilationResult]
    jobs: Sequence[JobResult]
