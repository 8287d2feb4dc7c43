"""What runs the circuits of a training, and what they have measured."""

from collections.abc import Sequence

from attrs import field, frozen

from games.training import Count, Counted, Say
from games.trick_taking.training.on_backends.shifts import Distribution
from games.trick_taking.training.tree import Floats
from games.trick_taking.weighted.layout import Layout
from games.trick_taking.weighted.toml import weighted_toml


@frozen(eq=False)
class Backend:
    """Runs the game with given weights, and counts what it was asked.

    Args:
        layout: the bits of the game.
        backend: the spec.
        shots: of each circuit.
        count: compiles and runs circuits.
        say: takes a line of progress.
    """

    layout: Layout
    backend: str
    shots: int
    count: Count
    say: Say
    jobs: list[int] = field(factory=list, init=False)
    gates: list[int] = field(factory=list, init=False)
    legal: list[int] = field(factory=list, init=False)

    def measure(self, asked: Sequence[Floats]) -> Sequence[Distribution]:
        """Return the shares of the legal values among the legal shots of each circuit."""
        return [
            self._shares(one)
            for one in self.count([weighted_toml(self.layout.tree, each) for each in asked])
        ]

    def _shares(self, ran: Counted) -> Distribution:
        self.jobs.append(ran.job)
        self.gates.append(ran.two_qubit_gates)
        kept = {bits: n for bits, n in ran.counts.items() if bits in self.layout.ends}
        self.legal.append(sum(kept.values()))
        return {bits: n / self.legal[-1] for bits, n in kept.items()}
