"""Synthesis methods by name, as Qiskit's high-level synthesis knows them."""

from qiskit import QuantumCircuit
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.errors import UnknownNameError

OPERATORS = ("uniform_deal", "card_play", "trick_taking")


def synthesis_methods() -> tuple[str, ...]:
    """Return the names of all methods that some operator can be synthesised with."""
    manager = HighLevelSynthesisPluginManager()
    methods = {m: None for op in OPERATORS for m in manager.method_names(op) if m != "default"}
    return tuple(sorted(methods))


def lower_operators(circuit: QuantumCircuit, method: str) -> QuantumCircuit:
    """Return a circuit in which every operator is replaced by its synthesis, on one register.

    `transpile` would do so too, but nests the result, and Qiskit's own synthesis of the
    multi-controlled gates inside is worse there than at the top level.

    Args:
        circuit: gates and operators.
        method: a synthesis method; operators that do not have it use their default.

    Raises:
        UnknownNameError: if no operator has such a method.
    """
    if method not in synthesis_methods():
        known = ", ".join(synthesis_methods())
        raise UnknownNameError(f"unknown synthesis method '{method}'; known: {known}")
    plugins = HighLevelSynthesisPluginManager()
    lowered = QuantumCircuit(circuit.num_qubits, name=circuit.name)
    lowered.global_phase = circuit.global_phase
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        gate, qubits = item.operation, [index[qubit] for qubit in item.qubits]
        if gate.name in OPERATORS:
            chosen = method if method in plugins.method_names(gate.name) else "default"
            synthesised = plugins.method(gate.name, chosen).run(gate)
            lowered.compose(synthesised, qubits, inplace=True)
        else:
            lowered.append(gate, qubits)
    return lowered
