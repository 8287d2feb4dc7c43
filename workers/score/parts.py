"""Results of the parts of a suite."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pydantic import Field

from compiler.formats.circuit_files import read_qpy
from compiler.judge import enumerated
from compiler.scores.intervals import Interval, fidelity_interval, normal_quantile
from compiler.scores.machine_score import NOTHING, bounded, noise_fidelity, part_score
from compiler.scores.standard.benchmark import Figure, Run
from games.nonlocal_games.questions import WinRate, win_rate_of
from games.sources import read_game, read_program
from workers.attributes import attributes
from workers.compilation.compiling import source_of
from workers.records.tables import Job
from workers.score.suite import Outcome, Part, Strict, couplings_for
from workers.scoring import counts_of

EXACT = "exact"
SCORE = "score"


class PartFigure(Strict):
    """A number of a standard benchmark, and its standard error; None if that is unknown."""

    value: float
    uncertainty: float | None = Field(default=None, ge=0)


class ScoredPart(Strict):
    """Part of a score; figures of its run are None if it was not completed.

    The score is None if it does not count: the part was not completed, and the suite does not
    count that as 0, or the benchmark has no scale from 0 to 1.
    """

    name: str
    family: str
    weight: int
    outcome: str
    score: float | None = Field(ge=0, le=1)
    low: float | None = Field(ge=0, le=1)
    high: float | None = Field(ge=0, le=1)
    why: str = Field(max_length=4000)
    benchmark: str = ""
    figures: dict[str, PartFigure] = Field({})
    shots: int | None = None
    circuits: int | None = None
    hellinger_fidelity: float | None = Field(None, ge=0, le=1.000001)
    fidelity: float | None = None
    fidelity_low: float | None = None
    fidelity_high: float | None = None
    noise: float | None = Field(None, ge=0, lt=1)
    outcomes: int | None = None
    legal_fraction: float | None = None
    cards: int | None = None
    qubits: int | None = None
    input_two_qubit_gates: int | None = None
    two_qubit_gates: int | None = None
    two_qubit_depth: int | None = None
    verified: str | None = None
    native_digest: str | None = None
    jobs: list[int] = Field([])
    run_seconds: float | None = None

    @property
    def interval(self) -> Interval | None:
        """Score as it follows from the figures, with ends that may lie beyond 0 and 1.

        None for a part that has no score.
        """
        if self.outcome != Outcome.COMPLETED:
            return None if self.score is None else NOTHING
        if self.figures:
            score = self.figures.get(SCORE)
            return None if score is None else Figure(score.value, score.uncertainty).interval
        value, low, high, noise = (
            self.fidelity, self.fidelity_low, self.fidelity_high, self.noise
        )  # fmt: skip
        if value is None or low is None or high is None or noise is None:
            return NOTHING
        return part_score(Interval(value, low, high), noise)


def part_without_run(
    part: Part, why: str, outcome: Outcome = Outcome.UNSUPPORTED, *, counted: bool
) -> ScoredPart:
    """Return a part that was not completed.

    Args:
        part: of a suite.
        why: the reason.
        outcome: of the part.
        counted: whether it counts as 0.
    """
    return _scored(part, outcome, NOTHING if counted else None, why)


def completed_part(part: Part, jobs: Sequence[Job]) -> ScoredPart:
    """Return the result of a part whose jobs are all done."""
    digests = [job.compiled.native_digest for job in jobs]
    verified = [job.compiled.verified for job in jobs]
    inputs = [input_two_qubit_gates(job) for job in jobs]
    chosen = [job.compiled.chosen for job in jobs]
    seconds = [job.run_seconds for job in jobs if job.run_seconds is not None]
    common = {
        "shots": sum(job.shots for job in jobs),
        "circuits": len(jobs),
        "qubits": max(compilation.qubits or 0 for compilation in chosen),
        "input_two_qubit_gates": None if None in inputs else sum(gates or 0 for gates in inputs),
        "two_qubit_gates": sum(compilation.two_qubit_gates or 0 for compilation in chosen),
        "two_qubit_depth": max(compilation.two_qubit_depth or 0 for compilation in chosen),
        "verified": next((verdict for verdict in verified if verdict != EXACT), EXACT),
        "native_digest": digests[0]
        if len(jobs) == 1
        else sha256("".join(map(str, digests)).encode()).hexdigest(),
        "jobs": [job.id for job in jobs],
        "run_seconds": sum(seconds) if seconds else None,
    }
    if part.questions:
        return _questions_part(part, jobs, common)
    return (_program_part if part.standard is None else _benchmark_part)(part, jobs, common)


def _benchmark_part(part: Part, jobs: Sequence[Job], common: Mapping[str, Any]) -> ScoredPart:
    assert part.standard is not None
    # The first circuit of a provider job has the seconds of all.
    seconds = (0.0 if job.follows else job.usage_seconds for job in jobs)
    runs = [Run(counts_of(job), of) for job, of in zip(jobs, seconds, strict=True)]
    result = part.standard.figures(couplings_for(part.standard, jobs[0].target), runs)
    if not result.values:
        why = "the provider reports no seconds of the device"
        return _scored(part, Outcome.NOT_APPLICABLE, None, why, **common)
    figures = {**result.values, **({} if result.score is None else {SCORE: result.score})}
    return _scored(
        part,
        Outcome.COMPLETED,
        None if result.score is None else result.score.interval,
        figures={
            name: PartFigure(value=figure.value, uncertainty=figure.uncertainty)
            for name, figure in figures.items()
        },
        **common,
    )


def win_rate(jobs: Sequence[Job]) -> WinRate | None:
    """Return the win rate of jobs that are all questions of a nonlocal game, None of others."""
    sources = [source_of(job.compiled) for job in jobs]
    if any(source.is_circuit for source in sources):
        return None
    raw = [job.scored.get("raw") for job in jobs]
    undone = [job.scored.get("mitigated") for job in jobs]
    wins = [None if score is None else score.observables.get("win") for score in (*raw, *undone)]
    rates = [None if win is None else win.measured for win in wins]
    measured = [(rate or 0.0, job.shots) for rate, job in zip(rates, jobs, strict=False)]
    return win_rate_of([read_game(source) for source in sources], measured, rates[len(jobs) :])


def _questions_part(part: Part, jobs: Sequence[Job], common: Mapping[str, Any]) -> ScoredPart:
    """Return a nonlocal game's result: from 0, the classical bound, to 1, the quantum value."""
    won = win_rate(jobs)
    assert won is not None
    gap = won.quantum - won.bound
    half = (won.high - won.low) / 2 / normal_quantile()
    figures = {
        SCORE: PartFigure(value=(won.win_rate - won.bound) / gap, uncertainty=half / gap),
        "win_rate": PartFigure(value=won.win_rate, uncertainty=half),
        "classical_bound": PartFigure(value=won.bound),
        "sigmas": PartFigure(value=won.sigmas),
    }
    if won.mitigated is not None:
        figures["mitigated_win_rate"] = PartFigure(value=won.mitigated)
    score = Figure(figures[SCORE].value, figures[SCORE].uncertainty).interval
    return _scored(part, Outcome.COMPLETED, score, figures=figures, **common)


def _program_part(part: Part, jobs: Sequence[Job], common: Mapping[str, Any]) -> ScoredPart:
    (job,) = jobs
    compilation = job.compiled
    source = source_of(compilation)
    program = read_program(source, compilation.encoding)
    game = None if source.is_circuit else read_game(source)
    noise = noise_fidelity(program, None if game is None else game.outcome_bits)
    exact = None if program.judge is None else enumerated(program.judge)
    raw = job.scored.get("raw")
    assert raw is not None
    assert exact is not None
    assert noise is not None
    fidelity = fidelity_interval(program.outcomes(counts_of(job)), exact)
    return _scored(
        part,
        Outcome.COMPLETED,
        part_score(fidelity, noise),
        hellinger_fidelity=raw.hellinger_fidelity,
        fidelity=fidelity.value,
        fidelity_low=fidelity.low,
        fidelity_high=fidelity.high,
        noise=noise,
        outcomes=len(exact),
        legal_fraction=raw.legal_fraction,
        cards=None if game is None else game.axes.get("cards"),
        **common,
    )


def _scored(
    part: Part, outcome: Outcome, score: Interval | None, why: str = "", **figures: Any
) -> ScoredPart:
    ends = None if score is None else bounded(score)
    return ScoredPart(
        **attributes(("name", "family", "weight", "benchmark"), part),
        outcome=outcome.value,
        score=None if ends is None else ends.value,
        low=None if ends is None else ends.low,
        high=None if ends is None else ends.high,
        why=why,
        **figures,
    )


def input_two_qubit_gates(job: Job) -> int | None:
    """Return the gates on two qubits before lowering; None if larger ones are among them."""
    chosen = job.compiled.chosen
    if chosen.logical is None:
        return None
    sizes = [
        item.operation.num_qubits
        for item in read_qpy(chosen.logical, job.program).data
        if item.operation.name != "barrier"
    ]
    return sizes.count(2) if max(sizes, default=0) < 3 else None
