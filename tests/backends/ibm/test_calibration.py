"""What IBM tells of a device's errors: of what a circuit does alone, whatever else is sent."""

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from backends.calibration import errors_met, uses_of
from backends.ibm.calibration import told_errors
from compiler.scores.calibration_change import CalibratedError
from tests.backends.ibm.simulated import job


def branching():
    circuit = QuantumCircuit(QuantumRegister(3), ClassicalRegister(1, "c"))
    circuit.cz(0, 1)
    circuit.cz(1, 0)
    circuit.barrier()
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(2)
    return circuit


def test_uses_are_counted_in_branches_and_in_both_directions():
    assert uses_of(branching()) == {("cz", (0, 1)): 2, ("readout", (0,)): 1, ("x", (2,)): 1}


PROPERTIES = {
    "qubits": [
        [{"name": "T1", "value": 100}, {"name": "readout_error", "value": 0.012}],
        [{"name": "readout_error", "value": 0.5}],
    ],
    "gates": [
        {"gate": "cz", "qubits": [1, 0], "parameters": [{"name": "gate_error", "value": 0.004}]},
        {"gate": "cz", "qubits": [1, 2], "parameters": [{"name": "gate_error", "value": 0.1}]},
    ],
}


def test_what_it_uses_is_told():
    assert errors_met(told_errors(PROPERTIES), branching()) == (
        CalibratedError("cz", (0, 1), 0.004, 2),
        CalibratedError("readout", (0,), 0.012, 1),
    )


@pytest.mark.parametrize(
    "told",
    [
        None, [], {}, "x", {"qubits": 3, "gates": {}}, {"qubits": [3, None, [None, 3]]},
        {"qubits": [[{"name": "readout_error", "value": "0.1"}]]},
        {"qubits": [[{"name": "readout_error", "value": 1e999}]]},
        {"qubits": [[{"name": "readout_error", "value": -0.1}]]},
        {"gates": [3, {"gate": 3, "qubits": [0]}, {"gate": "cz", "qubits": ["0", 1]}]},
        {"gates": [{"gate": "cz", "qubits": [0, 1], "parameters": [{"name": "gate_error"}]}]},
    ],
)  # fmt: skip
def test_anything_else_tells_nothing(told):
    assert errors_met(told_errors(told), branching()) == ()


def test_the_simulated_device_tells_its_snapshot(torino):
    told = torino.calibration(job())
    assert told.at[:4].isdigit()
    errors = {(one.what, one.on): one for one in told.errors}
    assert errors.keys() == {("x", (0,)), ("sx", (4,)), ("readout", (0,)), ("readout", (1,)),
                             ("readout", (4,))}  # fmt: skip
    assert errors["readout", (4,)].uses == 2
    assert all(0 < one.error < 0.5 for one in told.errors)
