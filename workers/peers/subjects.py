"""Subjects of comparisons: whole games, single operators, public circuits."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr
from qiskit.quantum_info import Operator as Matrix

from compiler.dynamic.pieces import final_part
from compiler.errors import UnknownNameError
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis.method import Operator, synthesised
from games.operators import operator_example
from games.sources import Source, read_program
from workers.peers.peer import CompilerInputs


def teleported_ghz() -> QuantumCircuit:
    """Return a GHZ state of four qubits in constant depth.

    Three qubits between them are measured as the parities of their neighbours, and every second
    qubit is flipped if those before it say so.
    """
    unequal, out = ClassicalRegister(3, "unequal"), ClassicalRegister(4, "out")
    circuit = QuantumCircuit(QuantumRegister(7, "q"), unequal, out, name="teleported-ghz")
    circuit.h(range(0, 7, 2))
    for link in range(3):
        circuit.cx(2 * link, 2 * link + 1)
        circuit.cx(2 * link + 2, 2 * link + 1)
    for link in range(3):
        circuit.measure(2 * link + 1, unequal[link])
    odd = expr.lift(unequal[0])
    for link in range(3):
        if link:
            odd = expr.bit_xor(odd, unequal[link])
        with circuit.if_test(odd):
            circuit.x(2 * link + 2)
    circuit.measure(range(0, 7, 2), out)
    return circuit


def repetition_code() -> QuantumCircuit:
    """Return a bit in a repetition code of three qubits, through two rounds of errors.

    Both ancillas are measured, reset and used again in each round.
    """
    data, ancilla = QuantumRegister(3, "data"), QuantumRegister(2, "ancilla")
    syndrome, out = ClassicalRegister(2, "syndrome"), ClassicalRegister(3, "out")
    circuit = QuantumCircuit(data, ancilla, syndrome, out, name="repetition-code")
    circuit.ry(1.1, data[0])
    circuit.cx(data[0], data[1])
    circuit.cx(data[0], data[2])
    for turn in range(2):
        circuit.rx(0.3, data[turn])
        for place in range(2):
            circuit.cx(data[place], ancilla[place])
            circuit.cx(data[place + 1], ancilla[place])
        circuit.measure(ancilla, syndrome)
        circuit.reset(ancilla)
        with circuit.switch(syndrome) as case:
            for value, place in ((1, 0), (3, 1), (2, 2)):
                with case(value):
                    circuit.x(data[place])
    circuit.measure(data, out)
    return circuit


DYNAMIC: Mapping[str, Callable[[], QuantumCircuit]] = {
    "teleported-ghz": teleported_ghz,
    "repetition-code": repetition_code,
}


class Kind(StrEnum):
    """The kind of a subject, which decides how results are proven."""

    GAME = "game"
    OPERATOR = "operator"
    CIRCUIT = "circuit"
    DYNAMIC = "dynamic"


class Form(StrEnum):
    """The circuit that compilers are given.

    - `literal`: every operator as in the papers, where they define it.
    - `logical`: every operator by our cheapest synthesis, rounds fused, idle copies dropped.
    - `unitary`: the operator's matrix alone, as the papers' gates give it; ours knows the operator.
    - `given`: a circuit as it is.
    """

    LITERAL = "literal"
    LOGICAL = "logical"
    UNITARY = "unitary"
    GIVEN = "given"

    @property
    def synthesis(self) -> str:
        """The synthesis method that makes it."""
        return "literal" if self is Form.LITERAL else "cheapest"


QUBIKOS = "qubikos"
"""Circuits whose fewest swaps are known."""

MOVES = ("C, any point", "C, any stone and point", "S+, any points", "D+, any points")
"""Moves on boards whose points may hold anything."""

OPERATORS: Mapping[str, str] = {
    "D(4,2)": "deal D(4,2)",
    "CP_2^4": "CP_2^4, hand flags",
    "CNOT mod 3": "CNOT mod 3",
    "H3": "H3, qutrit",
    "X1": "X1, qutrit",
    "Z1": "Z1, qutrit",
    "H1 Z2 H3": "H1 Z2 H3, qutrit",
    **{move: move for move in MOVES},
}
"""Examples of operators, by the papers' notation."""


@frozen
class Subject:
    """A program.

    Args:
        kind: of the subject.
        name: a game's spec, a name in `OPERATORS` or in `DYNAMIC`, or a benchmark's spec.
        encoding: of a game.
        seed: of a benchmark circuit.
        content: of the user's own circuit's file, whose name is `name`.
    """

    kind: Kind
    name: str
    encoding: str = ""
    seed: int = 0
    content: bytes = b""

    @property
    def title(self) -> str:
        """Name in tables."""
        return f"{self.name}, {self.encoding}" if self.encoding else self.name

    @property
    def source(self) -> Source:
        """The game's source."""
        return Source(self.name)

    @property
    def operator(self) -> Operator:
        """The operator that it is.

        Raises:
            UnknownNameError: if there is no such operator here.
        """
        if self.name not in OPERATORS:
            raise UnknownNameError(f"unknown operator '{self.name}'; known: {', '.join(OPERATORS)}")
        return operator_example(OPERATORS[self.name])

    @property
    def routed_on(self) -> str:
        """The target for which it is known how few swaps it takes, `""` if that is not known."""
        name, _, remaining = self.name.partition(":")
        return remaining.rsplit(":", 2)[0] if name == QUBIKOS else ""

    @property
    def fewest_swaps(self) -> int | None:
        """The fewest swaps on that target."""
        return int(self.name.split(":")[-2]) if self.routed_on else None

    def program(self) -> QuantumCircuit:
        """Return its circuit of operators or gates, with final measurements if it has any."""
        if self.kind is Kind.GAME:
            return read_program(self.source, self.encoding).circuit
        if self.content:
            return read_program(Source(self.name, self.content)).circuit
        if self.kind is Kind.CIRCUIT:
            return circuit_from_spec(self.name, self.seed)
        if self.kind is Kind.DYNAMIC:
            return DYNAMIC[self.name]()
        program = QuantumCircuit(self.operator.num_qubits)
        program.append(self.operator, range(program.num_qubits))
        return program

    def given(self, form: Form) -> CompilerInputs:
        """Return the inputs of compilers."""
        if self.kind is Kind.DYNAMIC:
            remaining, _ = final_part(self.program())
            return CompilerInputs(
                remaining, remaining, form.synthesis, from_zero=True, ours_from_zero=True
            )
        unitary, _ = final_measurements(self.program())
        if self.kind is Kind.OPERATOR and form is Form.LOGICAL:
            # Synthesis holds on all legal inputs; dropping idle copies holds from |0…0⟩ only.
            gates = QuantumCircuit(unitary.num_qubits)
            gates.compose(synthesised(self.operator), inplace=True)
        elif form is Form.UNITARY:
            gates = QuantumCircuit(unitary.num_qubits)
            gates.unitary(Matrix(lower_operators(unitary, "literal")), gates.qubits)
        else:
            gates = lower_operators(unitary, form.synthesis)
        circuit = self.kind is Kind.CIRCUIT
        return CompilerInputs(
            gates,
            unitary,
            form.synthesis,
            from_zero=not circuit,
            # On users' own circuits all compilers assume the same.
            ours_from_zero=not (circuit and self.content),
        )
