"""Native circuits as OpenQASM 3 for Amazon Braket."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction

from backends.braket.native import statements
from backends.devices.formats.braket import first_label
from backends.errors import BackendError
from compiler.dynamic.pieces import acted_on
from compiler.errors import StateTooLargeError
from compiler.measurement import final_measurements

SIMULATED_GATES = {
    "cx": "cnot", "cz": "cz", "iswap": "iswap", "rx": "rx", "rxx": "xx", "rz": "rz", "rzz": "zz",
    "sx": "v", "x": "x",
}  # fmt: skip


@frozen
class Program:
    """A circuit in OpenQASM 3.

    Args:
        source: the text.
        bit_of: the classical bit that each measured label is read into.
        pairs: the labels of the pairs of a machine's qubits that are coupled.
    """

    source: str
    bit_of: Mapping[int, int]
    pairs: frozenset[tuple[int, int]] = frozenset()


def boxed(
    circuit: QuantumCircuit,
    lines: Sequence[str],
    read: Mapping[int, int],
    pairs: Iterable[tuple[int, int]],
) -> Program:
    """Return a program whose gates are in a verbatim box, on physical qubits.

    Args:
        circuit: that it does.
        lines: its statements.
        read: the label that each classical bit is read from afterwards.
        pairs: of labels that are coupled.
    """
    box = ["#pragma braket verbatim", "box {", *lines, "}"] if lines else []
    reads = [f"b[{bit}] = measure ${label};" for bit, label in read.items()]
    bit_of = {label: bit for bit, label in read.items()}
    return Program(_joined(circuit, [*box, *reads]), bit_of, frozenset(pairs))


def verbatim_program(circuit: QuantumCircuit, provider: str) -> Program:
    """Return a circuit in a provider's native gates, which Braket runs as they stand.

    Nothing is compiled or rewired; see `boxed`.
    Barriers are left out: there is nothing that they could hold back.

    Raises:
        BackendError: if the circuit has other gates, or measures before its end.
    """
    first = first_label(provider)
    gates, measured = _parts(circuit)
    labels = [[label + first for label in _indices(circuit, item)] for item in gates]
    lines = statements(
        provider,
        [
            (item.operation.name, item.operation.params, [f"${label}" for label in named])
            for item, named in zip(gates, labels, strict=True)
        ],
    )
    read = {bit: qubit + first for bit, qubit in measured.items()}
    return boxed(circuit, lines, read, [(pair[0], pair[1]) for pair in labels if len(pair) == 2])


def simulator_program(circuit: QuantumCircuit) -> Program:
    """Return a circuit for a fully coupled simulator, on as many qubits as it touches.

    Raises:
        BackendError: if simulators are not sent its gates, or it measures before its end.
    """
    place, measured = _places(circuit), _parts(circuit)[1]
    reads = [f"b[{bit}] = measure q[{place[qubit]}];" for bit, qubit in measured.items()]
    bit_of = {place[qubit]: bit for bit, qubit in measured.items()}
    return Program(_joined(circuit, [*_simulated_gates(circuit), *reads]), bit_of)


def probabilities_source(circuit: QuantumCircuit, labels: list[int]) -> str:
    """Return the gates of `simulator_program`, and a wish for the probabilities of some qubits.

    The first label is the most significant bit of the probabilities' index.
    """
    wish = f"#pragma braket result probability {', '.join(f'q[{label}]' for label in labels)}"
    return _joined(circuit, [*_simulated_gates(circuit), wish])


def _places(circuit: QuantumCircuit) -> Mapping[int, int]:
    """Return the index among the touched qubits of each qubit that is touched."""
    return {qubit: index for index, qubit in enumerate(sorted(acted_on(circuit)))}


def _parts(circuit: QuantumCircuit) -> tuple[list[CircuitInstruction], Mapping[int, int]]:
    """Return the gates in order, and the qubit that each measured classical bit reads."""
    try:
        gates, measured = final_measurements(circuit)
    except StateTooLargeError as error:
        raise BackendError(f"Amazon Braket takes final measurements only: {error}") from error
    if not measured:
        raise BackendError("the circuit measures nothing")
    return [item for item in gates.data if item.operation.name != "barrier"], measured


def _indices(circuit: QuantumCircuit, item: CircuitInstruction) -> list[int]:
    return [circuit.find_bit(qubit).index for qubit in item.qubits]


def _simulated_gates(circuit: QuantumCircuit) -> list[str]:
    place = _places(circuit)
    lines = [f"qubit[{len(place)}] q;"]
    for item in _parts(circuit)[0]:
        lines += simulated_gate(item, [f"q[{place[q]}]" for q in _indices(circuit, item)])
    return lines


def simulated_gate(item: CircuitInstruction, places: Sequence[str]) -> Sequence[str]:
    """Return the statements of a gate on qubits with these names, for a simulator.

    Raises:
        BackendError: if simulators are not sent this gate.
    """
    name, params = item.operation.name, [float(angle) for angle in item.operation.params]
    if name == "r":
        theta, phi = params
        return [
            f"{gate} {places[0]};" for gate in (f"rz({-phi!r})", f"rx({theta!r})", f"rz({phi!r})")
        ]
    if name not in SIMULATED_GATES:
        raise BackendError(f"Amazon Braket's simulators are not sent the gate '{name}'")
    angles = f"({', '.join(repr(angle) for angle in params)})" if params else ""
    return [f"{SIMULATED_GATES[name]}{angles} {', '.join(places)};"]


def _joined(circuit: QuantumCircuit, lines: list[str]) -> str:
    return "\n".join(["OPENQASM 3.0;", f"bit[{circuit.num_clbits}] b;", *lines, ""])
