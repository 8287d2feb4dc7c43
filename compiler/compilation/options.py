"""Options of a compilation, besides the program and the target."""

from collections.abc import Sequence
from typing import Annotated, Any

from attrs import asdict, evolve, field, frozen

from compiler.arguments import check_arguments
from compiler.errors import InputError, UnknownNameError, meant
from compiler.lowering.methods import METHODS
from compiler.lowering.pipeline import BUDGET, OBJECTIVES, SEEDS, check_optional, pipelines


def check_objective(objective: str) -> None:
    """Refuse an objective.

    Raises:
        InputError: if there is no such objective.
    """
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, OBJECTIVES)}")


def _names(names: Sequence[str]) -> Sequence[str]:
    return tuple(names) if isinstance(names, list) else names


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
        InputError: if a value has another type or is out of range, or a name is unknown.
    """

    method: str = "fast"
    objective: str = "two_qubit_gates"
    seed: Annotated[int, range(2**31)] = 0
    pipelines: tuple[str, ...] = field(default=(), converter=_names)
    seeds: Annotated[int, range(1, 1001)] = SEEDS
    budget: Annotated[int, range(1, 100_001)] = BUDGET
    without: tuple[str, ...] = field(default=(), converter=_names)
    any_input: bool | None = None
    reuse_qubits: bool = False

    def __attrs_post_init__(self) -> None:
        check_arguments(Options, asdict(self, recurse=False))
        if self.method not in (methods := ("best", "fast", *METHODS)):
            raise UnknownNameError(f"unknown method '{self.method}'; {meant(self.method, methods)}")
        check_objective(self.objective)
        for name in self.pipelines:
            _ = pipelines[name]
        check_optional(self.without)

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
