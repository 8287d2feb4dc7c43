"""Lowered circuits cut where their program has barriers: one operator from cut to cut.

A barrier across the whole program stays where it was when the program is lowered, and its qubits
stay in order: it says where each of the program's qubits is at that moment. Whether it says so
rightly need not be believed, since what is between two barriers is then held against what the
operator promises of those very qubits.
"""

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.gate_steps import Step, steps_of
from compiler.errors import StateTooLargeError
from compiler.synthesis.operator import Operator
from compiler.verification.simulation.blocks import on_few_qubits

Flips = Sequence[tuple[int, ...]]
"""X as its qubit, and CX as its control and target."""


@frozen(eq=False)
class Part:
    """Gates between two barriers, on as few qubits as they touch.

    Args:
        qubits: those that are touched.
        steps: the gates, on places among these.
        ends: for each place the one that holds its value at the end.
    """

    qubits: Sequence[int]
    steps: Sequence[Step]
    ends: Sequence[int]


@frozen(eq=False)
class Stretch:
    """What a program and a circuit do between two barriers.

    Args:
        before: what the program does before its operator.
        operator: that of the program, None if there is none.
        operands: the program's qubits that it is on.
        after: what the program does after it.
        parts: what the circuit does.
        places: where the program's qubits are before, between and after these.
    """

    before: Flips
    operator: Operator | None
    operands: Sequence[int]
    after: Flips
    parts: Sequence[Part]
    places: Sequence[Sequence[int]]


def stretches_of(
    program: QuantumCircuit,
    circuit: QuantumCircuit,
    initial_layout: Sequence[int],
    final_layout: Sequence[int],
    within: Sequence[bool],
    *,
    as_they_are: bool = False,
) -> list[Stretch]:
    """Cut a program and what became of it at barriers.

    Args:
        program: operators, X and CX, without measurements.
        circuit: its lowered form, or with its operators synthesised only.
        initial_layout: for each of the program's qubits, the circuit's that holds it at the start.
        final_layout: the same at the end.
        within: for each barrier that crosses the whole program once its operators are
            synthesised, whether it is within an operator; see `compiler.synthesis.segments`.
        as_they_are: whether the circuit's gates are not merged.

    Raises:
        StateTooLargeError: if there are no barriers that both have, or more than one operator
            between two.
    """
    wanted = [_wanted(items) for items in _cut_program(program)]
    if len(wanted) < 3:
        raise StateTooLargeError("no barriers separate its operators")
    ends = initial_layout, final_layout
    parts, places = parts_of(circuit, program.num_qubits, ends, as_they_are=as_they_are)
    if len(parts) != len(within) + 1 or within.count(False) != len(wanted) - 1:
        raise StateTooLargeError("barriers between its operators are lost")
    edges = [0, *(i for i, inner in enumerate(within, 1) if not inner), len(parts)]
    return [
        Stretch(*one, parts[a:b], places[a : b + 1])
        for one, (a, b) in zip(wanted, pairwise(edges), strict=True)
    ]


def parts_of(
    circuit: QuantumCircuit,
    qubits: int,
    ends: tuple[Sequence[int], Sequence[int]],
    *,
    as_they_are: bool = False,
) -> tuple[list[Part], list[Sequence[int]]]:
    """Return what is between barriers across a program, and where its qubits are around them.

    Args:
        circuit: what became of the program, or of a part of it.
        qubits: how many the program has.
        ends: where they are before and after.
        as_they_are: whether the circuit's gates are not merged.
    """
    parts: list[list[Step]] = [[]]
    places = [ends[0]]
    for step in steps_of(circuit):
        if step.kind != "barrier":
            parts[-1].append(step)
        elif len(step.qubits) == qubits:
            parts.append([])
            places.append(step.qubits)
    made = [Part(*on_few_qubits(part, as_they_are=as_they_are)) for part in parts]
    return made, [*places, ends[1]]


def _cut_program(program: QuantumCircuit) -> list[list[tuple[object, list[int]]]]:
    index = {qubit: i for i, qubit in enumerate(program.qubits)}
    cut: list[list[tuple[object, list[int]]]] = [[]]
    for item in program.data:
        if item.name == "barrier" and len(item.qubits) == program.num_qubits:
            cut.append([])
        else:
            cut[-1].append((item.operation, [index[qubit] for qubit in item.qubits]))
    return cut


def _wanted(
    items: Sequence[tuple[object, list[int]]],
) -> tuple[Flips, Operator | None, Sequence[int], Flips]:
    flips: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = [], []
    found: Operator | None = None
    operands: Sequence[int] = ()
    for operation, qubits in items:
        if isinstance(operation, Operator) and found is None:
            found, operands = operation, qubits
        elif getattr(operation, "name", "") == "x" or (
            getattr(operation, "name", "") == "cx" and getattr(operation, "ctrl_state", 0) == 1
        ):
            flips[found is not None].append(tuple(qubits))
        else:
            raise StateTooLargeError("barriers do not separate its operators")
    return flips[0], found, operands, flips[1]
