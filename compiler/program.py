"""Programs: circuits of operators and gates, with their judges."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, SupportsIndex, TypeVar

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Measure

from compiler.fault_tolerant.lean_synthesis import CLEAN
from compiler.judge import Judge
from compiler.measurement import without_first_resets, without_measured_phases
from compiler.reuse.narrowing import Chains, Reuse, narrowed, narrowest
from compiler.words import NO_ENCODING

N = TypeVar("N", int, float)

ILLEGAL = "illegal"
"""Label of all bits that stand for no outcome."""


@frozen(eq=False)
class Program:
    """A circuit on named registers, whose gates may be operators.

    Args:
        circuit: operators and gates, with the final measurements.
        judge: the meaning of measured bits and their exact distribution; None if unknown.
        encoding: of a game on the qubits; `none` for a user's own circuit.
        resets: whether the circuit reset qubits at its beginning, and so has no other input than
            |0…0⟩ on them.
        reuse: how the circuit was narrowed; None without an attempt.
        origin: a function and its arguments that return this program. With one it is sent to
            another process as these, and not as a circuit of many gates.
    """

    circuit: QuantumCircuit
    judge: Judge | None = None
    encoding: str = NO_ENCODING
    resets: bool = False
    reuse: Reuse | None = None
    origin: tuple[Callable[..., "Program"], tuple[Any, ...]] | None = field(
        default=None, repr=False
    )
    _decoded: dict[int, int | None] = field(factory=dict, init=False, repr=False)

    @classmethod
    def of_circuit(cls, circuit: QuantumCircuit, judge: Judge | None = None) -> "Program":
        """Return the program that a user's own circuit is."""
        without = without_first_resets(circuit)
        return cls(without, judge, resets=without is not circuit)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Return the recipe by which another process builds it."""
        return super().__reduce_ex__(protocol) if self.origin is None else self.origin

    @property
    def name(self) -> str:
        """Name of the program."""
        return str(self.circuit.name)

    @property
    def is_circuit(self) -> bool:
        """Return whether it is a user's own circuit, and no encoding of anything."""
        return self.encoding == NO_ENCODING

    @property
    def any_input(self) -> bool:
        """Return whether it is compiled for any input by default.

        A circuit that measures nothing and resets nothing is part of another one, which decides
        the input. Games, and circuits that are measured, begin with |0…0⟩.
        """
        measured = any(isinstance(item.operation, Measure) for item in self.circuit.data)
        return self.is_circuit and not self.resets and not measured

    def reusing(self) -> "Program":
        """Return the program on as few qubits as are found to do, if it uses them again.

        Its classical bits are distributed as before, from |0…0⟩; the final state of the qubits may
        differ.
        """
        return reusing_as(self, narrowest(self.circuit))

    def without_measured_phases(self) -> "Program":
        """Return the program without phases that the measurements of a circuit discard.

        It is the same for games, whose states are compared before they are measured.
        """
        return _without_measured_phases(self) if self.is_circuit and not self.reuse else self

    def with_clean(self, qubits: int) -> "Program":
        """Return the program with further qubits, |0⟩ before and after, for its syntheses."""
        return with_clean_qubits(self, qubits) if qubits > 0 else self

    def outcome(self, measured: int) -> int | None:
        """Return the outcome of the measured classical bits, None if illegal."""
        if self.judge is None:
            return measured
        if measured not in self._decoded:
            self._decoded[measured] = self.judge.outcome(measured)
        return self._decoded[measured]

    def outcomes(self, counts: Mapping[int, N]) -> dict[int | None, N]:
        """Return counts or probabilities of measured bits by outcome; None collects the illegal."""
        totals: dict[int | None, N] = {}
        for measured, n in counts.items():
            outcome = self.outcome(measured)
            totals[outcome] = totals[outcome] + n if outcome in totals else n
        return totals

    def named_outcomes(self, counts: Mapping[int, int]) -> dict[str, int] | None:
        """Return counts by the labels of outcomes, `illegal` together; None for circuits.

        The names are in alphabetical order.
        """
        judge = self.judge
        if judge is None or self.is_circuit:
            return None
        names = {
            ILLEGAL if outcome is None else judge.describe(outcome): n
            for outcome, n in self.outcomes(counts).items()
        }
        return dict(sorted(names.items()))


@lru_cache(maxsize=64)
def reusing_as(program: Program, chains: Chains) -> Program:
    """Return a program that uses its qubits again in a given way; see `Program.reusing`.

    Args:
        program: the original.
        chains: wires of each qubit; empty for the unchanged program.

    Raises:
        VerificationError: if that is not possible.
    """
    circuit = narrowed(program.circuit, chains) if chains else program.circuit
    reuse = Reuse(program.circuit, chains)
    return evolve(program, circuit=circuit, reuse=reuse, origin=(reusing_as, (program, chains)))


@lru_cache(maxsize=64)
def _without_measured_phases(program: Program) -> Program:
    circuit = without_measured_phases(program.circuit)
    if circuit is program.circuit:
        return program
    origin = program.origin and (_without_measured_phases, (program,))
    return evolve(program, circuit=circuit, origin=origin)


@lru_cache(maxsize=64)
def with_clean_qubits(program: Program, qubits: int) -> Program:
    """Return a program on further qubits, see `Program.with_clean`; on its own if it has them."""
    if any(register.name == CLEAN for register in program.circuit.qregs):
        return program
    circuit = program.circuit.copy_empty_like()
    circuit.add_register(QuantumRegister(qubits, CLEAN))
    circuit.compose(program.circuit, program.circuit.qubits, circuit.clbits, inplace=True)
    return evolve(program, circuit=circuit, origin=(with_clean_qubits, (program, qubits)))
