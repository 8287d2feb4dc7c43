"""Base class of operators: declarations beside their circuits."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any, ClassVar, TypeVar

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlledGate, Gate, Instruction

from compiler.errors import UnknownNameError
from compiler.registry import Registry
from compiler.synthesis.method import ancillas_of, synthesised
from compiler.synthesis.registers import Register, legal_states

Operands = tuple[int, ...]
"""Places among a gate's operands."""

GateKind = tuple[str, int]
"""A base gate's name and its number of controls: `("x", 4)` is a four-fold controlled X."""


@frozen
class Fusion:
    """Gates that take the place of several operators.

    Args:
        replaced: how many items of the circuit they replace.
        items: the gates on their qubits.
    """

    replaced: int
    items: Sequence[CircuitInstruction]


@frozen
class Example:
    """Arguments of an operator that tables show and tests try.

    Args:
        label: in the papers' notation where they have one.
        arguments: of the operator's class.
        options: its keyword arguments.
    """

    label: str
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]


def example(label: str, *arguments: Any, **options: Any) -> Example:
    """Return an example of the class in whose `examples` it stands."""
    return Example(label, arguments, options)


class Operator(Gate):
    """A gate with an executable specification on its legal basis states.

    Basis states are integers whose bit q is the value of the gate's operand q. On states that
    `legal_inputs` does not yield the gate may do anything unitary.

    An operator declares its map in one of three ways. *Amplitudes*: `amplitudes` is the
    map, up to one phase common to all inputs. *Positive roots*, the short form of that: `action`
    gives the probabilities, whose roots are the amplitudes. *Up to branch phases*
    (`exact_phases = False`): `action` gives the probabilities, and every output may have a phase
    of its own, which no measurement of the qubits and no later operator can see, because such
    operators never let branches interfere.

    Amplitudes are floating-point numbers, compared up to 1e-9: they are compared with a
    simulation in floating-point numbers, so that exact roots would be rounded before the first
    comparison. Probabilities are fractions, because games compute with them.

    Clean ancillas follow the operands; their number is that of the methods.

    Args:
        operands: qubits without the ancillas.
        params: numbers, or parameters that get a value before anything is built. They alone
            define the circuit: files keep nothing else.

    Attributes:
        gate_name: Qiskit's name; `operator` sets it.
        exact_phases: whether the amplitudes are exact, phases included.
        examples: for the cost table and tests.
        colour: of its box in pictures, for Matplotlib.
        registers: of the first operands, if they are registers of digits.
        history: operands that are |0⟩ before and remember which branch was taken afterwards;
            they are 0 in results of `canonical`, any value is right.
        ancillas: the last qubits, |0⟩ before and after.
        paper_gates: fewest and most gates that a paper says it takes, where one says so.
    """

    gate_name: ClassVar[str] = ""
    exact_phases: bool = True
    examples: ClassVar[Sequence[Example]] = ()
    colour: ClassVar[str] = "white"
    registers: Sequence[Register] = ()
    history: tuple[int, ...] = ()
    paper_gates: tuple[int, int] | None = None

    def __init__(self, operands: int, params: Sequence[Any]) -> None:
        if not self.gate_name:
            raise TypeError(f"{type(self).__name__} has no name: decorate it with @operator")
        self.ancillas = ancillas_of(self.gate_name, params)
        super().__init__(self.gate_name, operands + self.ancillas, list(params))

    def validate_parameter(self, parameter: Any) -> Any:
        """Return a parameter; fractions are numbers, too."""
        if isinstance(parameter, Fraction):
            return parameter
        return super().validate_parameter(parameter)

    def _define(self) -> None:
        self.definition = synthesised(self)

    @classmethod
    def example_operators(cls) -> Mapping[str, "Operator"]:
        """Return the operators that `examples` describe, by label."""
        return {each.label: cls(*each.arguments, **each.options) for each in cls.examples}

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state once; there may be too many to go through.

        By default these are all digits of the registers.

        Raises:
            TypeError: if there are none.
        """
        if not self.registers:
            raise TypeError(f"{self.name} has neither registers nor legal inputs of its own")
        return legal_states(self.registers)

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the amplitude of every basis state a legal input is mapped to."""
        return {state: sqrt(p) for state, p in self.action(basis_state).items()}

    def action(self, basis_state: int) -> Mapping[int, Fraction | float]:
        """Return the probability of every canonical basis state a legal input is mapped to."""
        return {state: abs(a) ** 2 for state, a in self.amplitudes(basis_state).items()}

    def canonical(self, basis_state: int) -> int:
        """Return an output without its free parts, such as its history."""
        return basis_state & ~sum(1 << operand for operand in self.history)

    def interchangeable(self) -> list[Sequence[Operands]]:
        """Return groups of operands that may be permuted without changing the specification.

        Each group lists, for every thing that is treated alike, such as a card, the places of
        its qubits among the gate's operands.
        """
        return []

    def fused(self, items: Sequence[CircuitInstruction]) -> "Fusion | None":
        """Return a cheaper replacement of this operator and those that follow it, if there is one.

        Distributions of measured bits stay the same; phases are branch phases.

        Args:
            items: this operator on its qubits, and the following items of the circuit.
        """
        return None

    def random_legal_input(self, random: Random) -> int:
        """Return a random legal basis state; every legal one can come up."""
        return random.choice(list(self.legal_inputs()))

    def __array__(self, dtype: object = None, copy: object = None) -> None:
        """Refuse a matrix: operators are too wide for one.

        Raises:
            TypeError: always; Qiskit then works with the definition.
        """
        raise TypeError(f"{self.name} on {self.num_qubits} qubits has no matrix")


def is_operator(item: CircuitInstruction) -> bool:
    """Return whether an item is an operator; no object is made of a standard gate."""
    return not item.is_standard_gate() and isinstance(item.operation, Operator)


class LiteralOperator(Operator):
    """An operator whose definition is the papers' own construction, with its cost as a formula."""

    @property
    @abstractmethod
    def declared_cost(self) -> Mapping[GateKind, int]:
        """Number of gates of each kind in the literal definition, as a formula."""

    @property
    @abstractmethod
    def declared_depth(self) -> int:
        """Depth of the literal definition, any gate counting one layer."""


operators: Registry[type[Operator]] = Registry("operator")
"""Every operator's class, by the name of its gate."""

O = TypeVar("O", bound=type[Operator])  # noqa: E741 - of operators


def operator(name: str) -> Callable[[O], O]:
    """Return a decorator that files an operator's class and gives its gate a name.

    Args:
        name: of the gate, an identifier of OpenQASM.

    Raises:
        TypeError: if the class specifies nothing, or phases that it leaves open.
        DuplicateNameError: if the name is taken.
    """
    file = operators.register(name)

    def decorate(kind: O) -> O:
        amplitudes = kind.amplitudes is not Operator.amplitudes
        if not amplitudes and kind.action is Operator.action:
            raise TypeError(f"operator '{name}' specifies neither amplitudes nor an action")
        if amplitudes and not kind.exact_phases:
            raise TypeError(f"operator '{name}' specifies amplitudes, so that phases are exact")
        kind.gate_name = name
        file(kind)
        return kind

    return decorate


def example_of(label: str) -> Operator:
    """Return the example with a label.

    Raises:
        UnknownNameError: if no operator has such an example.
    """
    for kind in operators.values():
        for each in kind.examples:
            if each.label == label:
                return kind(*each.arguments, **each.options)
    raise UnknownNameError(f"no operator has the example '{label}'")


def counted_cost(circuit: QuantumCircuit) -> Counter[GateKind]:
    """Return the number of gates of each kind at the top level of `circuit`."""
    return Counter(gate_kind(item.operation) for item in circuit.data)


def gate_kind(gate: Instruction) -> GateKind:
    """Return the base gate's name and the number of controls of `gate`."""
    if isinstance(gate, ControlledGate):
        return gate.base_gate.name, gate.num_ctrl_qubits
    return gate.name, 0
