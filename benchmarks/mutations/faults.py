"""Random faults of lowered circuits."""

from collections.abc import Callable, Sequence
from functools import cache
from math import pi
from random import Random

from attrs import frozen
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import CircuitInstruction, Instruction, Qubit
from qiskit.circuit.library import CXGate, CZGate, SwapGate, SXGate, XGate, ZGate

ANGLES = (1e-6, 1e-3, 0.1)
"""Changes of an angle; None for any up to π."""

FURTHEST = 10
"""Gates that a gate is moved past, beyond the next one with which it shares a qubit."""

CONTROLS = (3, 5)
"""Fewest and most controls of a fault on a rare branch."""

NEAR = 40
"""Gates around a place whose qubits a rare branch is told by."""

Items = list[CircuitInstruction]


@frozen(eq=False)
class Faulty:
    """A circuit with a fault.

    Args:
        items: its gates, in order.
        final_layout: final places of the program's qubits.
        first: the first place at which items differ from the right circuit's.
        right: the right circuit's items from there on that are replaced.
        wrong: their replacement; swaps at the end for a wrong layout.
        what: the fault in a few words.
    """

    items: Items
    final_layout: tuple[int, ...]
    first: int
    right: Items
    wrong: Items
    what: str

    def circuit(self, like: QuantumCircuit) -> QuantumCircuit:
        """Return it as a circuit on the qubits of the right one."""
        result = like.copy_empty_like()
        for item in self.items:
            result.append(item)
        return result


Mutate = Callable[[Items, tuple[int, ...], Sequence[Qubit], Random], Faulty]


def _replaced(
    items: Items, layout: tuple[int, ...], place: int, right: int, by: Sequence[CircuitInstruction],
    what: str,
) -> Faulty:  # fmt: skip
    mutant = [*items[:place], *by, *items[place + right :]]
    return Faulty(mutant, layout, place, items[place : place + right], list(by), what)


def _any_gate(items: Items, random: Random) -> int:
    while True:
        place = random.randrange(len(items))
        if items[place].name != "barrier":
            return place


def dropped(
    items: Items, layout: tuple[int, ...], wires: Sequence[Qubit], random: Random
) -> Faulty:
    """Return a circuit that lacks a gate."""
    place = _any_gate(items, random)
    return _replaced(items, layout, place, 1, [], f"no {items[place].name}")


def changed(
    items: Items, layout: tuple[int, ...], wires: Sequence[Qubit], random: Random
) -> Faulty:
    """Return a circuit in which a gate is another one, or turns by another angle."""
    place = _any_gate(items, random)
    item = items[place]
    gate: Instruction = item.operation
    if gate.params:
        number = random.randrange(len(gate.params))
        by = random.choice([*ANGLES, random.uniform(0.1, pi)])
        other = gate.to_mutable()
        other.params = [float(p) + by * (i == number) for i, p in enumerate(gate.params)]
        change = item.replace(operation=other)
        return _replaced(items, layout, place, 1, [change], f"{gate.name} by {by:.2g}")
    if len(item.qubits) == 2:
        control, target = item.qubits
        other = CXGate() if gate.name == "cz" else random.choice([CXGate(), CZGate()])
        qubits = (target, control) if gate.name == other.name else item.qubits
        change = CircuitInstruction(other, qubits)
    else:
        other = SXGate() if gate.name != "sx" else XGate()
        change = CircuitInstruction(other, item.qubits)
    return _replaced(items, layout, place, 1, [change], f"{gate.name} as {other.name}")


def moved(items: Items, layout: tuple[int, ...], wires: Sequence[Qubit], random: Random) -> Faulty:
    """Return a circuit in which a gate comes later, not past a barrier."""
    while True:
        place = _any_gate(items, random)
        item, mine = items[place], set(items[place].qubits)
        to = place + 1
        while to < len(items) and items[to].name != "barrier" and not mine & {*items[to].qubits}:
            to += 1
        if to == len(items) or items[to].name == "barrier":
            continue
        end = to + 1
        while end < len(items) and end < to + FURTHEST and items[end].name != "barrier":
            end += 1
        to = random.randrange(to, end)
        window = [*items[place + 1 : to + 1], item]
        what = f"{item.name} later by {to - place}"
        return _replaced(items, layout, place, to + 1 - place, window, what)


def misplaced(
    items: Items, layout: tuple[int, ...], wires: Sequence[Qubit], random: Random
) -> Faulty:
    """Return a circuit that is said to end with two qubits in each other's places."""
    a, b = random.sample(range(len(layout)), 2)
    wrong = list(layout)
    wrong[a], wrong[b] = wrong[b], wrong[a]
    swap = CircuitInstruction(SwapGate(), [wires[layout[a]], wires[layout[b]]])
    what = f"qubits {a} and {b} exchanged"
    return Faulty(items, tuple(wrong), len(items), [], [swap], what)


@cache
def _in_narrow_gates(controls: int, phase: bool) -> QuantumCircuit:
    alone = QuantumCircuit(controls + 1)
    alone.append(
        (ZGate if phase else XGate)().control(controls, annotated=False), range(controls + 1)
    )
    return transpile(alone, basis_gates=["cx", "u"], optimization_level=0, seed_transpiler=0)


def rare(items: Items, layout: tuple[int, ...], wires: Sequence[Qubit], random: Random) -> Faulty:
    """Return a circuit that flips a qubit or a sign where several others are 1."""
    while True:
        place = _any_gate(items, random)
        near = items[max(0, place - NEAR) : place + NEAR]
        met = {qubit for item in near if item.name != "barrier" for qubit in item.qubits}
        qubits = [qubit for qubit in wires if qubit in met]
        controls = random.randint(*CONTROLS)
        if len(qubits) > controls:
            break
    phase = random.random() < 0.5
    chosen = random.sample(qubits, controls + 1)
    gates = _in_narrow_gates(controls, phase)
    index = {qubit: i for i, qubit in enumerate(gates.qubits)}
    extra = [
        CircuitInstruction(item.operation, [chosen[index[qubit]] for qubit in item.qubits])
        for item in gates.data
    ]
    what = f"{'sign' if phase else 'flip'} with {controls} controls"
    return _replaced(items, layout, place, 0, extra, what)


KINDS: dict[str, Mutate] = {
    "dropped": dropped,
    "changed": changed,
    "moved": moved,
    "layout": misplaced,
    "rare branch": rare,
}


def fault(
    circuit: QuantumCircuit, layout: tuple[int, ...], name: str, number: int, seed: int
) -> tuple[str, Faulty]:
    """Return the kind of a circuit's fault with a number, and the fault.

    Args:
        circuit: the right one.
        layout: where it ends.
        name: of the circuit.
        number: of the fault; the kinds take turns.
        seed: of all faults.
    """
    kind = list(KINDS)[number % len(KINDS)]
    random = Random(f"{seed} {name} {number}")
    return kind, KINDS[kind](list(circuit.data), layout, circuit.qubits, random)
