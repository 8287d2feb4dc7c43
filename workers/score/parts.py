"""What came of the parts of a suite."""

from enum import StrEnum
from typing import Any

from attrs import frozen

from backends import LocalBackend, backend_from_spec
from compiler.judge import enumerated
from compiler.scores.intervals import Interval, fidelity_interval
from compiler.scores.machine_score import NOTHING, bounded, noise_fidelity, part_score
from games.sources import read_game, read_program
from workers.compilation.compiling import source_of
from workers.records.tables import Job
from workers.score.suite import Part
from workers.scoring import counts_of


class Outcome(StrEnum):
    """What came of a part."""

    PLAYED = "played"
    UNSUPPORTED = "unsupported"
    """The backend does not take it, for what it does or for its size: this counts as 0."""
    FAILED = "failed"
    """It was lost on the way: the score is not complete before it has run again."""


@frozen
class PlayedPart:
    """A part and its score.

    Args:
        part: of the suite.
        outcome: what came of it.
        score: 1 for the exact distribution, 0 for noise; its ends may lie beyond.
        why: it was not played.
        figures: what else is known of its run, by name.
    """

    part: Part
    outcome: Outcome
    score: Interval
    why: str
    figures: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return it for a result's file."""
        score = bounded(self.score)
        return {
            "name": self.part.name,
            "family": self.part.family,
            "weight": self.part.weight,
            "outcome": self.outcome.value,
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "why": self.why,
            **self.figures,
        }


FIGURES = (
    "shots", "hellinger_fidelity", "fidelity", "fidelity_low", "fidelity_high", "noise",
    "outcomes", "legal_fraction", "cards", "qubits", "two_qubit_gates", "two_qubit_depth",
    "verified", "native_digest", "job", "run_seconds",
)  # fmt: skip
"""What is told of the run of a part; all None if there was none."""


def unplayed(part: Part, why: str, outcome: Outcome = Outcome.UNSUPPORTED) -> PlayedPart:
    """Return a part that was not played."""
    return PlayedPart(part, outcome, NOTHING, why, dict.fromkeys(FIGURES))


def played(part: Part, job: Job) -> PlayedPart:
    """Return the score of a part whose job is done."""
    compilation, chosen = job.compiled, job.compiled.chosen
    source = source_of(compilation)
    program = read_program(source, compilation.encoding)
    game = None if source.is_circuit else read_game(source)
    noise = noise_fidelity(program, None if game is None else game.outcome_bits)
    exact = None if program.judge is None else enumerated(program.judge)
    raw = next(score for score in job.scores if score.kind == "raw")
    assert exact is not None
    assert noise is not None
    found = fidelity_interval(program.outcomes(counts_of(job)), exact)
    return PlayedPart(
        part,
        Outcome.PLAYED,
        part_score(found, noise),
        "",
        {
            "shots": raw.shots,
            "hellinger_fidelity": raw.hellinger_fidelity,
            "fidelity": found.value,
            "fidelity_low": found.low,
            "fidelity_high": found.high,
            "noise": noise,
            "outcomes": len(exact),
            "legal_fraction": raw.legal_fraction,
            "cards": None if game is None else game.axes.get("cards"),
            "qubits": chosen.qubits,
            "two_qubit_gates": chosen.two_qubit_gates,
            "two_qubit_depth": chosen.two_qubit_depth,
            "verified": compilation.verified,
            "native_digest": compilation.native_digest,
            "job": job.id,
            "run_seconds": job.run_seconds,
        },
    )


def lost(backend: str) -> Outcome:
    """Return what has become of a part whose job has failed on a backend.

    What a simulator does not get through it will never get through; a provider's machine may.
    """
    local = isinstance(backend_from_spec(backend), LocalBackend)
    return Outcome.UNSUPPORTED if local else Outcome.FAILED
