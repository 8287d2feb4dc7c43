"""What came of the parts of a suite."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from backends import LocalBackend, backend_from_spec
from compiler.judge import enumerated
from compiler.scores.intervals import Interval, fidelity_interval
from compiler.scores.machine_score import NOTHING, bounded, noise_fidelity, part_score
from games.sources import read_game, read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Job
from workers.score.suite import Part, Strict
from workers.scoring import counts_of


class Outcome(StrEnum):
    """What came of a part."""

    PLAYED = "played"
    UNSUPPORTED = "unsupported"
    """The backend does not take it, for what it does or for its size: this counts as 0."""
    FAILED = "failed"
    """It was lost on the way: the score is not complete before it has run again."""


class ScoredPart(Strict):
    """Part of a score; figures of its run are None if it was not played."""

    name: str
    family: str
    weight: int
    outcome: str
    score: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    why: str = Field(max_length=4000)
    shots: int | None = None
    hellinger_fidelity: float | None = Field(None, ge=0, le=1.000001)
    fidelity: float | None = None
    fidelity_low: float | None = None
    fidelity_high: float | None = None
    noise: float | None = Field(None, ge=0, lt=1)
    outcomes: int | None = None
    legal_fraction: float | None = None
    cards: int | None = None
    qubits: int | None = None
    two_qubit_gates: int | None = None
    two_qubit_depth: int | None = None
    verified: str | None = None
    native_digest: str | None = None
    job: int | None = None
    run_seconds: float | None = None

    @property
    def interval(self) -> Interval:
        """Its score, as it follows from the fidelity; the ends may lie beyond 0 and 1."""
        value, low, high, noise = (
            self.fidelity, self.fidelity_low, self.fidelity_high, self.noise
        )  # fmt: skip
        if self.outcome != Outcome.PLAYED or value is None or low is None or high is None:
            return NOTHING
        return NOTHING if noise is None else part_score(Interval(value, low, high), noise)


def unplayed(part: Part, why: str, outcome: Outcome = Outcome.UNSUPPORTED) -> ScoredPart:
    """Return a part that was not played."""
    return _scored(part, outcome, NOTHING, why)


def played(part: Part, job: Job) -> ScoredPart:
    """Return the score of a part whose job is done."""
    compilation, chosen = job.compiled, job.compiled.chosen
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
        Outcome.PLAYED,
        part_score(fidelity, noise),
        shots=raw.shots,
        hellinger_fidelity=raw.hellinger_fidelity,
        fidelity=fidelity.value,
        fidelity_low=fidelity.low,
        fidelity_high=fidelity.high,
        noise=noise,
        outcomes=len(exact),
        legal_fraction=raw.legal_fraction,
        cards=None if game is None else game.axes.get("cards"),
        qubits=chosen.qubits,
        two_qubit_gates=chosen.two_qubit_gates,
        two_qubit_depth=chosen.two_qubit_depth,
        verified=compilation.verified,
        native_digest=compilation.native_digest,
        job=job.id,
        run_seconds=job.run_seconds,
    )


def _scored(
    part: Part, outcome: Outcome, score: Interval, why: str = "", **figures: Any
) -> ScoredPart:
    ends = bounded(score)
    return ScoredPart(
        name=part.name,
        family=part.family,
        weight=part.weight,
        outcome=outcome.value,
        score=ends.value,
        low=ends.low,
        high=ends.high,
        why=why,
        **figures,
    )


def lost(backend: str) -> Outcome:
    """Return what has become of a part whose job has failed on a backend.

    What a simulator does not get through it will never get through; a provider's machine may.
    """
    local = isinstance(backend_from_spec(backend), LocalBackend)
    return Outcome.UNSUPPORTED if local else Outcome.FAILED
