"""Circuits rewritten so that a qubit which is done plays the part of one that begins later."""

from collections.abc import Sequence
from itertools import pairwise

from attrs import define, field, frozen
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitInstruction, Measure, Reset

from compiler.circuits.gate_order import by_urgency
from compiler.errors import VerificationError
from compiler.reuse.order import Order, best_order
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
    order = best_order(wires)
    return _chains(wires, order) if order.width < circuit.num_qubits else ()


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


def _chains(wires: Wires, order: Order) -> Chains:
    """Give every wire a qubit when it begins, one that is free if there is any."""
    cones = wires.cones()
    seats = _Seats([set() for _ in wires.qubits])
    for node in wires.nodes:
        for wire in node.wires:
            seats.neighbours[wire].update(node.wires)
    begun = 0
    for wire in order.wires:
        new = cones[wire] & ~begun
        begun |= new
        while new:
            lowest = new & -new
            seats.take(lowest.bit_length() - 1)
            new ^= lowest
        seats.free.append(seats.qubit[wire])
    return tuple(tuple(chain) for chain in seats.chains)


@define
class _Seats:
    """Qubit of each wire.

    Args:
        neighbours: of each wire, those with which it shares a gate.
        qubit: of each wire that has begun.
        free: qubits whose wire is done, the last one last.
        chains: the wires of each qubit.
        met: pairs of qubits that have shared a gate.
    """

    neighbours: Sequence[set[int]]
    qubit: dict[int, int] = field(factory=dict)
    free: list[int] = field(factory=list)
    chains: list[list[int]] = field(factory=list)
    met: set[tuple[int, int]] = field(factory=set)

    def take(self, wire: int) -> None:
        """Seat a wire on the free qubit that has met most of those with which it will share gates.

        The fewer pairs of qubits ever meet, the less must be routed.
        """
        partners = {self.qubit[other] for other in self.neighbours[wire] if other in self.qubit}
        if self.free:
            place = max(
                range(len(self.free)),
                key=lambda at: (sum((self.free[at], p) in self.met for p in partners), at),
            )
            seat = self.free.pop(place)
        else:
            seat = len(self.chains)
            self.chains.append([])
        self.qubit[wire] = seat
        self.chains[seat].append(wire)
        self.met.update(pair for p in partners for pair in ((seat, p), (p, seat)))
