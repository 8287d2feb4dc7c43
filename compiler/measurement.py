"""Final measurements: taken off before lowering, put back where the qubits ended up."""

from collections.abc import Mapping, Sequence

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Barrier, CircuitInstruction, Gate, Measure, Qubit, Reset
from qiskit.transpiler import Layout, PassManager, TranspileLayout
from qiskit.transpiler.passes import ApplyLayout, SetLayout

from compiler.circuits.basis_states import changed_qubits
from compiler.dynamic.pieces import final_part, of_items
from compiler.errors import StateTooLargeError


def final_measurements(circuit: QuantumCircuit) -> tuple[QuantumCircuit, Mapping[int, int]]:
    """Split a circuit into its gates and its final measurements.

    Barriers that no gate follows, as `measure_all` puts before measurements, are left out: they
    would keep passes from building the circuit anew.

    Returns:
        The circuit without measurements and classical bits, and the qubit that each measured
        classical bit reads.

    Raises:
        StateTooLargeError: if the circuit measures, resets or branches before its end, so that
            no single state describes it.
    """
    remaining, measured = final_part(circuit)
    items: list[CircuitInstruction] = []
    followed: set[Qubit] = set()
    for item in reversed([*remaining.data]):
        if not item.is_standard_gate():
            if item.clbits or isinstance(item.operation, Reset):
                raise StateTooLargeError("the circuit measures, resets or branches before its end")
            if not isinstance(item.operation, Gate | Barrier):
                raise StateTooLargeError(f"'{item.name}' is neither a gate nor a measurement")
        if item.name != "barrier":
            followed.update(item.qubits)
        elif followed.isdisjoint(item.qubits):
            continue
        items.append(item)
    gates = QuantumCircuit(circuit.qubits, *circuit.qregs, name=circuit.name)
    gates.global_phase = circuit.global_phase
    return of_items(reversed(items), gates), measured


def without_first_resets(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without resets of qubits that nothing has acted on.

    It does the same from |0…0⟩. Returns the circuit itself if there are no such resets.
    """
    result = circuit.copy_empty_like()
    touched: set[Qubit] = set()
    for item in circuit.data:
        if isinstance(item.operation, Reset) and not touched.intersection(item.qubits):
            continue
        if not isinstance(item.operation, Barrier):
            touched.update(item.qubits)
        result.append(item)
    return circuit if len(result.data) == len(circuit.data) else result


def without_measured_phases(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without phases that its measurements discard.

    These are diagonal gates whose qubits are all measured or reset before their basis states
    change. They commute with all that comes between, and then change only the phase of each
    outcome. Returns the circuit itself if there are none.
    """
    items: list[CircuitInstruction] = []
    read: set[Qubit] = set()
    for item in reversed(circuit.data):
        if isinstance(item.operation, Measure | Reset):
            read.update(item.qubits)
        elif not (read.isdisjoint(item.qubits) or isinstance(item.operation, Barrier)):
            changed = changed_qubits(item)
            if not changed and read.issuperset(item.qubits):
                continue
            read -= changed
        items.append(item)
    if len(items) == len(circuit.data):
        return circuit
    return of_items(reversed(items), circuit.copy_empty_like())


def measure_at(
    native: QuantumCircuit, final_layout: tuple[int, ...], program: QuantumCircuit
) -> QuantumCircuit:
    """Return `native` with the final measurements of `program`, into registers of the same names.

    Args:
        native: gates on physical qubits, and measurements on the way into bits in the same order.
        final_layout: for each program qubit, the physical qubit that holds it at the end; see
            `compiler.lowering.draft.Draft`.
        program: the circuit whose classical registers and measurements are wanted.

    Returns:
        A circuit marked as being on physical qubits, so that OpenQASM 3 calls them `$q`.
    """
    _, measured = final_part(program)
    circuit = QuantumCircuit(
        QuantumRegister(native.num_qubits, "q"), program.clbits, *program.cregs, name=program.name
    )
    circuit.compose(native, circuit.qubits, circuit.clbits[: native.num_clbits], inplace=True)
    for clbit, qubit in measured.items():
        circuit.measure(final_layout[qubit] % native.num_qubits, program.clbits[clbit])
    on_itself = SetLayout(list(range(native.num_qubits)))
    return PassManager([on_itself, ApplyLayout()]).run(circuit)


def with_layout(
    native: QuantumCircuit, program: QuantumCircuit, begin: Sequence[int], end: Sequence[int]
) -> QuantumCircuit:
    """Return a native circuit with its layout, on whose other qubits nothing of a program is.

    Stretches between resets have none, so that each qubit's own place stays in it.

    Args:
        native: as `measure_at` returns it; changed.
        program: the circuit of which it was made.
        begin: for each program qubit, the physical qubit that holds it at the start.
        end: the same at the end.
    """
    if not {*begin, *end} <= {*range(native.num_qubits)}:
        return native
    ancillas = QuantumRegister(native.num_qubits - len(begin))
    places = range(native.num_qubits)
    virtual = [*program.qubits, *ancillas]
    first = [*begin, *(place for place in places if place not in {*begin})]
    last = [*end, *(place for place in places if place not in {*end})]
    initial = Layout(dict(zip(virtual, first, strict=True)))
    for register in (*program.qregs, ancillas):
        initial.add_register(register)
    final = Layout({native.qubits[a]: b for a, b in zip(first, last, strict=True)})
    numbers = {qubit: number for number, qubit in enumerate(virtual)}
    native._layout = TranspileLayout(initial, numbers, final, len(begin), [*native.qubits])
    return native


def registers_of(circuit: QuantumCircuit) -> dict[str, list[int]]:
    """Return for each classical register of a circuit the numbers of its bits, its bit 0 first.

    Registers that only name bits of others anew are left out.
    """
    result: dict[str, list[int]] = {}
    seen: set[int] = set()
    for register in circuit.cregs:
        bits = [circuit.find_bit(bit).index for bit in register]
        if not seen.issuperset(bits):
            result[register.name] = bits
            seen.update(bits)
    return result


def register_order(circuit: QuantumCircuit) -> str:
    """Return the order of several registers in a bitstring; empty for one register."""
    registers = registers_of(circuit)
    listed = [place for bits in registers.values() for place in bits]
    if len(registers) < 2 or listed != list(range(circuit.num_clbits)):
        return ""
    widths = (f"{name}[{len(bits)}]" for name, bits in reversed(registers.items()))
    return f"; from the left: {', '.join(widths)}"


def bitstrings(counts: Mapping[int, int], bits: int) -> dict[str, int]:
    """Return shots by bitstring, classical bit 0 on the right, in the order of these numbers."""
    return {format(measured, f"0{bits}b"): n for measured, n in sorted(counts.items())}
