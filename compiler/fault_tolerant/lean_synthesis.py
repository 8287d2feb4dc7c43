"""Syntheses with few T gates, beside those with few two-qubit gates.

They use resources that only error-corrected machines afford: many clean qubits, ANDs that are
measured away, rotations by tables. So they stand apart from `compiler.synthesis.method`, by
whose ancillas every program would grow.
"""

from collections.abc import Callable
from functools import lru_cache

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Operation

from compiler.errors import InputError
from compiler.fault_tolerant.counting import logical_resources
from compiler.fault_tolerant.resources import PROGRAM_ERROR
from compiler.fault_tolerant.temporary_ands import by_ladder, rungs
from compiler.formats.plain_gates import append_plain
from compiler.registry import Registry
from compiler.synthesis.method import KEPT_CIRCUITS, Operator, methods, params_of, predictions
from compiler.synthesis.parameters import Number
from compiler.synthesis.segments import append_segments

CLEAN = "clean ancillas"
"""The register of the qubits, |0⟩ before and after, that syntheses with few T gates share; with a
space, so that no circuit that is read from OpenQASM has one."""

lean_syntheses: Registry[Callable[..., QuantumCircuit]] = Registry("lean synthesis")
"""By an operator's name, the function that builds it from its parameters: on its operands,
ancillas apart, and then on as many clean qubits as it needs."""


def clean_qubits(circuit: QuantumCircuit) -> int:
    """Return how many clean qubits beyond its own a circuit is lowered on with few T gates.

    Args:
        circuit: gates and operators, neighbours fused.
    """
    return max(
        (
            _lean(item.operation).num_qubits - len(item.qubits)
            for item in circuit.data
            if _is_lowered(item.operation)
        ),
        default=0,
    )


def lower_for_t_gates(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which every operator is replaced by its synthesis with fewest T gates.

    So is X or Z under three controls or more. All share the circuit's register `CLEAN`; if there
    is none, it is added as the last.

    Args:
        circuit: gates and operators, neighbours fused.

    Raises:
        InputError: if its own register `CLEAN` is too small.
    """
    wanted = clean_qubits(circuit)
    lowered = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    lowered.global_phase = circuit.global_phase
    clean = next((register for register in circuit.qregs if register.name == CLEAN), None)
    if clean is None:
        clean = QuantumRegister(max(0, wanted), CLEAN)
        lowered.add_register(clean)
    if clean.size < wanted:
        raise InputError(f"{circuit.name}: {clean.size} clean qubits, {wanted} are needed")
    for item in circuit.data:
        if _is_lowered(item.operation):
            built = _lean(item.operation)
            qubits = [*item.qubits, *clean][: built.num_qubits]
            append_segments(lowered, built, qubits, len(item.qubits), circuit.qubits)
        else:
            append_plain(lowered, item)
    return lowered


def _is_lowered(gate: Operation) -> bool:
    return isinstance(gate, Operator) or rungs(gate) > 0


def _lean(gate: Operation) -> QuantumCircuit:
    if not isinstance(gate, Operator):
        return by_ladder(gate)
    names = tuple(f"{gate.name}.{method}" for method in predictions(gate))
    return _fewest(gate.name, params_of(gate), names)


@lru_cache(KEPT_CIRCUITS)
def _fewest(name: str, params: tuple[Number, ...], names: tuple[str, ...]) -> QuantumCircuit:
    """Return the synthesis with fewest T gates, of equals that with fewest qubits.

    Rotations are priced as if the operator were the whole program.
    """
    ways = [methods[method].circuit(params) for method in names]
    if name in lean_syntheses:
        ways.append(lean_syntheses[name](*params))
    return min(
        ways, key=lambda way: (logical_resources(way).t_count(PROGRAM_ERROR), way.num_qubits)
    )
