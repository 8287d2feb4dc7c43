"""Lowered circuits cut where their program has barriers: one operator from cut to cut.

A barrier across the whole program stays where it was when the program is lowered, and its qubits
stay in order: it says where each of the program's qubits is at that moment. Whether it says so
rightly need not be believed, since what is between two barriers is then held against what the
operator promises of those very qubits.
"""

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve, frozen
from qiskit import QuantumCircuit

from compiler.errors import StateTooLargeError
from compiler.synthesis.operator import Operator
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.gate_steps import Step, steps_of

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

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Part":
        """Return gates as a part."""
        gates = [step for step in steps if step.kind != "barrier"]
        qubits = sorted({qubit for step in gates for qubit in step.qubits})
        place = {qubit: i for i, qubit in enumerate(qubits)}
        local = [evolve(g, qubits=tuple(place[q] for q in g.qubits)) for g in gates]
        return cls(qubits, *merged(local, len(qubits)))


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
) -> list[Stretch]:
    """Cut a program and what became of it at the program's barriers.

    Args:
        program: operators, X and CX, without measurements.
        circuit: its lowered form, or with its operators synthesised only.
        initial_layout: for each of the program's qubits, the circuit's that holds it at the start.
        final_layout: the same at the end.

    Raises:
        StateTooLargeError: if there are no barriers that both have, or more than one operator
            between two.
    """
    wanted = [_wanted(items) for items in _cut_program(program)]
    if len(wanted) < 3:
        raise StateTooLargeError("no barriers separate its operators")
    steps = steps_of(circuit)
    cuts = [i for i, step in enumerate(steps) if _crosses(step, program.num_qubits)]
    if len(cuts) != len(wanted) - 1:
        raise StateTooLargeError("barriers between its operators are lost")
    places = [initial_layout, *(steps[cut].qubits for cut in cuts), final_layout]
    made = [steps[a + 1 : b] for a, b in pairwise([-1, *cuts, len(steps)])]
    return [
        Stretch(*one, *parts_of(part, one[2], ends))
        for one, part, ends in zip(wanted, made, pairwise(places), strict=True)
    ]


def _crosses(step: Step, qubits: int) -> bool:
    return step.kind == "barrier" and len(step.qubits) == qubits


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


def parts_of(
    steps: Sequence[Step], operands: Sequence[int], ends: tuple[Sequence[int], Sequence[int]]
) -> tuple[list[Part], list[Sequence[int]]]:
    """Return what is between barriers across an operator, and where the program's qubits are.

    Args:
        steps: of the circuit.
        operands: the program's qubits that the operator is on.
        ends: where the program's qubits are before and after.

    Raises:
        StateTooLargeError: if several of the other qubits had to leave their places to operands,
            as then nothing says which of them went where.
    """
    parts: list[list[Step]] = [[]]
    places = [ends[0]]
    for step in steps:
        if step.kind == "barrier" and operands and len(step.qubits) == len(operands):
            parts.append([])
            places.append(_after(places[-1], dict(zip(operands, step.qubits, strict=True))))
        else:
            parts[-1].append(step)
    return [Part.of(part) for part in parts], [*places, ends[1]]


def _after(before: Sequence[int], operands: dict[int, int]) -> list[int]:
    """Return where qubits are when operands are at these places: who had one of them left it."""
    after = [operands.get(qubit, place) for qubit, place in enumerate(before)]
    taken = set(operands.values())
    displaced = [q for q, place in enumerate(before) if q not in operands and place in taken]
    if displaced:
        left = {before[qubit] for qubit in operands} - taken
        if len(displaced) > 1 or len(left) > 1:
            raise StateTooLargeError("barriers do not say where all qubits are")
        after[displaced[0]] = left.pop()
    return after
