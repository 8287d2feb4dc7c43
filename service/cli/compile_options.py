"""Arguments and options of commands that compile."""

from typing import Annotated

import typer

from compiler.errors import InputError
from compiler.lowering import pipelines
from compiler.lowering.pipeline import optional_passes, passes_from_zero
from compiler.lowering.portfolio import OBJECTIVES
from games import encodings
from service.cli.options import MOST_SECONDS

Method = Annotated[
    str,
    typer.Option(
        help="best: every synthesis, every pipeline, several seeds; fast: one quick attempt; or "
        "the name of a synthesis, such as literal: every pipeline, several seeds."
    ),
]
Pipelines = Annotated[
    list[str] | None,
    typer.Option(
        "--pipeline",
        help=f"Only this pipeline; may be repeated: {', '.join(pipelines)}.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str, typer.Option(help=f"How the game lies on qubits: best, {', '.join(encodings)}.")
]
ObjectiveName = Annotated[
    str, typer.Option("--objective", help=f"What is minimised: {', '.join(OBJECTIVES)}.")
]
Seeds = Annotated[
    int, typer.Option(min=1, max=1000, help="How many seeds each seeded pipeline tries.")
]
Budget = Annotated[
    int,
    typer.Option(
        min=1, max=100_000, help="Candidates that each searching pass looks at, per attempt."
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Leave out this optimisation; may be repeated: {', '.join(optional_passes())}.",
        show_default=False,
    ),
]
AnyInput = Annotated[
    bool | None,
    typer.Option(
        "--any-input/--from-zero",
        help="Whether the result must do the same on any input, or from |0…0⟩ only. Any input "
        f"leaves out {', '.join(passes_from_zero())}, and takes no qubit for a clean ancilla. "
        "By default it is any input for circuits that measure nothing, |0…0⟩ for all others.",
        show_default=False,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=MOST_SECONDS,
        help="Seconds after which no further attempt is begun; results then depend on the "
        "machine's speed.",
        show_default=False,
    ),
]

MaxCost = Annotated[
    str,
    typer.Option(
        help="What one job may cost at most, such as 5USD; nothing is submitted beyond it."
    ),
]


def check_objective(objective: str) -> None:
    """Refuse an objective.

    Raises:
        InputError: if there is no such objective.
    """
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; known: {', '.join(OBJECTIVES)}")
