"""Which card is which inside operators that treat some cards alike.

Constructions give equal cards unequal parts: one of them is the hub of a star of gates, another
one a leaf. On a device it matters who is who, so different seeds try different arrangements.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from qiskit import QuantumCircuit
from qiskit.circuit import Instruction

from compiler.operators import HandPlay, UniformDeal

Operands = tuple[int, ...]


def arranged(circuit: QuantumCircuit, seed: int) -> QuantumCircuit:
    """Return a circuit that differs in branch phases and histories only.

    Args:
        circuit: gates and operators.
        seed: of the arrangement; 0 leaves everything as it is.
    """
    if seed == 0:
        return circuit
    random = Random(seed)
    result = circuit.copy_empty_like()
    for item in circuit.data:
        places = list(range(len(item.qubits)))
        for group in interchangeable(item.operation):
            for old, new in zip(group, random.sample(group, len(group)), strict=True):
                for to, place in zip(old, new, strict=True):
                    places[to] = place
        result.append(item.operation, [item.qubits[place] for place in places])
    return result


def interchangeable(gate: Instruction) -> list[Sequence[Operands]]:
    """Return groups of operands that may be permuted without changing what an operator promises.

    Each group lists, for every card, the places of its qubits among the gate's operands.
    """
    if isinstance(gate, UniformDeal):
        owners, *rest = (int(p) for p in gate.params)
        bits = (owners - 1).bit_length()
        cards: dict[int, list[Operands]] = defaultdict(list)
        for card, known in enumerate(rest[owners:]):
            cards[known].append(tuple(range(card * bits, (card + 1) * bits)))
        return list(cards.values())
    if isinstance(gate, HandPlay):
        deck = int(gate.params[0])
        return [[(card, deck + card) for card in range(deck)]]
    return []
