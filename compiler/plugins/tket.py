"""Our whole lowering as a pass of tket's."""

from typing import TYPE_CHECKING

from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.caches import own_cache
from compiler.compilation import Options, compile
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import LoweringError
from compiler.program import Program

if TYPE_CHECKING:
    from pytket.circuit import Circuit, Qubit
    from pytket.passes import BasePass
    from pytket.unit_id import UnitID

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
        A pass that raises `LoweringError` on circuits that measure, reset or branch on the way or
        have open symbols, and whatever else `compile` raises.
    """
    from pytket.passes import CustomPassMap

    how = options or Options("fast")

    def transform(circuit: "Circuit") -> tuple["Circuit", "Maps"]:
        return _lowered(circuit, target, how)

    return CustomPassMap(transform, "stichwerk")


def _lowered(
    circuit: "Circuit", target: str | Target | BackendV2, options: Options
) -> tuple["Circuit", "Maps"]:
    # It loads IBM's SDK, which takes seconds.
    from pytket.circuit import Node
    from pytket.extensions.qiskit import qiskit_to_tk, tk_to_qiskit

    symbols = sorted(str(symbol) for symbol in circuit.free_symbols())
    if symbols:
        raise LoweringError(f"symbols are open ({', '.join(symbols[:3])}): substitute them first")
    given = tk_to_qiskit(circuit)
    if is_dynamic(given):
        raise LoweringError(
            "pass 'stichwerk' takes circuits that measure at their end only; lower this one with "
            "compiler.compilation.compile, which takes measurements on the way"
        )
    with own_cache():
        compiled = compile(Program.of_circuit(given), target, options)
    made = compiled.chosen
    inputs = [_tket_qubit(given, place) for place in range(given.num_qubits)]
    starts, ends = (
        [Node(at) for at in layout] for layout in (made.initial_layout, made.final_layout)
    )
    native = qiskit_to_tk(compiled.circuit)
    kept: set[Qubit] = {*starts, *ends}
    return (
        _on_nodes(native, circuit, kept),
        (dict(zip(inputs, starts, strict=True)), dict(zip(inputs, ends, strict=True))),
    )


def _tket_qubit(circuit: QuantumCircuit, place: int) -> "Qubit":
    """Return tket's name of a qubit of a circuit that was converted from tket's."""
    from pytket.circuit import Qubit

    register, index = circuit.find_bit(circuit.qubits[place]).registers[0]
    return Qubit(register.name, index)


def _on_nodes(native: "Circuit", given: "Circuit", kept: set["Qubit"]) -> "Circuit":
    """Return a circuit on nodes: those that gates act on, and those that hold a qubit."""
    from pytket.circuit import Circuit, Node

    commands = native.get_commands()
    used = {Node(qubit.index[0]) for command in commands for qubit in command.qubits}
    made = Circuit(0, given.name)
    for node in sorted(used | kept):
        made.add_qubit(node)
    for bit in given.bits:
        made.add_bit(bit)
    made.add_phase(native.phase)
    for command in commands:
        at = [Node(qubit.index[0]) for qubit in command.qubits]
        made.add_gate(command.op, [*at, *command.bits])
    return made
