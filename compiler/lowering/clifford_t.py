"""Native gates in which T gates stay what they are."""

from attrs import evolve
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import ALL, Pass

LEVEL = 1
"""Qiskit's optimisation level: from the second on it writes blocks anew with whatever angles."""


def _uncoupled(target: Target) -> bool:
    return target.build_coupling_map() is None


def _to_clifford_t(draft: Draft, setting: Setting) -> Draft:
    """Return native gates, a rotation of the draft's for each of theirs that is no Clifford gate.

    Toffoli gates are seven T gates each. Swaps are none: the final layout says where qubits are.
    """
    swapless, places = _without_swaps(draft.circuit)
    native = transpile(
        swapless,
        target=setting.target,
        optimization_level=LEVEL,
        seed_transpiler=setting.seed,
        qubits_initially_zero=not setting.any_input,
    )
    return evolve(draft, circuit=native, final_layout=tuple(places[q] for q in draft.final_layout))


def _without_swaps(circuit: QuantumCircuit) -> tuple[QuantumCircuit, list[int]]:
    """Return a circuit without its swaps, and where each qubit is at its end."""
    kept = circuit.copy_empty_like()
    places = list(range(circuit.num_qubits))
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == "swap":
            a, b = qubits
            places[a], places[b] = places[b], places[a]
        else:
            kept.append(item.operation, [places[qubit] for qubit in qubits])
    return kept, places


clifford_t = Pass("clifford-t", _to_clifford_t, establishes=ALL, suits=_uncoupled)
