"""Circuits rewritten so that a qubit which is done plays the part of one that begins later."""

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitInstruction, Measure, Reset

from compiler.circuits.gate_order import by_urgency
from compiler.errors import VerificationError
from compiler.reuse.order import best_order
from compiler.reuse.wires import Node, Wires, wires_of

Chains = tuple[tuple[int, ...], ...]
"""For each qubit of a narrowed circuit the wires that it is, one after the other; see `Wires`."""


@frozen(eq=False)
class Reuse:
    """The narrowing of a circuit.

    Args:
        original: the circuit before.
        chains: wires of each qubit; empty if nothing could be saved.
    """

    original: QuantumCircuit
    chains: Chains

    @property
    def saved(self) -> int:
        """Number of saved qubits."""
        return self.original.num_qubits - len(self.chains) if self.chains else 0


def narrowest(circuit: QuantumCircuit) -> Chains:
    """Return how a circuit is played on few qubits; nothing if it takes all that it has.

    Args:
        circuit: gates, measurements, resets, `if`, `else` and `switch`.
    """
    wires = wires_of(circuit)
    order, width = best_order(wires)
    return _chains(wires, order) if width < circuit.num_qubits else ()


def narrowed(circuit: QuantumCircuit, chains: Chains) -> QuantumCircuit:
    """Return a circuit on as many qubits as there are chains, with the same classical bits.

    Everything is measured as early as possible, and a qubit is reset between its parts. Barriers
    are left out, since nearly all of them would order gates that are independent.

    Raises:
        VerificationError: if the chains cannot be played.
    """
    wires = wires_of(circuit)
    on_wires = wires.on_wires()
    used = [wire for wire, numbers in enumerate(on_wires) if numbers]
    if sorted(wire for chain in chains for wire in chain) != used:
        raise VerificationError(f"{circuit.name}: the chains do not hold every wire once")
    result = QuantumCircuit(
        QuantumRegister(len(chains), "q"), circuit.clbits, *circuit.cregs, name=circuit.name
    )
    result.global_phase = circuit.global_phase
    qubit = {wire: place for place, chain in enumerate(chains) for wire in chain}
    events: list[Node | int] = [*wires.nodes]
    before = [set(node.before) for node in wires.nodes]
    for place, chain in enumerate(chains):
        for done, begins in pairwise(chain):
            for number in on_wires[begins]:
                before[number].add(len(events))
            before.append(set(on_wires[done]))
            events.append(place)
    order = by_urgency(before, [_urgency(event) for event in events])
    if len(order) < len(events):
        raise VerificationError(f"{circuit.name}: a qubit is used again before it is done")
    for event in (events[number] for number in order):
        if isinstance(event, int):
            result.append(CircuitInstruction(Reset(), [result.qubits[event]]))
        elif event.item is not None:
            places = [result.qubits[qubit[wire]] for wire in event.wires]
            result.append(event.item.replace(qubits=places))
    return result


def _urgency(event: Node | int) -> int:
    """Measurements come first, then resets."""
    if isinstance(event, int):
        return 1
    return 0 if event.item is None or isinstance(event.item.operation, Measure) else 2


def _chains(wires: Wires, order: Sequence[int]) -> Chains:
    """Give every wire a qubit when it begins, one that is free if there is any.

    Of these it is the one that has met most of those with which the wire will share gates: the
    fewer pairs of qubits ever meet, the less must be routed.
    """
    cones = wires.cones()
    neighbours: list[set[int]] = [set() for _ in wires.qubits]
    for node in wires.nodes:
        for wire in node.wires:
            neighbours[wire].update(node.wires)
    qubit: dict[int, int] = {}
    chains: list[list[int]] = []
    # The qubit whose wire was done last is the last one.
    free: list[int] = []
    met: set[tuple[int, int]] = set()
    begun = 0
    for done in order:
        new = cones[done] & ~begun
        begun |= new
        while new:
            wire = (new & -new).bit_length() - 1
            new ^= 1 << wire
            partners = {qubit[other] for other in neighbours[wire] if other in qubit}
            if free:
                place = max(
                    range(len(free)),
                    key=lambda at: (sum((free[at], p) in met for p in partners), at),
                )
                seat = free.pop(place)
            else:
                seat = len(chains)
                chains.append([])
            qubit[wire] = seat
            chains[seat].append(wire)
            met.update(pair for p in partners for pair in ((seat, p), (p, seat)))
        free.append(qubit[done])
    return tuple(map(tuple, chains))
