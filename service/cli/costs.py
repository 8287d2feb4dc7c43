"""The command `costs`."""

from collections.abc import Sequence

from games.cost_table import ProgramCost, operator_costs, program_costs
from service.cli.options import Json
from service.cli.output.printing import print_result, print_rows, say
from service.results.costs import CostsResult

SIZES = (
    "two-qubit depth=0.counted.two_qubit_depth", "T=0.counted.t_gates",
    "Toffoli=0.counted.toffolis", "rotations=0.counted.rotations", "qubits=0.counted.qubits",
)  # fmt: skip


def costs_command(
    *,
    as_json: Json = False,
) -> None:
    """Compare gate costs of synthesis methods and encodings.

    Predicted: the formula of the method. Counted: gates of its circuit after Qiskit's level 3, in
    CX, rz, sx and x on all-to-all qubits. The table also has costs stated in the papers, such as
    3^m to 3^2m gates for a move on m points of a board. `>` marks the default, or the cheapest.

    Example: `stichwerk costs`
    """
    operators, programs = [], []
    for cost in operator_costs():
        built = "not built" if cost.counted is None else f"{cost.counted.two_qubit_gates:,} counted"
        say(f"{cost.operator}, {cost.method}: {cost.predicted:,} two-qubit gates, {built}")
        operators.append(cost)
    for program in program_costs():
        gates = program.counted.two_qubit_gates
        say(f"{program.program}, {program.encoding}, {program.method}: {gates:,} two-qubit gates")
        programs.append(program)
    result = CostsResult(operators=operators, programs=programs)
    print_result(result, print_costs, as_json=as_json)


def print_costs(result: CostsResult) -> None:
    """Print both tables."""
    print_rows(
        "Operators: two-qubit gates by method",
        [
            (cost, ">" if cost.chosen else "",
             cost.paper and f"{cost.paper[0]:,} to {cost.paper[1]:,}")
            for cost in result.operators
        ],
        "0.operator", " =1", "0.method", "0.predicted", "counted=0.counted.two_qubit_gates",
        "in the paper=2", *SIZES,
    )  # fmt: skip
    fewest, narrowest = (
        _fewest(result.programs, figure) for figure in ("two_qubit_gates", "qubits")
    )
    print_rows(
        "Games: two-qubit gates by encoding",
        [
            (cost, ["gates"] * (cost in fewest) + ["qubits"] * (cost in narrowest))
            for cost in result.programs
        ],
        "game=0.program", "0.encoding", "operators=0.method", "0.counted.two_qubit_gates", *SIZES,
        "wins=1",
    )  # fmt: skip


def _fewest(programs: Sequence[ProgramCost], figure: str) -> list[ProgramCost]:
    best: dict[str, ProgramCost] = {}
    for cost in programs:
        least = best.setdefault(cost.program, cost)
        if getattr(cost.counted, figure) < getattr(least.counted, figure):
            best[cost.program] = cost
    return list(best.values())
