"""What an estimate is going to take: what is expected, and what it never goes beyond."""

from attrs import frozen

from compiler.estimation import Counting, Estimate, Estimator
from compiler.words.plurals import how_many


@frozen
class Expected:
    """What is expected of an estimate, by a rehearsal without noise.

    Args:
        rounds: how often a circuit is run.
        circuits: how many different ones there are.
        shots: of all rounds.
        calls: of the program or its inverse.
        deepest: the most iterates of a circuit.
    """

    rounds: int
    circuits: int
    shots: int
    calls: int
    deepest: int

    @classmethod
    def of(cls, rehearsed: Estimate) -> "Expected":
        """Return what a rehearsal took."""
        return cls(
            len(rehearsed.rounds),
            rehearsed.circuits,
            rehearsed.shots,
            rehearsed.calls,
            rehearsed.deepest,
        )


@frozen
class Plan:
    """What an estimate is going to take.

    Args:
        expected: by a rehearsal; all of it where nothing depends on what is counted.
        most_shots: after which it ends, whatever is counted.
        most_iterates: that a circuit may have.
    """

    expected: Expected
    most_shots: int
    most_iterates: int

    @classmethod
    def of(cls, asking: Estimator | Counting) -> "Plan":
        """Return the plan of an estimate; of quantum counting nothing is open."""
        if isinstance(asking, Counting):
            iterates, shots = (1 << asking.bits) - 1, asking.shots
            return cls(Expected(1, 1, shots, shots * (2 * iterates + 1), iterates), shots, iterates)
        return cls(Expected.of(asking.rehearsed()), asking.most_shots, asking.most_iterates)

    @property
    def most_calls(self) -> int:
        """Calls that it never goes beyond."""
        return self.most_shots * (2 * self.most_iterates + 1)

    def told(self) -> str:
        """Return it as people read it."""
        one = self.expected
        if one.calls == self.most_calls:
            return (
                f"planned: 1 circuit of {how_many(one.deepest, 'iterate')}, "
                f"{how_many(one.shots, 'shot')}, {how_many(one.calls, 'call')} of the program"
            )
        return (
            f"planned: about {how_many(one.rounds, 'round')} of "
            f"{how_many(one.circuits, 'circuit')}, the deepest of about "
            f"{how_many(one.deepest, 'iterate')}, about {how_many(one.shots, 'shot')} and "
            f"{how_many(one.calls, 'call')} of the program; with noise or bad luck more, but "
            f"never beyond {how_many(self.most_shots, 'shot')} and "
            f"{how_many(self.most_iterates, 'iterate')}"
        )
