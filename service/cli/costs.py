"""The command `costs`."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from attrs import asdict

from games.cost_table import (
    LARGEST,
    ChainCost,
    OperatorCost,
    ProgramCost,
    chain_costs,
    operator_costs,
    program_costs,
)
from service.cli.options import Json
from service.cli.output.printing import print_json, print_table, say

MOST_BUILT = 10_000_000
COUNTED = ("two_qubit_gates", "two_qubit_depth", "t_gates", "toffolis", "rotations", "qubits")


def costs_command(
    *,
    largest: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_BUILT,
            help="Predicted two-qubit gates up to which methods are built.",
        ),
    ] = LARGEST,
    as_json: Json = False,
) -> None:
    """Compare synthesis methods by operator, short chains by target, and encodings by game.

    Predicted is the method's formula, counted is what Qiskit's level 3 leaves of its circuit in
    CX, rz, sx and x on all-to-all qubits; beside it what a paper expects, where it says so: 3^m to
    3^2m gates for a move on m points of a board. `>` marks what is taken by default, or wins. What
    acts on the same two qubits is lowered to each target; fewest is what any circuit takes.

    Example: `stichwerk costs`
    """
    operators = []
    for cost in operator_costs(largest):
        say(f"{cost.operator}, {cost.method}: {_gates(cost)}")
        operators.append(cost)
    together = []
    for chain in chain_costs():
        say(f"{chain.chain} on {chain.target}: {chain.counted} two-qubit gates")
        together.append(chain)
    programs = []
    for program in program_costs():
        gates = program.counted.two_qubit_gates
        say(f"{program.program}, {program.encoding}, {program.method}: {gates:,} two-qubit gates")
        programs.append(program)
    if as_json:
        print_json(_answer(operators, together, programs))
        return
    _print(operators, programs)
    _print_chains(together)


def _gates(cost: OperatorCost) -> str:
    counted = "not built" if cost.counted is None else f"{cost.counted.two_qubit_gates:,} counted"
    return f"{cost.predicted:,} two-qubit gates predicted, {counted}"


def _counts(counted: Any) -> list[int | None]:
    return [None if counted is None else getattr(counted, name) for name in COUNTED]


def _answer(
    operators: Sequence[OperatorCost],
    together: Sequence[ChainCost],
    programs: Sequence[ProgramCost],
) -> dict[str, Any]:
    return {
        "operators": [asdict(cost) for cost in operators],
        "chains": [asdict(cost) for cost in together],
        "programs": [asdict(cost) for cost in programs],
    }


def _print(operators: Sequence[OperatorCost], programs: Sequence[ProgramCost]) -> None:
    heads = ("two-qubit depth", "T", "Toffoli", "rotations", "qubits")
    rows = []
    for cost in operators:
        gates, *others = _counts(cost.counted)
        mark = ">" if cost.chosen else ""
        paper = cost.paper and f"{cost.paper[0]:,} to {cost.paper[1]:,}"
        rows.append([cost.operator, mark, cost.method, cost.predicted, gates, paper, *others])
    print_table(
        "Operators: two-qubit gates by method",
        ("operator", "", "method", "predicted", "counted", "in the paper", *heads),
        rows,
    )
    fewest = _fewest(programs, "two_qubit_gates")
    narrowest = _fewest(programs, "qubits")
    print_table(
        "Games: two-qubit gates by encoding",
        ("game", "encoding", "operators", "two-qubit gates", *heads, "wins"),
        [
            [
                cost.program,
                cost.encoding,
                cost.method,
                *_counts(cost.counted),
                ", ".join(["gates"] * (cost in fewest) + ["qubits"] * (cost in narrowest)),
            ]
            for cost in programs
        ],
    )


def _print_chains(together: Sequence[ChainCost]) -> None:
    print_table(
        "On the same two qubits, one after the other: two-qubit gates by target",
        ("operations", "target", "fewest", "counted", "ns"),
        [list(asdict(cost).values()) for cost in together],
    )


def _fewest(programs: Sequence[ProgramCost], figure: str) -> list[ProgramCost]:
    best: dict[str, ProgramCost] = {}
    for cost in programs:
        least = best.setdefault(cost.program, cost)
        if getattr(cost.counted, figure) < getattr(least.counted, figure):
            best[cost.program] = cost
    return list(best.values())
