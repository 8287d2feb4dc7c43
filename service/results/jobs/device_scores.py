"""Tables of the scores of devices to which a job has led, and of their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.judge import SIGNIFICANT
from service.results.model import Table, share

LONG_HOURS = 48
"""Age of a calibration from which on it is shown in days."""


def machines_table(scores: Sequence[Mapping[str, Any]]) -> Table:
    """Return the scores of machines to which a job has led, each as one number.

    Args:
        scores: Their documents.
    """
    done = [sum(part["outcome"] == "completed" for part in score["parts"]) for score in scores]
    figures = ("score", "low", "high")
    return Table(
        "Scores of machines",
        ("backend", "suite", *figures, "nonlocal games", "complete", "parts completed",
         "calibrations"),
        [
            (score["backend"], score["suite"],
             *(score[name] if score["complete"] else None for name in figures),
             wins_words(score["parts"]) or None, score["complete"],
             f"{count} of {len(score['parts'])}",
             "; ".join(map(calibration_words, score.get("calibrations", ()))) or None)
            for score, count in zip(scores, done, strict=True)
        ],
    )  # fmt: skip


def parts_table(scores: Sequence[Mapping[str, Any]]) -> Table:
    """Return the parts of scores: outcome, score, figures, gates and proof."""
    return Table(
        "Parts of scores",
        ("backend", "part", "outcome", "score", "figures", "two-qubit gates before compiling",
         "two-qubit gates", "proof"),
        [
            (score["backend"], part["name"], part["outcome"], share(part["score"]),
             ", ".join(f"{name} {_measured(of)}" for name, of in part["figures"].items())
             .replace("_", " "),
             part["input_two_qubit_gates"], part["two_qubit_gates"], part["verified"])
            for score in scores
            for part in score["parts"]
        ],
    )  # fmt: skip


def wins_words(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the largest nonlocal game of each family that a machine wins; nothing without games.

    Args:
        parts: Of a score, the larger games of a family after the smaller ones.
    """
    played = [part for part in parts if "sigmas" in part["figures"]]
    won = {
        part["family"]: part for part in played if part["figures"]["sigmas"]["value"] >= SIGNIFICANT
    }
    if not won:
        return "classical bound not beaten" if played else ""
    sigmas = min(part["figures"]["sigmas"]["value"] for part in won.values())
    names = ", ".join(part["name"] for part in won.values())
    return f"beats every classical strategy, {sigmas:.1f} σ ({names})"


def _measured(figure: Mapping[str, Any]) -> str:
    error = figure["uncertainty"]
    return f"{figure['value']:.4g}" + (f" ± {error:.2g}" if error else "")


def calibration_words(calibration: Mapping[str, Any]) -> str:
    """Return time, age and the first digits of the digest of a calibration."""
    at = calibration["at"]
    of = "unknown time"
    if at is not None:
        hours = calibration["age_hours"]
        age = f"{hours:.1f} h" if hours < LONG_HOURS else f"{hours / 24:.0f} days"
        of = f"{at[:16].replace('T', ' ')} UTC, {age} old"
    return f"{of} ({calibration['digest'][:8]})"
