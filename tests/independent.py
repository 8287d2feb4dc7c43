"""What a native circuit does, by Aer and by Qiskit's operators; nothing here is ours."""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import BoxOp, Delay, Measure, Reset
from qiskit.circuit.library import Initialize, StatePreparation
from qiskit.quantum_info import Operator, Statevector
from qiskit_aer import AerSimulator

CLOSE = 1e-7


def split(circuit: QuantumCircuit) -> tuple[QuantumCircuit, dict[int, int]]:
    """Return a circuit's gates, and which qubit each classical bit is read from.

    A reset comes first, so that it changes nothing from |0…0⟩.
    """
    gates = QuantumCircuit(circuit.num_qubits, global_phase=circuit.global_phase)
    measured: dict[int, int] = {}
    _split(circuit, range(circuit.num_qubits), range(circuit.num_clbits), gates, measured)
    return gates, measured


def _split(
    circuit: QuantumCircuit,
    qubits: Sequence[int],
    clbits: Sequence[int],
    gates: QuantumCircuit,
    measured: dict[int, int],
) -> None:
    for item in circuit.data:
        operation = item.operation
        places = [qubits[circuit.find_bit(qubit).index] for qubit in item.qubits]
        bits = [clbits[circuit.find_bit(clbit).index] for clbit in item.clbits]
        if isinstance(operation, Measure):
            measured[bits[0]] = places[0]
        elif isinstance(operation, BoxOp) or bits:
            inside = operation.body if isinstance(operation, BoxOp) else operation.definition
            _split(inside, places, bits, gates, measured)
        elif isinstance(operation, Initialize):
            gates.append(StatePreparation(operation.params), places)
        elif not isinstance(operation, Reset | Delay):
            gates.append(operation, places)


def small(native: QuantumCircuit, layouts: Sequence[Sequence[int]]) -> tuple[QuantumCircuit, list]:
    """Return a native circuit's gates on those qubits only that matter, and which they are."""
    used = {native.find_bit(q).index for item in native.data for q in item.qubits}
    places = sorted(used.union(*layouts))
    circuit = QuantumCircuit(len(places), global_phase=native.global_phase)
    for item in native.data:
        indices = [places.index(native.find_bit(q).index) for q in item.qubits]
        circuit.append(item.operation, indices)
    return circuit, places


def require_same_counts(meant: QuantumCircuit, native: QuantumCircuit) -> None:
    """Fail if the distributions of the classical bits differ from |0…0⟩."""
    assert [(r.name, r.size) for r in native.cregs] == [(r.name, r.size) for r in meant.cregs]
    assert native.num_clbits == meant.num_clbits
    gates, measured = split(meant)
    physical, read = split(native)
    assert measured.keys() == read.keys()
    narrow, places = small(physical, [list(read.values())])
    bits = sorted(measured)
    wanted = Statevector(gates).probabilities([measured[bit] for bit in bits])
    got = _state(narrow).probabilities([places.index(read[bit]) for bit in bits])
    np.testing.assert_allclose(got, wanted, atol=CLOSE)


def require_same_state(meant: QuantumCircuit, native: QuantumCircuit, final: Sequence[int]) -> None:
    """Fail if the final states from |0…0⟩ differ by more than a global phase."""
    wanted = Statevector(split(meant)[0]).data
    narrow, places = small(split(native)[0], [final])
    got = _state(narrow).data[_spread(len(final), [places.index(place) for place in final])]
    assert abs(abs(np.vdot(wanted, got)) - 1) < CLOSE


def require_same_unitary(
    meant: QuantumCircuit,
    native: QuantumCircuit,
    initial: Sequence[int],
    final: Sequence[int],
) -> None:
    """Fail if the two differ by more than a global phase on any input, all other qubits |0⟩."""
    wanted = Operator(split(meant)[0]).data
    narrow, places = small(split(native)[0], [initial, final])
    entries = [_spread(len(at), [places.index(place) for place in at]) for at in (final, initial)]
    got = Operator(narrow).data[np.ix_(*entries)]
    phase = np.trace(wanted.conj().T @ got) / len(wanted)
    assert abs(abs(phase) - 1) < CLOSE
    np.testing.assert_allclose(got, phase * wanted, atol=10 * CLOSE)


def _state(circuit: QuantumCircuit) -> Statevector:
    plain = transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)
    plain.save_statevector()
    simulator = AerSimulator(method="statevector")
    return Statevector(simulator.run(plain).result().get_statevector())


def _spread(qubits: int, places: Sequence[int]) -> np.ndarray:
    """Return for each basis state of some qubits its index where bit i is at `places[i]`."""
    states = np.arange(1 << qubits)
    return sum((states >> i & 1) << place for i, place in enumerate(places))
