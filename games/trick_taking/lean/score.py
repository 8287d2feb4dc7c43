"""A score whose flags and carries are measured away."""

from qiskit import QuantumCircuit

from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import add
from compiler.fault_tolerant.temporary_ands import temporary_and
from compiler.synthesis.registers import split
from games.trick_taking.synthesis.trick_score import decode, score_ancillas, table_of


@lean_syntheses.register("trick_score")
def trick_score(*params: int) -> QuantumCircuit:
    """Decode each card's points and add them as `trick_score.ripple` does.

    For each card an AND for each split of its lanes, and one less than the score has bits.

    Args:
        params: cards, bits of a lane, bits of the score, and the points by lane.

    Returns:
        The circuit on the flag, the lanes, the score and clean qubits.
    """
    cards, lane_bits, score_bits, *points = params
    flagged, _ = score_ancillas(lane_bits, score_bits, points)
    sizes = (1, cards * lane_bits, score_bits, flagged, score_bits - 1)
    circuit = QuantumCircuit(sum(sizes))
    (party,), lanes, score, flags, carries = split(range(circuit.num_qubits), *sizes)
    if not any(points):
        return circuit
    for card in range(cards):
        lane = lanes[card * lane_bits : (card + 1) * lane_bits]
        decoding = circuit.copy_empty_like()
        table = table_of(lane_bits, points)
        addend = decode(decoding, party, lane, table, flags, conjunction=temporary_and)
        circuit.compose(decoding, inplace=True)
        add(circuit, addend, score, carries)
        circuit.compose(decoding.inverse(), inplace=True)
    return circuit
