"""Circuits that measure on the way, and an independent reference for what they do."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, Clbit, QuantumRegister
from qiskit.quantum_info import Operator

KETS = (np.diag([1.0, 0.0]), np.diag([0.0, 1.0]))
FLIP = np.array([[0.0, 1.0], [1.0, 0.0]])
Memory = tuple[bool, ...]


def teleported() -> QuantumCircuit:
    """Return the teleportation of a state, with corrections, and a fresh use of a qubit."""
    circuit = QuantumCircuit(3, 3, name="teleported")
    circuit.u(0.3, 0.4, 0.5, 0)
    teleport(circuit)
    circuit.reset(0)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(2, 2)
    return circuit


def teleport(circuit: QuantumCircuit) -> None:
    """Bring the state of qubit 0 to qubit 2, by a Bell pair, two measurements and corrections."""
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.z(2)


def random_dynamic(seed: int, qubits: int = 3, size: int = 14) -> QuantumCircuit:
    """Return gates, measurements, resets and branches at random."""
    rng = np.random.default_rng(seed)
    register = ClassicalRegister(2, "r")
    circuit = QuantumCircuit(QuantumRegister(qubits, "q"), register, ClassicalRegister(2, "s"))
    circuit.name = f"random-{seed}"
    _grow(circuit, rng, size, depth=0)
    for qubit in range(int(rng.integers(qubits + 1))):
        circuit.measure(qubit, circuit.clbits[int(rng.integers(4))])
    return circuit


def _grow(circuit: QuantumCircuit, rng: np.random.Generator, size: int, depth: int) -> None:
    register, bits = circuit.cregs[0], circuit.clbits
    for _ in range(size):
        a, b = rng.permutation(circuit.num_qubits)[:2].tolist()
        match rng.integers(10):
            case 0 | 1:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
            case 2 | 3:
                circuit.cx(a, b)
            case 4:
                circuit.crx(float(rng.uniform(-3, 3)), a, b)
            case 5 | 6:
                circuit.measure(a, bits[int(rng.integers(len(bits)))])
            case 7:
                circuit.reset(a)
            case 8 if depth < 2:
                with circuit.if_test((bits[int(rng.integers(4))], int(rng.integers(2)))) as other:
                    _grow(circuit, rng, 3, depth + 1)
                with other:
                    _grow(circuit, rng, 2, depth + 1)
            case 9 if depth < 2:
                with circuit.switch(register) as case:
                    with case(0, 3):
                        _grow(circuit, rng, 2, depth + 1)
                    with case(2):
                        _grow(circuit, rng, 2, depth + 1)
                    if rng.integers(2):
                        with case(case.DEFAULT):
                            _grow(circuit, rng, 2, depth + 1)


def exact_mixture(circuit: QuantumCircuit) -> dict[Memory, Any]:
    """Return the unnormalised density matrix by the values of the classical bits, from |0…0⟩."""
    size = 1 << circuit.num_qubits
    start = np.zeros((size, size), complex)
    start[0, 0] = 1
    return _run(circuit, {(False,) * circuit.num_clbits: start}, circuit)


def distribution(circuit: QuantumCircuit) -> dict[int, float]:
    """Return the distribution of the classical bits."""
    return {
        sum(bit << place for place, bit in enumerate(memory)): float(np.trace(matrix).real)
        for memory, matrix in exact_mixture(circuit).items()
        if np.trace(matrix).real > 1e-12
    }


def _run(
    circuit: QuantumCircuit, mixture: Mapping[Memory, Any], whole: QuantumCircuit
) -> dict[Memory, Any]:
    found = dict(mixture)
    for item in circuit.data:
        places = [whole.find_bit(qubit).index for qubit in item.qubits]
        then: dict[Memory, Any] = {}
        for memory, matrix in found.items():
            for after, rest in _step(item, places, memory, matrix, whole):
                then[after] = then.get(after, 0) + rest
        found = then
    return found


def _step(item: Any, places: list[int], memory: Memory, matrix: Any, whole: QuantumCircuit) -> Any:
    operation = item.operation
    match operation.name:
        case "measure":
            clbit = whole.find_bit(item.clbits[0]).index
            for value in (0, 1):
                after = (*memory[:clbit], bool(value), *memory[clbit + 1 :])
                yield after, _acted(KETS[value], places, matrix, whole)
        case "reset":
            yield (
                memory,
                _acted(KETS[0], places, matrix, whole)
                + _acted(FLIP @ KETS[1], places, matrix, whole),
            )
        case "if_else" | "switch_case":
            block = _block(operation, memory, whole)
            if block is None:
                yield memory, matrix
            else:
                placed = whole.copy_empty_like()
                placed.compose(block, item.qubits, item.clbits, inplace=True)
                yield from _run(placed, {memory: matrix}, whole).items()
        case "barrier":
            yield memory, matrix
        case _:
            yield memory, _acted(Operator(operation).data, places, matrix, whole)


def _block(operation: Any, memory: Memory, whole: QuantumCircuit) -> QuantumCircuit | None:
    if operation.name == "if_else":
        asked, wanted = operation.condition
        place = 0 if _read(asked, memory, whole) == wanted else 1
        return operation.blocks[place] if place < len(operation.blocks) else None
    value = _read(operation.target, memory, whole)
    default = None
    for labels, block in operation.cases_specifier():
        if value in labels:
            return block
        if any(not isinstance(label, int) for label in labels):
            default = block
    return default


def _read(asked: Clbit | ClassicalRegister, memory: Memory, whole: QuantumCircuit) -> int:
    bits = [asked] if isinstance(asked, Clbit) else list(asked)
    return sum(memory[whole.find_bit(bit).index] << place for place, bit in enumerate(bits))


def _acted(gate: Any, places: list[int], matrix: Any, whole: QuantumCircuit) -> Any:
    """Return G ρ G†, the gate's first qubit being its low bit."""
    qubits, size = whole.num_qubits, len(gate)
    full = np.zeros((1 << qubits, 1 << qubits), complex)
    others = [q for q in range(qubits) if q not in places]
    for rest in range(1 << len(others)):
        base = sum((rest >> i & 1) << q for i, q in enumerate(others))
        index = [base + sum((k >> i & 1) << q for i, q in enumerate(places)) for k in range(size)]
        full[np.ix_(index, index)] = gate
    return full @ matrix @ full.conj().T
