"""Changes of machines' scores since the run before, and their significance."""

from collections.abc import Sequence
from math import hypot

from attrs import frozen

from compiler.scores.intervals import normal_quantile
from compiler.scores.run_comparison import Change
from compiler.words.machine_names import machine_of
from service.results.matches import MachineChange
from workers.records.queries.comparisons import interval_text
from workers.score.document import ScoreFile


@frozen
class ScoreChange:
    """The newest complete score of a machine against the one before.

    Args:
        new: the newest one.
        old: the one before, of the same suite.
        change: their difference.
    """

    new: ScoreFile
    old: ScoreFile
    change: Change

    @property
    def result(self) -> MachineChange:
        """All of it as a result, with a sentence."""
        pairs = list(zip(self.new.parts, self.old.parts, strict=True))
        played = [[part.outcome == "completed" for part in pair] for pair in pairs]
        both = [pair for pair, of in zip(pairs, played, strict=True) if all(of)]
        others = sum(new.native_digest != old.native_digest for new, old in both)
        once = sum(any(of) and not all(of) for of in played)
        circuits = f"{others} of {len(both)} circuits compiled otherwise"
        lone = f", {once} more {'was' if once == 1 else 'were'} played once only"
        machine = machine_of(self.new.backend)
        return MachineChange.from_objects(
            self.change,
            self.new,
            machine=machine,
            before=self.old.run,
            circuits=len(both),
            other_circuits=others,
            played_once=once,
            told=f"{machine}{_difference(self.change, self.old.run)}, "
            f"{circuits if others else 'same circuits'}{lone if once else ''}",
        )


def _difference(change: Change, before: str) -> str:
    size, since = change.difference, f"since run {before}"
    if not change.significant:
        return f": no significant change {since}: {interval_text(change)}"
    low, high = sorted((abs(change.low), abs(change.high)))
    return f" {'gained' if size > 0 else 'lost'} {abs(size):.3f} ({low:.3f} to {high:.3f}) {since}"


def score_changes(scores: Sequence[ScoreFile]) -> list[ScoreChange]:
    """Return the change of each machine's score since its run before.

    A user's own device is the same machine with another calibration. The intervals hold all
    together with 95 % (Bonferroni).

    Args:
        scores: of machines; those of one machine and suite in time.
    """
    runs: dict[tuple[str, str], list[ScoreFile]] = {}
    for score in scores:
        if score.complete:
            runs.setdefault((score.suite, machine_of(score.backend)), []).append(score)
    pairs = [(own[-1], own[-2]) for own in runs.values() if len(own) > 1]
    return [
        ScoreChange(
            new,
            old,
            Change.within(
                new.score - old.score, hypot(_deviation(new), _deviation(old)), len(pairs), 1
            ),
        )
        for new, old in pairs
    ]


def _deviation(score: ScoreFile) -> float:
    """Return the standard deviation of a score, by the wider side of its 95 % interval."""
    return max(score.high - score.score, score.score - score.low) / normal_quantile()
