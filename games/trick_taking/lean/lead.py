"""Leading any card, its index by tables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from qiskit import QuantumCircuit

from compiler.fault_tolerant.clean_pool import CleanPool
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.table_coins import toss_by_table
from games.trick_taking.synthesis.list_play import bring_to_end, uniform_index

MOST_CLEAN = 64


@lean_syntheses.register("lead_play")
def lead_play(*params: int) -> QuantumCircuit:
    """Bring a random card to the end of the hand as `lead_play.select` does.

    Args:
        params: qubits of a slot, and cards of the hand.

    Returns:
        The circuit on n slots, history and clean qubits.
    """
    width, hand = params
    bits = (hand - 1).bit_length()
    pool = CleanPool(hand * width + bits)
    circuit = QuantumCircuit(pool.first + MOST_CLEAN)
    slots = [list(range(i * width, (i + 1) * width)) for i in range(hand)]
    index = list(range(hand * width, pool.first))

    def tosser(
        circuit: QuantumCircuit,
        controls: Sequence[int],
        target: int,
        probabilities: Mapping[int, Fraction],
    ) -> None:
        toss_by_table(circuit, controls, target, probabilities, pool.loan())

    uniform_index(circuit, index, hand, tosser=tosser)
    bring_to_end(circuit, slots, index)
    return pool.trimmed(circuit)
