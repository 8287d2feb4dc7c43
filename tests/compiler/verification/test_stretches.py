"""Where a program's qubits are at barriers, those within an operator too."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import StateTooLargeError
from compiler.synthesis.operator import example_of
from compiler.synthesis.segments import WITHIN, cuts, segments
from compiler.verification.operator_proofs.stretches import parts_of, stretches_of

DEAL = example_of("list: 2 of 4 known cards")


def lowered(*labels):
    """Return a circuit whose qubits change places before each barrier."""
    circuit = QuantumCircuit(DEAL.num_qubits)
    order = list(range(circuit.num_qubits))
    for label in labels:
        circuit.cx(order[0], order[1])
        order = order[1:] + order[:1]
        circuit.barrier(order, label=label)
    return circuit


def program():
    """Return two deals with a barrier after each."""
    circuit = QuantumCircuit(DEAL.num_qubits)
    for _ in range(2):
        circuit.append(DEAL, range(circuit.num_qubits))
        circuit.barrier()
    return circuit


def test_every_barrier_says_where_all_qubits_are():
    ends = list(range(DEAL.num_qubits))
    parts, places = parts_of(lowered(None, WITHIN), DEAL.num_qubits, (ends, ends))
    assert len(parts) == 3
    assert [list(place)[:2] for place in places] == [[0, 1], [1, 2], [2, 3], [0, 1]]


def test_barriers_within_an_operator_cut_it_into_parts():
    circuit = lowered(WITHIN, None, None)
    ends = range(DEAL.num_qubits)
    within = list(cuts(circuit, circuit.num_qubits))
    assert within == [True, False, False]
    stretches = stretches_of(program(), circuit, ends, ends, within)
    assert [len(stretch.parts) for stretch in stretches] == [2, 1, 1]
    assert [stretch.operator for stretch in stretches] == [DEAL, DEAL, None]
    assert stretches[0].places[-1] == stretches[1].places[0]


@pytest.mark.parametrize("within", [[False, False], [True, True, False], [False, False, False]])
def test_other_barriers_than_were_there_are_no_proof(within):
    ends = range(DEAL.num_qubits)
    with pytest.raises(StateTooLargeError, match="are lost"):
        stretches_of(program(), lowered(WITHIN, None, None), ends, ends, within)


def test_segments_are_all_that_is_between_barriers():
    circuit = lowered(None, WITHIN)
    circuit.barrier(0)
    circuit.x(0)
    circuit.global_phase = 1
    found = segments(circuit, circuit.num_qubits)
    assert [dict(segment.count_ops()) for segment in found] == [
        {"cx": 1}, {"cx": 1}, {"barrier": 1, "x": 1},
    ]  # fmt: skip
    assert [segment.global_phase for segment in found] == [1, 0, 0]
