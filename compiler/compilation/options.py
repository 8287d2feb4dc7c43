"""Options of a compilation, besides the program and the target."""

from typing import Any

from attrs import Attribute, asdict, evolve, field, frozen

from compiler.errors import InputError, meant
from compiler.lowering.pipeline import BUDGET, OBJECTIVES, SEEDS


def check_objective(objective: str) -> None:
    """Refuse an objective.

    Raises:
        InputError: if there is no such objective.
    """
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, OBJECTIVES)}")


def _check_objective(_: object, __: "Attribute[str]", objective: str) -> None:
    check_objective(objective)


@frozen
class Options:
    """Options of a compilation.

    Args:
        method: `fast`, `best` or a synthesis method.
        objective: to be minimised by the portfolio.
        seed: the first seed.
        pipelines: names of the pipelines to use; none for those that the method stands for.
        seeds: how many seeds each seeded pipeline tries; one by the method `fast`.
        budget: candidates that a searching pass may look at.
        without: optimisations that are left out.
        any_input: whether the result must hold on any input, not from |0…0⟩ only; None for the
            program's own value, see `compiler.program.Program.any_input`.
        reuse_qubits: whether qubits are measured as early as possible and used again.

    Raises:
        InputError: if there is no such objective.
    """

    method: str = "fast"
    objective: str = field(default="two_qubit_gates", validator=_check_objective)
    seed: int = 0
    pipelines: tuple[str, ...] = ()
    seeds: int = SEEDS
    budget: int = BUDGET
    without: tuple[str, ...] = ()
    any_input: bool | None = None
    reuse_qubits: bool = False

    @property
    def in_place(self) -> "Options":
        """The same for a circuit written on the target's own qubits, which it keeps."""
        return evolve(
            self, pipelines=("in-place",), without=("placement", "fractional"), seeds=1,
            any_input=True,
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """Return the options as JSON has them."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }
