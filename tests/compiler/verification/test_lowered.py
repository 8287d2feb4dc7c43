"""A native toy is proven right, and every native toy that is wrong is refused."""

import random
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate, CZGate, RXGate, RZGate, SwapGate
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator

from compiler.errors import VerificationError
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements, measure_at
from compiler.targets import target_from_spec
from compiler.verification.program import Verdict, require_native, verify_lowered
from compiler.verification.simulation.exact import exact_state
from games import encoded

SIMULATOR = AerSimulator(method="statevector", fusion_enable=False, max_parallel_threads=1)


class Native(NamedTuple):
    """A program, what it prepares, and what it was lowered to."""

    program: QuantumCircuit
    reference: object
    gates: QuantumCircuit
    layout: tuple[int, ...]
    target: object

    def verify(self, circuit):
        return verify_lowered(self.program, self.reference, circuit, self.layout, self.target)

    def verify_gates(self, gates):
        return self.verify(measure_at(gates, self.layout, self.program))


@pytest.fixture(scope="module")
def native(toy):
    program = encoded(toy, "paper").circuit
    gates = lower_operators(final_measurements(program)[0], "cheapest")
    target = target_from_spec("star:17")
    lowered = level_3(gates, target, 0)
    return Native(program, exact_state(gates), lowered.circuit, lowered.final_layout, target)


def edited(circuit, place, *replacement):
    """Return a circuit with the gate at `place` replaced by (gate, qubit indices) pairs."""
    copy = circuit.copy_empty_like()
    for i, item in enumerate(circuit.data):
        if i != place:
            copy.append(item)
            continue
        for gate, qubits in replacement:
            copy.append(gate, qubits)
    return copy


def leaf(rng):
    return rng.randrange(1, 17)


MISTAKES = {
    "a missing gate": (None, lambda gate, qubits, rng: []),
    "an angle": (
        "rz",
        lambda gate, qubits, rng: [(RZGate(gate.params[0] + rng.uniform(0.1, 3)), qubits)],
    ),
    "a gate on another qubit": (
        "sx",
        lambda gate, qubits, rng: [(gate, [(qubits[0] + leaf(rng)) % 17])],
    ),
    "control and target swapped": ("cx", lambda gate, qubits, rng: [(gate, qubits[::-1])]),
    "one more two-qubit gate": (
        None,
        lambda gate, qubits, rng: [
            (gate, qubits),
            (CXGate(), [0, leaf(rng)][:: rng.choice([1, -1])]),
        ],
    ),
}
"""Native gates that come in the place of a gate of some name, or of any."""


def states_before(circuit, places):
    """Return Aer's states just before the gates at some places."""
    saving = circuit.copy_empty_like()
    for i, item in enumerate(circuit.data):
        if i in places:
            saving.save_statevector(label=str(i))
        saving.append(item)
    result = SIMULATOR.run(saving).result()
    assert result.success
    return [Statevector(np.asarray(result.data()[str(place)])) for place in places]


def applied(state, gates):
    for gate, qubits in gates:
        state = state.evolve(gate, qubits)
    return state


def test_what_was_lowered_is_right(native):
    found = native.verify_gates(native.gates)
    assert found.verified == "exact"
    assert found.detail.startswith("24 amplitudes equal up to a global phase (off by ")


@pytest.mark.parametrize(("name", "mistake"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_refused_if_and_only_if_they_change_the_state(native, name, mistake):
    """Aer says which of six at random places do; some gates act on a qubit that is 0."""
    rng = random.Random(2)
    gates = native.gates.data
    places = rng.sample([i for i, g in enumerate(gates) if name in (None, g.operation.name)], 6)
    refused = 0
    for place, state in zip(places, states_before(native.gates, places), strict=True):
        gate = gates[place].operation
        qubits = [native.gates.find_bit(qubit).index for qubit in gates[place].qubits]
        wrong = mistake(gate, qubits, rng)
        after = applied(state, [(gate, qubits)])
        lost = 1 - abs(np.vdot(after.data, applied(state, wrong).data)) ** 2
        assert lost < 1e-10 or lost > 1e-7, "too close to say who is right"
        broken = edited(native.gates, place, *wrong)
        require_native(broken, native.target)
        if lost < 1e-10:
            assert native.verify_gates(broken).verified == "exact"
            continue
        refused += 1
        with pytest.raises(VerificationError, match="fidelity to the program's is"):
            native.verify_gates(broken)
    assert refused >= 4


def test_a_wrong_layout_is_refused(native):
    first, second, *rest = native.layout
    wrong = native._replace(layout=(second, first, *rest))
    with pytest.raises(VerificationError, match="fidelity"):
        wrong.verify_gates(native.gates)
    with pytest.raises(VerificationError, match="do not read the program's qubits"):
        wrong.verify(measure_at(native.gates, native.layout, native.program))


def measured(native, order):
    """Return the native circuit with outcome bit i read from owner qubit `order[i]`."""
    circuit = native.gates.copy()
    circuit.add_register(*native.program.cregs)
    for clbit, qubit in enumerate(order):
        circuit.measure(native.layout[qubit], clbit)
    return circuit


@pytest.mark.parametrize(
    "order", [(1, 0, 2, 3), (0, 1, 2), (), (0, 1, 2, 4)], ids=["swapped", "short", "none", "other"]
)
def test_wrong_measurements_are_refused(native, order):
    assert native.verify(measured(native, range(4))).verified == "exact"
    with pytest.raises(VerificationError, match="do not read the program's qubits"):
        native.verify(measured(native, order))


@pytest.mark.parametrize(
    ("gate", "qubits"),
    [
        (CZGate(), (0, 1)),
        (RXGate(0.1), (2,)),
        (CXGate(ctrl_state=0), (0, 1)),
        (CXGate(), (1, 2)),
        (SwapGate(), (0, 1)),
    ],
    ids=["cz", "rx", "open cx", "no such edge", "swap"],
)
def test_gates_and_edges_that_are_not_native_are_refused(native, gate, qubits):
    circuit = native.gates.copy()
    circuit.append(gate, qubits)
    with pytest.raises(VerificationError) as error:
        native.verify_gates(circuit)
    assert str(error.value) == f"gate '{gate.name}' on qubits {qubits} is not native"


def test_a_state_that_is_too_large_is_unverified_never_fine(native, monkeypatch):
    from compiler.verification import program

    monkeypatch.setattr(program, "exact_state", partial(program.exact_state, max_amplitudes=8))
    assert native.verify_gates(native.gates) == Verdict(
        "unverified", "the state has more than 8 amplitudes"
    )
