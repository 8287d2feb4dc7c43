"""What trainings on backends have come to, for programs and for people."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from games.playing.panels import Cell, Grid, Panel
from games.trick_taking.training import document as plain
from games.trick_taking.training.learning import Look
from games.trick_taking.training.on_backends.looks import Learned
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.response import gains
from games.trick_taking.training.result import Training
from games.trick_taking.training.tree import Tree


@frozen(eq=False)
class Measured:
    """Trainings of the same weights, the last of them shown in full.

    Args:
        tree: the game.
        wanted: what each of them is.
        shots: of each circuit.
        seed: of the first circuit of each backend.
        learned: one without a backend, then one for each backend.
    """

    tree: Tree
    wanted: Wanted
    shots: int
    seed: int
    learned: Sequence[Learned]

    @property
    def training(self) -> Training:
        """The last one."""
        tree, wanted = self.tree, self.wanted
        looks = [
            Look(one.step, one.chances, one.won, gains(tree, one.chances))
            for one in self.learned[-1].looks
        ]
        return Training(
            tree, wanted.objective, wanted.seat, wanted.steps, self.seed, looks, wanted.start
        )


def document(measured: Measured) -> dict[str, Any]:
    """Return the result as JSON has it; `measured` is P(win) among the legal shots."""
    return {
        **plain.document(measured.training),
        "shots": measured.shots,
        "backends": [_entry(measured.tree, one) for one in measured.learned],
    }


def _entry(tree: Tree, one: Learned) -> dict[str, Any]:
    return {
        "backend": one.backend,
        "angles": one.angles,
        "circuits": one.circuits,
        "jobs": None if one.jobs is None else list(one.jobs),
        "two_qubit_gates": one.two_qubit_gates,
        "legal_fraction": one.legal,
        "p_win": one.last.won,
        "training": [
            {
                "step": look.step,
                "p_win": look.won,
                "gains": list(gains(tree, look.chances)),
                "measured": look.measured,
                **dict(zip(("low", "high"), one.interval(look), strict=True)),
            }
            for look in one.looks
        ],
    }


def panels(measured: Measured) -> Sequence[Panel]:
    """Return the result for people."""
    first, *rest = plain.panels(measured.training)
    columns = (
        "gradients from", "circuits", "jobs", "CZ", "legal", "P(win), exact", "measured, 95 %"
    )  # fmt: skip
    rows = [[Cell(text) for text in _row(one)] for one in measured.learned]
    return [first, Grid(f"After {measured.wanted.steps} steps", columns, rows), *rest]


def _row(one: Learned) -> list[str]:
    if one.jobs is None:
        return ["the tree", "", "", "", "", f"{one.last.won:.6f}", ""]
    low, high = one.interval(one.last)
    return [
        one.backend,
        f"{one.circuits}",
        f"{one.jobs[0]} to {one.jobs[1]}",
        f"{one.two_qubit_gates}",
        f"{one.legal:.3f}",
        f"{one.last.won:.6f}",
        f"{one.last.measured:.3f} ({low:.3f} to {high:.3f})",
    ]
