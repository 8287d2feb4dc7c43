"""Treatments leave what a circuit does, and lessen the noise that theory says they lessen."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector

from backends.aer import twirled
from backends.backend import CircuitJob
from backends.device_simulator import decoupled, scheduled
from backends.noise_methods import amplified, twirls
from compiler.errors import InputError
from compiler.judge import Kind
from compiler.scores.mitigation import extrapolated
from compiler.scores.scoring import Estimate
from compiler.targets.calibration import calibrated_target
from compiler.words.run_options import PLAIN, RunOptions

PAIRS = 10


def two_qubits(size=2):
    circuit = QuantumCircuit(size)
    circuit.sx([0, 1])
    for _ in range(PAIRS):
        circuit.cz(0, 1)
        circuit.rz(0.3, 0)
    circuit.sx([0, 1])
    return circuit


@pytest.mark.parametrize("noise", [1, 3, 5])
def test_repeated_gates_do_the_same(noise):
    folded = amplified(two_qubits(), noise)
    assert folded.count_ops()["cz"] == noise * PAIRS
    assert folded.count_ops()["rz"] == PAIRS
    assert Operator(folded).equiv(Operator(two_qubits()))


def test_a_gate_that_is_not_its_own_inverse_is_refused():
    circuit = QuantumCircuit(2)
    circuit.iswap(0, 1)
    with pytest.raises(InputError, match="a 'iswap' made 3 times is another gate"):
        amplified(circuit, 3)


@pytest.mark.parametrize(("shots", "forms"), [(1000, 25), (4096, 32), (2, 2), (34, 17)])
def test_shots_are_shared_by_forms(shots, forms):
    assert twirls(shots) == forms


def test_a_prime_number_of_shots_is_refused():
    with pytest.raises(InputError, match=r"shots = 997: .* such as 1000"):
        twirls(997)


def test_options_as_json():
    asked = RunOptions(decoupling=True, noise=3)
    assert RunOptions.from_json(asked.as_json()) == asked
    assert PLAIN.as_json() is None
    assert RunOptions.from_json(None) == PLAIN
    for wrong in ({"noise": 3.0}, {"noise": 2}, {"twirling": 1}, {"more": 1}):
        with pytest.raises(InputError, match="invalid"):
            RunOptions.from_json(wrong)


def expected_zero(circuit):
    """Return the probability that qubit 0 is 0."""
    return Statevector(circuit).probabilities([0])[0]


def echoed(circuit, rate):
    """Return a circuit in which idle qubits turn, as if each had another frequency than told."""
    turned = QuantumCircuit(circuit.num_qubits)
    for item in circuit.data:
        places = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == "delay":
            turned.rz(rate * item.operation.duration, places[0])
        elif item.operation.name != "barrier":
            turned.append(item.operation, places)
    return turned


def test_decoupling_undoes_slow_detuning_while_a_qubit_waits():
    target = calibrated_target("torino")
    circuit = QuantumCircuit(target.num_qubits)
    circuit.sx(0)
    circuit.barrier(0, 1)
    for _ in range(60):
        circuit.sx(1)
    circuit.barrier(0, 1)
    circuit.sx(0)
    circuit.x(0)

    def on_two(found):
        small = QuantumCircuit(2)
        for item in found.data:
            places = [found.find_bit(qubit).index for qubit in item.qubits]
            if max(places) < 2:
                small.append(item.operation, places)
        return small

    idle, kept = on_two(scheduled(circuit, "torino")), on_two(decoupled(circuit, target))
    of_first = [item.operation for item in idle.data if item.qubits == (idle.qubits[0],)]
    waits = sum(operation.duration for operation in of_first if operation.name == "delay")
    rate = 1.0 / waits
    assert expected_zero(echoed(idle, 0)) == pytest.approx(1)
    assert expected_zero(echoed(kept, 0)) == pytest.approx(1)
    assert expected_zero(echoed(idle, rate)) < 0.8
    assert expected_zero(echoed(kept, rate)) > 0.99


def test_twirling_keeps_coherent_errors_of_gates_from_adding_up():
    circuit = QuantumCircuit(133)
    circuit.compose(two_qubits(), [0, 1], inplace=True)
    job = CircuitJob(circuit, "heavy-hex:torino", 64, 3, run_options=RunOptions(twirling=True))
    forms = list(twirled(job, calibrated_target("torino")))
    assert sum(form.shots for form in forms) == 64
    assert len({form.seed for form in forms}) == len(forms)

    def played(found, error):
        small = QuantumCircuit(2)
        for item in found.data:
            places = [found.find_bit(qubit).index for qubit in item.qubits]
            small.append(item.operation, places)
            if item.operation.name == "cz":
                small.rzz(error, 0, 1)
        return Statevector(small).probabilities()

    right = played(circuit, 0)
    assert all(played(form.circuit, 0) == pytest.approx(right) for form in forms)
    off = sum(abs(played(circuit, 0.1) - right)) / 2
    averaged = sum(played(form.circuit, 0.1) for form in forms) / len(forms)
    assert sum(abs(averaged - right)) / 2 < off / 2


def straight(*values):
    return [Estimate(Kind.NUMBER, one, one - 0.1, one + 0.1, 7.0) for one in values]


def test_a_straight_line_is_found_with_its_interval():
    found = extrapolated([1, 3, 5], straight(6.0, 4.0, 2.0))
    assert found.measured == pytest.approx(7)
    assert found.low < 7 < found.high
    assert found.exact == 7
    assert extrapolated([1], straight(6.0)) is None
    missing = Estimate(Kind.NUMBER, None, None, None, 7.0)
    assert extrapolated([1, 3], [*straight(6.0), missing]) is None


def test_a_probability_stays_one():
    values = [Estimate(Kind.EVENT, one, one - 0.01, one + 0.01, 1.0) for one in (0.99, 0.9, 0.8)]
    found = extrapolated([1, 3, 5], values)
    assert (found.measured, found.high) == (1.0, 1.0)
