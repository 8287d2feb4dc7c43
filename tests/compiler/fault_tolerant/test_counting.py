"""T gates, Toffoli gates and rotations of circuits that can be counted by hand."""

from math import pi

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import MCXGate, XGate
from qiskit.quantum_info import Operator as Gates
from qiskit.synthesis import synth_mcx_1_clean_kg24

from compiler.errors import StateTooLargeError
from compiler.fault_tolerant import logical_resources
from compiler.fault_tolerant.rotations import NonClifford, of_unitary
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.permutations import less_than, swap_if, xor_and


def counts(circuit):
    found = logical_resources(circuit)
    return found.t_gates, found.toffolis, found.rotations, found.measurements


def built(qubits, *steps):
    circuit = QuantumCircuit(qubits)
    for name, *arguments in steps:
        getattr(circuit, name)(*arguments)
    return circuit


@pytest.mark.parametrize(
    ("circuit", "expected"),
    [
        (built(3, ("ccx", 0, 1, 2)), (0, 1, 0, 0)),
        (built(3, ("ccz", 0, 1, 2)), (0, 1, 0, 0)),
        (built(3, ("cswap", 0, 1, 2)), (0, 1, 0, 0)),
        # The textbook's Toffoli gate, which Qiskit's definition is: seven T gates.
        (built(3, ("ccx", 0, 1, 2)).decompose(), (7, 0, 0, 0)),
        (built(3, ("rccx", 0, 1, 2)), (4, 0, 0, 0)),
        (built(5, ("mcx", [0, 1, 2, 3], 4)), (0, 3, 0, 2)),
        (built(2, ("ch", 0, 1)), (2, 0, 0, 0)),
        (built(2, ("cry", pi / 2, 0, 1)), (2, 0, 0, 0)),
        (built(2, ("cry", 1.0, 0, 1)), (0, 0, 2, 0)),
        (built(2, ("cp", pi / 2, 0, 1)), (3, 0, 0, 0)),
        (built(2, ("rzz", 0.3, 0, 1)), (0, 0, 1, 0)),
        (built(1, ("t", 0), ("s", 0), ("t", 0)), (0, 0, 0, 0)),
        (built(1, ("t", 0), ("h", 0), ("t", 0)), (2, 0, 0, 0)),
        (built(1, ("ry", 0.3, 0), ("ry", -0.3, 0)), (0, 0, 0, 0)),
        (built(1, ("h", 0), ("rz", 0.3, 0), ("s", 0), ("h", 0)), (0, 0, 1, 0)),
        (built(1, ("u", 0.3, 0.4, 0.5, 0)), (0, 0, 3, 0)),
    ],
)
def test_counts_by_hand(circuit, expected):
    assert counts(circuit) == expected


def test_the_project_s_own_blocks_take_four_t_gates_for_an_and_and_for_a_swap():
    conjunction, swap = QuantumCircuit(3), QuantumCircuit(3)
    xor_and(conjunction, 0, 1, 2)
    swap_if(swap, 0, 1, 2)
    assert counts(conjunction) == counts(swap) == (4, 0, 0, 0)


def test_a_comparison_takes_an_and_for_each_carry_and_back():
    bits = 5
    circuit = QuantumCircuit(2 * bits + 1)
    less_than(circuit, range(bits), range(bits, 2 * bits), 2 * bits)
    assert counts(circuit) == (4 * (2 * (bits - 2) + 1), 0, 0, 0)


def test_an_and_is_cleared_for_a_measurement():
    circuit = QuantumCircuit(3)
    temporary_and(circuit, 0, 1, 2)
    undo_and(circuit, 0, 1, 2)
    assert counts(circuit) == (0, 1, 0, 1)
    assert logical_resources(circuit).t_count(1e-6) == 4


def test_a_reflection_takes_what_amplitude_estimation_says():
    # 2k - 3 Toffoli gates with k controls; all but one of them up to a phase.
    for controls in (4, 7, 12):
        assert counts(synth_mcx_1_clean_kg24(controls))[0] == 4 * (2 * controls - 3) + 3


def test_every_clifford_gate_is_free_before_and_after_a_t_gate():
    cliffords = [Gates.from_label(name) for name in ("I", "H", "S", "X", "Y")]
    t_gate = Gates.from_label("T")
    for a in cliffords:
        for b in cliffords:
            for c in cliffords:
                assert of_unitary((a @ b @ c).data) == NonClifford(0, 0)
                assert of_unitary((a @ b @ t_gate @ c).data) == NonClifford(1, 0)


def test_depth_is_the_longest_chain():
    circuit = built(3, ("t", 0), ("t", 1), ("cx", 0, 1), ("ry", 0.3, 1), ("ccx", 0, 1, 2))
    assert logical_resources(circuit).depth == 3


def test_gates_are_found_inside_gates_and_under_controls_on_0():
    inner = built(3, ("ccx", 0, 1, 2), ("t", 0)).to_gate()
    circuit = QuantumCircuit(4)
    circuit.append(inner, [1, 2, 3])
    circuit.append(MCXGate(3, ctrl_state=0), [0, 1, 2, 3])
    circuit.append(XGate().control(2, ctrl_state=1), [0, 1, 2])
    assert counts(circuit) == (1, 4, 0, 1)


def test_measurements_on_the_way_are_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with pytest.raises(StateTooLargeError, match="'measure'"):
        logical_resources(circuit)


def test_rotations_cost_three_t_gates_a_bit():
    circuit = built(1, ("rz", 0.3, 0))
    found = logical_resources(circuit)
    assert found.t_count(2**-20) == 60
    twice = logical_resources(built(2, ("rz", 0.3, 0), ("rz", 0.3, 1)))
    assert twice.t_count(2**-20) == 2 * 63
