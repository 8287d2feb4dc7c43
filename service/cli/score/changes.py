"""What became of machines' scores since the run before, and whether that is certain."""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any

from attrs import frozen

from compiler.scores.intervals import normal_quantile
from compiler.scores.run_comparison import Change
from compiler.words.machine_names import machine_of
from workers.records.queries.comparisons import interval_text


@frozen
class ScoreChange:
    """The newest complete score of a machine against the one before.

    Args:
        new: the document of the newest one.
        old: that of the one before, of the same suite.
        change: their difference.
    """

    new: Mapping[str, Any]
    old: Mapping[str, Any]
    change: Change

    @property
    def machine(self) -> str:
        """What was scored, whatever its calibration."""
        return machine_of(self.new["backend"])

    @property
    def parts(self) -> tuple[int, int, int]:
        """How many parts both runs have played, by other circuits, and only one of them."""
        pairs = list(zip(self.new["parts"], self.old["parts"], strict=True))
        played = [[one["outcome"] == "played" for one in pair] for pair in pairs]
        both = [pair for pair, of in zip(pairs, played, strict=True) if all(of)]
        others = sum(new["native_digest"] != old["native_digest"] for new, old in both)
        return len(both), others, sum(any(of) and not all(of) for of in played)

    @property
    def told(self) -> str:
        """All of it in one sentence."""
        change, since = self.change, f"since run {self.old['run']}"
        size = change.difference
        if not change.significant:
            said = f"{self.machine}: no significant change {since}: {interval_text(change)}"
        else:
            verb = "gained" if size > 0 else "lost"
            ends = sorted((abs(change.low), abs(change.high)))
            said = f"{self.machine} {verb} {abs(size):.3f} ({ends[0]:.3f} to {ends[1]:.3f}) {since}"
        both, others, one_only = self.parts
        lone = f", {one_only} more {'was' if one_only == 1 else 'were'} played once only"
        return (
            f"{said}, "
            + (f"{others} of {both} circuits compiled otherwise" if others else "same circuits")
            + (lone if one_only else "")
        )

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        both, others, one_only = self.parts
        return {
            "machine": self.machine,
            "suite": self.new["suite"],
            "run": self.new["run"],
            "before": self.old["run"],
            "verdict": self.change.verdict,
            "difference": self.change.difference,
            "low": self.change.low,
            "high": self.change.high,
            "circuits": both,
            "other_circuits": others,
            "played_once": one_only,
            "told": self.told,
        }


def score_changes(scores: Sequence[Mapping[str, Any]]) -> list[ScoreChange]:
    """Return what became of each machine's score since its run before.

    A device of one's own is the same machine with another calibration. The intervals hold all
    together with 95 % (Bonferroni).

    Args:
        scores: documents of scores; those of one machine and suite in time.
    """
    runs: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in scores:
        if one["complete"]:
            runs.setdefault((one["suite"], machine_of(one["backend"])), []).append(one)
    pairs = [(own[-1], own[-2]) for own in runs.values() if len(own) > 1]
    return [
        ScoreChange(
            new,
            old,
            Change.within(
                new["score"] - old["score"], hypot(_deviation(new), _deviation(old)), len(pairs), 1
            ),
        )
        for new, old in pairs
    ]


def _deviation(score: Mapping[str, Any]) -> float:
    """Return the standard deviation of a score, by the wider side of its 95 % interval."""
    half = max(score["high"] - score["score"], score["score"] - score["low"])
    return float(half) / normal_quantile()
