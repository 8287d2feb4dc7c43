"""Synthesis methods by name, as Qiskit's high-level synthesis knows them."""

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Gate

from compiler.circuits.gate_basis import in_basis
from compiler.errors import UnknownNameError
from compiler.fault_tolerant.lean_synthesis import clean_qubits, lower_for_t_gates
from compiler.formats.plain_gates import append_plain
from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.operators.lazy_copies import arranged, fuse_neighbours, without_idle_copies
from compiler.synthesis.method import is_operator, synthesised
from compiler.synthesis.segments import append_segments

LEAN = "lean"

METHODS = ("cheapest", LEAN, "literal")
"""Names of the ways to synthesise a program's operators.

Each operator by the method that predicts the fewest two-qubit gates; with fewest T gates, on
further clean qubits in a register of their own; or as in the papers."""


def lower_operators(circuit: QuantumCircuit, method: str, seed: int = 0) -> QuantumCircuit:
    """Return a circuit in which every operator is replaced by its synthesis, on one register.

    `transpile` would do so too, but nests the result, and Qiskit's own synthesis of the
    multi-controlled gates inside is worse there than at the top level.

    Gates whose class does not define them become their definition.

    Args:
        circuit: gates and operators.
        method: `literal`, where operators without such a construction use the cheapest;
            `cheapest`; or `lean`, for fewest T gates, on further qubits if the circuit has no
            register for them. All but `literal` fuse rounds, and `cheapest` drops idle copies
            too; they keep the distribution of the cards' registers, but not branch phases and
            histories.
        seed: of the arrangement of interchangeable operands.

    Raises:
        UnknownNameError: if there is no such method.
    """
    synthesised = _synthesised(circuit, method, seed)
    if method in ("literal", LEAN) or not any(map(is_operator, circuit.data)):
        return synthesised
    return without_idle_copies(synthesised)


def clean_qubits_for(circuit: QuantumCircuit) -> int:
    """Return how many clean qubits beyond a circuit's own its `lean` synthesis takes."""
    return clean_qubits(fuse_neighbours(circuit))


def _synthesised(circuit: QuantumCircuit, method: str, seed: int) -> QuantumCircuit:
    if method not in METHODS:
        raise UnknownNameError(f"unknown synthesis method '{method}'; known: {', '.join(METHODS)}")
    if method == LEAN:
        return lower_for_t_gates(fuse_neighbours(circuit))
    source = circuit if method == "literal" else arranged(fuse_neighbours(circuit), seed)
    lowered = QuantumCircuit(circuit.num_qubits, name=circuit.name)
    lowered.global_phase = circuit.global_phase
    index = {qubit: lowered.qubits[i] for i, qubit in enumerate(source.qubits)}
    for item in source.data:
        qubits = [index[qubit] for qubit in item.qubits]
        if is_operator(item):
            built = synthesised(item.operation, method)
            append_segments(lowered, built, qubits, len(qubits), lowered.qubits)
        else:
            append_plain(lowered, item.replace(qubits=qubits))
    return lowered


def _synthesise(draft: Draft, setting: Setting) -> Draft:
    return evolve(draft, circuit=_synthesised(draft.circuit, setting.synthesis, setting.seed))


BASIS = ("cx", "u", "h", "p", "t", "tdg")
"""Gates of wide ones; phases stay apart, which other passes move past CX."""

TOFFOLI = 3
"""Qubits up to which dirty ancillas are of no use."""


def _build_wide_gates(draft: Draft, setting: Setting) -> Draft:
    """Build gates on three or more qubits without taking other qubits for clean ones.

    Other qubits are dirty ancillas. Narrow gates stay as they are: a swap may yet cost nothing.
    """
    circuit = draft.circuit
    if not setting.any_input or not any(_is_wide(item) for item in circuit.data):
        return draft
    built = circuit.copy_empty_like()
    singletons: dict[tuple[type[Gate], int], QuantumCircuit] = {}
    for item in circuit.data:
        if not _is_wide(item):
            built.append(item)
            continue
        gate, qubits = item.operation, list(item.qubits)
        if len(qubits) > TOFFOLI:
            qubits += [qubit for qubit in circuit.qubits if qubit not in item.qubits]
        key = gate.base_class, len(qubits)
        narrow = None if gate.mutable else singletons.get(key)
        if narrow is None:
            alone = QuantumCircuit(len(qubits))
            alone.append(gate, range(gate.num_qubits))
            narrow = singletons[key] = in_basis(alone, BASIS)
        built.compose(narrow, qubits, inplace=True)
    return evolve(draft, circuit=built)


def _is_wide(item: CircuitInstruction) -> bool:
    return len(item.qubits) > 2 and item.name != "barrier"


synthesis = Pass("synthesise", _synthesise, establishes={Property.GATES}, takes_parameters=True)
wide_gates = Pass(
    "wide-gates", _build_wide_gates, establishes={Property.GATES}, takes_parameters=True
)
