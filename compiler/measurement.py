"""Final measurements: taken off before lowering, put back where the qubits ended up."""

from collections.abc import Mapping

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Barrier, Gate, Measure, Qubit, Reset
from qiskit.transpiler import PassManager
from qiskit.transpiler.passes import ApplyLayout, SetLayout

from compiler.errors import StateTooLargeError


def final_measurements(circuit: QuantumCircuit) -> tuple[QuantumCircuit, Mapping[int, int]]:
    """Split a circuit into its gates and its final measurements.

    Returns:
        The circuit without measurements and classical bits, and the qubit that each measured
        classical bit reads.

    Raises:
        StateTooLargeError: if the circuit measures, resets or branches before its end, so that
            no single state describes it.
    """
    qubits = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    clbits = {clbit: i for i, clbit in enumerate(circuit.clbits)}
    measured: dict[int, int] = {}
    gates = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    gates.global_phase = circuit.global_phase
    done: set[int] = set()
    for item in circuit.data:
        touched = {qubits[qubit] for qubit in item.qubits}
        if isinstance(item.operation, Measure) and not touched & done:
            measured[clbits[item.clbits[0]]] = touched.pop()
            done |= {measured[clbits[item.clbits[0]]]}
        elif isinstance(item.operation, Barrier):
            gates.append(item)
        elif item.clbits or touched & done or isinstance(item.operation, Reset):
            raise StateTooLargeError("the circuit measures, resets or branches before its end")
        elif not isinstance(item.operation, Gate):
            raise StateTooLargeError(f"'{item.operation.name}' is neither a gate nor a measurement")
        else:
            gates.append(item)
    return gates, dict(sorted(measured.items()))


def without_first_resets(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without resets of qubits that nothing has acted on.

    It does the same from |0…0⟩. Returns the circuit itself if there are no such resets.
    """
    kept = circuit.copy_empty_like()
    touched: set[Qubit] = set()
    for item in circuit.data:
        if isinstance(item.operation, Reset) and not touched.intersection(item.qubits):
            continue
        if not isinstance(item.operation, Barrier):
            touched.update(item.qubits)
        kept.append(item)
    return circuit if len(kept.data) == len(circuit.data) else kept


def measure_at(
    native: QuantumCircuit, final_layout: tuple[int, ...], program: QuantumCircuit
) -> QuantumCircuit:
    """Return `native` with the final measurements of `program`, into registers of the same names.

    Args:
        native: gates on physical qubits.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        program: the circuit whose classical registers and measurements are wanted.

    Returns:
        A circuit marked as being on physical qubits, so that OpenQASM 3 calls them `$q`.
    """
    _, measured = final_measurements(program)
    circuit = QuantumCircuit(QuantumRegister(native.num_qubits, "q"), name=program.name)
    circuit.compose(native, inplace=True)
    circuit.add_bits(program.clbits)
    for register in program.cregs:
        circuit.add_register(register)
    for clbit, qubit in measured.items():
        circuit.measure(final_layout[qubit], program.clbits[clbit])
    on_itself = SetLayout(list(range(native.num_qubits)))
    return PassManager([on_itself, ApplyLayout()]).run(circuit)
