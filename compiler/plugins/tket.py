"""Our whole lowering as a pass of tket's."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit
from qiskit.circuit import Parameter
from qiskit.circuit.library import RZGate
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.caches import own_cache
from compiler.compilation import Options, compile
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import LoweringError
from compiler.formats.parameter_values import bound_at_random
from compiler.lowering.tket import radians_of, turns_of
from compiler.program import Program
from compiler.synthesis.parameters import is_free

if TYPE_CHECKING:
    from pytket.circuit import Circuit, Qubit
    from pytket.passes import BasePass
    from pytket.unit_id import UnitID
    from sympy import Expr

    Maps = tuple[dict[UnitID, UnitID], dict[UnitID, UnitID]]


def lowering_pass(target: str | Target | BackendV2, options: Options | None = None) -> "BasePass":
    """Return a pass that lowers circuits to a target: native gates on coupled nodes, proven.

    Qubit i of the target is `Node(i)`. A `CompilationUnit` is told by the pass where each qubit
    begins and ends. A circuit that is measured is taken to begin with |0…0⟩, and may then do
    something else on other inputs; one that is not does the same on any input.

    Args:
        target: as of `compiler.compilation.compile`.
        options: how; by default one quick attempt.

    Returns:
        A pass that raises `LoweringError` on circuits that measure, reset or branch on the way, and
        the errors of `compile`. Symbols stay symbols.
    """
    from pytket.passes import CustomPassMap

    chosen = options or Options("fast")

    def transform(circuit: "Circuit") -> tuple["Circuit", "Maps"]:
        return _lowered(circuit, target, chosen)

    return CustomPassMap(transform, "stichwerk")


def _lowered(
    circuit: "Circuit", target: str | Target | BackendV2, options: Options
) -> tuple["Circuit", "Maps"]:
    # It loads IBM's SDK, which takes seconds.
    from pytket.circuit import Node
    from pytket.extensions.qiskit import qiskit_to_tk, tk_to_qiskit

    circuit_ = _from_symbols(circuit) if circuit.free_symbols() else tk_to_qiskit(circuit)
    if is_dynamic(circuit_):
        raise LoweringError(
            "pass 'stichwerk' does not support mid-circuit measurements; lower this circuit with "
            "compiler.compilation.compile"
        )
    with own_cache():
        compiled = compile(Program.of_circuit(circuit_), target, options)
    chosen = compiled.chosen
    inputs = [_tket_qubit(circuit_, place) for place in range(circuit_.num_qubits)]
    starts, ends = (
        [Node(at) for at in layout] for layout in (chosen.initial_layout, chosen.final_layout)
    )
    (numeric,) = next(bound_at_random(compiled.circuit))
    native = qiskit_to_tk(numeric)
    reserved: set[Qubit] = {*starts, *ends}
    return (
        _on_nodes(native, circuit, reserved, _symbolic(compiled.circuit)),
        (dict(zip(inputs, starts, strict=True)), dict(zip(inputs, ends, strict=True))),
    )


Place = tuple[int, int]
"""A gate's first qubit, and how many gates on that qubit come before it."""


def _placed(first_qubits: Iterable[Sequence[int]]) -> Iterator[Place]:
    """Yield the place of each gate, by which it is found where gates have another order."""
    seen: Counter[int] = Counter()
    for qubits in first_qubits:
        yield qubits[0], seen[qubits[0]]
        seen.update(qubits)


def _from_symbols(circuit: "Circuit") -> QuantumCircuit:
    """Return a circuit with parameters for symbols; tket's extension converts numbers only."""
    from pytket.circuit import OpType
    from pytket.extensions.qiskit import tk_to_qiskit
    from pytket.passes import AutoRebase

    plain = circuit.copy()
    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(plain)
    parameters = {str(symbol): Parameter(str(symbol)) for symbol in circuit.free_symbols()}
    index = {qubit: place for place, qubit in enumerate(plain.qubits)}
    commands = plain.get_commands()
    angles = {
        place: radians_of(command.op.params[0], parameters)
        for place, command in zip(
            _placed([index[q] for q in command.qubits] for command in commands),
            commands,
            strict=True,
        )
        if command.op.free_symbols()
    }
    plain.symbol_substitution(dict.fromkeys(circuit.free_symbols(), 0.1))
    numeric = tk_to_qiskit(plain)
    symbolic = numeric.copy_empty_like()
    qubits = ([numeric.find_bit(qubit).index for qubit in item.qubits] for item in numeric.data)
    for place, item in zip(_placed(qubits), numeric.data, strict=True):
        gate = RZGate(angles[place]) if place in angles else item.operation
        symbolic.append(gate, item.qubits, item.clbits)
    return symbolic


def _symbolic(native: QuantumCircuit) -> "dict[Place, list[Expr | float]]":
    """Return the angles of gates with parameters, in tket's units."""
    qubits = ([native.find_bit(qubit).index for qubit in item.qubits] for item in native.data)
    return {
        place: [turns_of(angle) for angle in item.params]
        for place, item in zip(_placed(qubits), native.data, strict=True)
        if any(is_free(angle) for angle in item.params)
    }


def _tket_qubit(circuit: QuantumCircuit, place: int) -> "Qubit":
    """Return tket's name of a qubit of a circuit that was converted from tket's."""
    from pytket.circuit import Qubit

    register, index = circuit.find_bit(circuit.qubits[place]).registers[0]
    return Qubit(register.name, index)


def _on_nodes(
    native: "Circuit",
    original: "Circuit",
    reserved: set["Qubit"],
    symbolic: "Mapping[Place, list[Expr | float]]",
) -> "Circuit":
    """Return a circuit on nodes: those that gates act on, and those that hold a qubit."""
    from pytket.circuit import Circuit, Node

    commands = native.get_commands()
    used = {Node(qubit.index[0]) for command in commands for qubit in command.qubits}
    circuit = Circuit(0, original.name)
    for node in sorted(used | reserved):
        circuit.add_qubit(node)
    for bit in original.bits:
        circuit.add_bit(bit)
    circuit.add_phase(native.phase)
    places = _placed([qubit.index[0] for qubit in command.qubits] for command in commands)
    for place, command in zip(places, commands, strict=True):
        at = [Node(qubit.index[0]) for qubit in command.qubits]
        if place in symbolic:
            circuit.add_gate(command.op.type, symbolic[place], at)
        else:
            circuit.add_gate(command.op, [*at, *command.bits])
    return circuit
