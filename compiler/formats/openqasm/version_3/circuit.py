"""The circuit of a program while it is read: qubits, bits, operations and branches.

Gates of OpenQASM 3 as circuits with exact global phases, which a control makes visible.

The built-in U(θ, φ, λ) of the specification is exp(iθ/2) times Qiskit's `UGate`. `u2` and `u3` of
the standard library are exp(-i(φ + λ)/2) times Qiskit's. All other standard gates are Qiskit's,
with `cu` as defined in `stdgates.inc`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import atan2, cos, pi, sin, tau
from typing import TypeAlias

from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import (
    ClassicalRegister,
    Clbit,
    Gate,
    Operation,
    ParameterExpression,
    QuantumRegister,
)
from qiskit.circuit.classical import expr
from qiskit.circuit.library import PhaseGate, UGate
from qiskit.qasm3 import STDGATES_INC_GATES

from compiler.circuits.tolerances import ROUNDING
from compiler.errors import CircuitFileError
from compiler.formats.modifiers import controlled, raised
from compiler.formats.openqasm.tokens import check_width


class ProgramError(CircuitFileError):
    """An OpenQASM 3 program is invalid, or uses a construct that is not supported.

    The reader adds the line of the statement to the message.
    """


class UncomputableError(ProgramError):
    """A value has no number, such as a division by zero."""


MIXTURE = "physical qubits stand beside declared ones; use one kind in a program"
LARGE_ANGLE = 1e3
"""Radians from which an angle is reduced to its period."""

MAX_OPERATIONS = 1_000_000
"""Gates, measurements and turns of loops that a program may stand for."""


@frozen
class Applied:
    """An operation on qubits and classical bits, by number."""

    operation: Operation
    qubits: tuple[int, ...]
    clbits: tuple[int, ...] = ()


@frozen
class Branch:
    """Operations that a condition decides about."""

    condition: expr.Expr
    then: "Sequence[Instruction]"
    otherwise: "Sequence[Instruction]"


@frozen
class Switch:
    """Operations that a register's value decides about.

    Args:
        target: a register, or one bit.
        cases: values with operations; None for all other values.
    """

    target: ClassicalRegister | Clbit
    cases: "Sequence[tuple[tuple[int, ...] | None, Sequence[Instruction]]]"


Instruction: TypeAlias = Applied | Branch | Switch


@define
class Frame:
    """Operations that are gathered.

    Args:
        instructions: so far.
        phase: radians so far.
        convention: as of `Unitary`.
        gate_qubits: qubits of the gate that is being defined; None outside of gates.
    """

    instructions: list[Instruction] = field(factory=list)
    phase: float = 0.0
    convention: float = 0.0
    gate_qubits: int | None = None


class CircuitBuilder:
    """Gathers the declarations and statements of a program.

    Args:
        warn: is told, in one line, where the program means something else than many expect.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.clbits: list[Clbit] = []
        self.registers: dict[tuple[int, ...], ClassicalRegister] = {}
        self.writes: list[int] = []
        """Number of times that each classical bit has been written so far."""

        self.num_qubits = 0
        self.physical_qubits = 0
        self.frame = Frame()
        self._qubit_registers: list[QuantumRegister] = []
        self._operations = 0
        self._tell = warn
        self._told: set[str] = set()
        self.line = 1
        """Line of the innermost statement that is being followed."""

    def circuit(self) -> QuantumCircuit:
        """Return the circuit."""
        qubits = self._qubit_registers
        if self.physical_qubits:
            qubits = [QuantumRegister(self.physical_qubits, self._free_name("q"))]
        circuit = QuantumCircuit(*qubits, *self.registers.values())
        circuit.global_phase = self.frame.phase
        self._append(circuit, self.frame.instructions)
        return circuit

    def add_qubits(self, name: str, size: int) -> tuple[int, ...]:
        """Declare a register, and return the numbers of its qubits."""
        if self.physical_qubits:
            raise ProgramError(MIXTURE)
        self.num_qubits += size
        check_width(self.num_qubits, 0)
        self._qubit_registers.append(QuantumRegister(size, self._free_name(name)))
        return tuple(range(self.num_qubits - size, self.num_qubits))

    def physical_qubit(self, index: int) -> int:
        """Return the number of a physical qubit."""
        if self.num_qubits or self.frame.gate_qubits is not None:
            raise ProgramError(MIXTURE)
        self.physical_qubits = max(self.physical_qubits, index + 1)
        check_width(self.physical_qubits, 0)
        return index

    def add_clbits(self, name: str, size: int) -> tuple[int, ...]:
        """Declare a register, and return the numbers of its bits."""
        check_width(0, len(self.clbits) + size)
        indices = tuple(range(len(self.clbits), len(self.clbits) + size))
        register = ClassicalRegister(size, self._free_name(name))
        self.clbits.extend(register)
        self.writes.extend([0] * size)
        self.registers[indices] = register
        return indices

    def add(self, operation: Operation, qubits: Sequence[int], clbits: Sequence[int] = ()) -> None:
        """Append an operation; one on many qubits, such as a barrier, counts as several."""
        self.spend(1 + len(qubits) // 10)
        self.frame.instructions.append(Applied(operation, tuple(qubits), tuple(clbits)))

    def spend(self, operations: int = 1) -> None:
        """Count operations.

        Raises:
            ProgramError: if there are too many.
        """
        self._operations += operations
        if self._operations > MAX_OPERATIONS:
            raise ProgramError(f"stands for more than {MAX_OPERATIONS} gates")

    def warn(self, message: str) -> None:
        """Warn of the present line, once of each thing."""
        warning = f"line {self.line}: {message}"
        if warning not in self._told:
            self._told.add(warning)
            self._tell(warning)

    @contextmanager
    def gathering(self, frame: Frame) -> Iterator[Frame]:
        """Let operations go elsewhere."""
        around, self.frame = self.frame, frame
        try:
            yield frame
        finally:
            self.frame = around

    def _free_name(self, name: str) -> str:
        """Return a name for a register, as blocks may declare the same name again."""
        taken = {each.name for each in (*self.registers.values(), *self._qubit_registers)}
        candidate, number = name, 1
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        return candidate

    def _append(self, circuit: QuantumCircuit, instructions: Iterable[Instruction]) -> None:
        qubits, clbits = circuit.qubits, self.clbits
        for each in instructions:
            match each:
                case Applied():
                    circuit.append(
                        each.operation,
                        [qubits[qubit] for qubit in each.qubits],
                        [clbits[clbit] for clbit in each.clbits],
                        copy=False,
                    )
                case Branch():
                    with circuit.if_test(each.condition) as otherwise:
                        self._append(circuit, each.then)
                    if each.otherwise:
                        with otherwise:
                            self._append(circuit, each.otherwise)
                case Switch():
                    with circuit.switch(each.target) as case:
                        for labels, inside in each.cases:
                            with case(*(case.DEFAULT,) if labels is None else labels):
                                self._append(circuit, inside)


@frozen
class Unitary:
    """Action of a gate.

    Args:
        circuit: standard gates, with the global phase of the specification.
        convention: radians by which the phase is ahead of the one that Qiskit's importer gives it.
    """

    circuit: QuantumCircuit
    convention: float = 0.0

    @property
    def differs(self) -> bool:
        """Return whether Qiskit's importer would read another phase."""
        if isinstance(self.convention, ParameterExpression):
            return True
        return abs((self.convention + pi) % tau - pi) > ROUNDING

    def modified(self, modifier: str, number: float) -> "Unitary":
        """Return the gate under a modifier.

        Args:
            modifier: `inv`, `pow`, `ctrl` or `negctrl`; controls come before the gate's own qubits.
            number: the exponent, of which the principal power is taken, or how many controls.

        Raises:
            CircuitFileError: if a power cannot be computed.
        """
        if modifier == "inv":
            return Unitary(self.circuit.inverse(), -self.convention)
        if modifier == "pow":
            return Unitary(raised(self.circuit, number), number * self.convention)
        controls = int(number)
        state = (1 << controls) - 1 if modifier == "ctrl" else 0
        return Unitary(controlled(self.circuit, controls, state))


@frozen
class StandardGate:
    """A gate of the standard library.

    Args:
        build: takes the parameters in radians.
        parameters: how many.
        qubits: how many.
        phase: by parameters, of the gate beyond Qiskit's.
    """

    build: Callable[..., Gate]
    parameters: int
    qubits: int
    phase: Callable[..., float] | None = None

    def unitary(self, parameters: Sequence[float]) -> Unitary:
        """Return the gate with parameters in radians."""
        parameters = [_reduced(each) for each in parameters]
        phase = 0.0 if self.phase is None else self.phase(*parameters)
        circuit = QuantumCircuit(self.qubits, global_phase=phase)
        circuit.append(self.build(*parameters), range(self.qubits))
        return Unitary(circuit, phase)


def _reduced(angle: float | ParameterExpression) -> float | ParameterExpression:
    """Return a large angle modulo 4π, the period of all gates of the standard library.

    Sums of large angles lose digits, sines and cosines do not.
    """
    if isinstance(angle, ParameterExpression) or abs(angle) < LARGE_ANGLE:
        return angle
    return 2 * atan2(sin(angle / 2), cos(angle / 2))


U = StandardGate(UGate, 3, 1, lambda theta, phi, lam: theta / 2)

STANDARD_LIBRARY: Mapping[str, StandardGate] = {
    **{
        gate.name: StandardGate(gate.constructor, gate.num_params, gate.num_qubits)
        for gate in STDGATES_INC_GATES
    },
    "u1": StandardGate(PhaseGate, 1, 1),
    "u2": StandardGate(
        lambda phi, lam: UGate(pi / 2, phi, lam), 2, 1, lambda phi, lam: -(phi + lam) / 2
    ),
    "u3": StandardGate(UGate, 3, 1, lambda theta, phi, lam: -(phi + lam) / 2),
}
"""The gates of `stdgates.inc`, version 3.1."""
