"""Dicke states: all ways to mark k of n qubits, with equal probabilities."""

from collections.abc import Callable, Iterator, Sequence
from math import acos, atan, pi

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.givens import angle_of, exchange, exchange_if


@frozen
class Block:
    """One step: the last of `prefix` marks moves to the front of its `ones` neighbours, or not.

    Args:
        prefix: m, qubits that are still to be decided; the last `ones` of them are marked.
        ones: l, the number of marks for which this step moves something.
        fewest: the fewest marks that can be left here.
        most: the most.
    """

    prefix: int
    ones: int
    fewest: int
    most: int

    @property
    def source(self) -> int:
        """The qubit that is decided."""
        return self.prefix - 1

    @property
    def destination(self) -> int:
        """The qubit that the mark moves to."""
        return self.prefix - self.ones - 1

    @property
    def moves(self) -> float:
        """Probability that the mark moves."""
        return (self.prefix - self.ones) / self.prefix


def dicke_blocks(size: int, ones: int) -> Iterator[Block]:
    """Yield the steps that turn |0…01…1⟩ into the Dicke state D(n, k), in order."""
    for prefix in range(size, 1, -1):
        fewest, most = max(0, ones - (size - prefix)), min(ones, prefix)
        for left in range(max(1, fewest), min(most, prefix - 1) + 1):
            yield Block(prefix, left, fewest, most)


def append_dicke(
    circuit: QuantumCircuit,
    qubits: Sequence[int],
    ones: int,
    after: Callable[[Block], None] | None = None,
) -> None:
    """Turn |0…0⟩ into the Dicke state D(n, k), up to branch phases: 4k(n−k) − 2n CZ for k ≥ 2.

    2n − 3 for k = 1, and 5 for D(4,2). Every final basis state is reached on exactly one path.

    Args:
        circuit: to be extended.
        qubits: n qubits in |0⟩.
        ones: k, the number of marks.
        after: called after every step; a mark was moved iff the step's destination is marked
            and its source is not.

    References:
        Bärtschi and Eidenbenz, arXiv:1904.07358; their blocks are resynthesised for the
        patterns that can reach them.
    """
    if after is None and (len(qubits), ones) == (4, 2):
        _append_two_of_four(circuit, qubits)
        return
    for qubit in qubits[len(qubits) - ones :]:
        circuit.x(qubit)
    for block in dicke_blocks(len(qubits), ones):
        _append_block(circuit, qubits, block)
        if after is not None:
            after(block)


def _append_block(circuit: QuantumCircuit, qubits: Sequence[int], block: Block) -> None:
    source, destination = qubits[block.source], qubits[block.destination]
    neighbour = qubits[block.destination + 1]
    if block.fewest == block.most:
        circuit.ry(2 * angle_of(block.moves), destination)
        circuit.cx(destination, source)
    elif block.ones in (1, block.fewest):
        exchange(circuit, destination, source, angle_of(block.moves))
    elif block.ones == block.most == block.fewest + 1:
        circuit.ry(angle_of(block.moves), destination)
        circuit.cz(neighbour, destination)
        circuit.cz(source, destination)
        circuit.ry(angle_of(block.moves), destination)
        circuit.cx(destination, source)
    else:
        exchange_if(circuit, neighbour, destination, source, angle_of(block.moves))


def _append_two_of_four(circuit: QuantumCircuit, qubits: Sequence[int]) -> None:
    """Prepare D(4,2) in five CZ that share the first qubit: on a star they need no swap."""
    hub, first, second, third = qubits
    circuit.ry(pi / 2, [hub, first])
    circuit.ry(acos(2 / 3), second)
    circuit.cz(hub, first)
    circuit.ry(pi - atan(1 / 2), hub)
    circuit.cz(hub, second)
    circuit.ry(atan(2), hub)
    circuit.ry(pi / 2, second)
    circuit.cx(hub, third)
    circuit.ry(pi / 2, hub)
    circuit.cz(hub, second)
    circuit.y(hub)
    circuit.cz(hub, first)
    circuit.ry(-pi / 2, hub)
    circuit.x(first)
