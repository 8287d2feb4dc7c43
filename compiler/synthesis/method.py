"""Synthesis methods: ways to build an operator, with costs known beforehand.

Base class of operators: declarations beside their circuits.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, ClassVar, TypeVar

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlledGate, Gate, Instruction
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPlugin

from compiler.errors import InputError, UnknownNameError
from compiler.registry import Registry
from compiler.synthesis.parameters import Number, is_free, numbers
from compiler.synthesis.registers import Register, legal_states

GROUP = "qiskit.synthesis"
"""Qiskit's group of plugins, by which its own `transpile` finds the methods."""

DEFAULT = "default"
"""Qiskit's name of the default entry."""

KEPT_CIRCUITS, KEPT_PRICES = 64, 10_000
"""Circuits and prices of methods that are kept, so that none is made twice for one program."""


class SynthesisMethod(HighLevelSynthesisPlugin):
    """A way to build an operator from its parameters alone, also a Qiskit plugin.

    All results depend on the parameters only. The classical work is polynomial in the size of the
    operands, such as cards and players.

    Attributes:
        name: `operator.method`; `synthesis_method` sets it.
    """

    name: ClassVar[str] = ""

    @abstractmethod
    def two_qubit_gates(self, *params: Any, **_: Any) -> int | None:
        """Predict the two-qubit gates of `build(*params)` on all-to-all qubits, from a formula.

        Returns:
            The number, or None where the method does not apply to an operator of this size.
        """

    @abstractmethod
    def build(self, *params: Any, **_: Any) -> QuantumCircuit:
        """Return the operator's circuit on its operands, then on the ancillas it wants."""

    def ancillas(self, *params: Any, **_: Any) -> int:
        """Return the clean qubits that `build(*params)` uses beyond the operands."""
        return 0

    def circuit(self, params: Sequence[Number]) -> QuantumCircuit:
        """Return the result of `build`, cached; others hold it, so it must not change."""
        return _circuit(self, tuple(params))

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate for Qiskit, or return None where the method does not apply."""
        if any(map(is_free, high_level_object.params)):
            return None
        params = numbers(high_level_object.params)
        if _price(self, params) is None:
            return None
        return widened(self.circuit(params), high_level_object.num_qubits)


class Cheapest(HighLevelSynthesisPlugin):
    """The entry `operator.default`: the method with the fewest predicted two-qubit gates."""

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate for Qiskit; None, so that it takes the definition, where nothing can."""
        if any(map(is_free, high_level_object.params)) or not predictions(high_level_object):
            return None
        return synthesised(high_level_object)


methods: Registry[SynthesisMethod] = Registry("synthesis method")
"""Every method, by `operator.method`. Our lowering uses these: a new one needs no installation.
Qiskit's entry points, which do, are for users of its `transpile`."""

M = TypeVar("M", bound=type[SynthesisMethod])


def synthesis_method(name: str) -> Callable[[M], M]:
    """Return a decorator that files a method.

    Args:
        name: `operator.method`, such as `hand_play.move`.

    Raises:
        ValueError: if it is no such name.
        DuplicateNameError: if it is taken.
    """
    operator, _, method = name.partition(".")
    if not operator.isidentifier() or not method.isidentifier() or method == DEFAULT:
        raise ValueError(f"'{name}' names no method: write operator.method, not {DEFAULT}")
    file = methods.register(name)

    def decorate(kind: M) -> M:
        kind.name = name
        file(kind())
        return kind

    return decorate


def methods_of(operator: str) -> Mapping[str, SynthesisMethod]:
    """Return the methods that build an operator, by their own names, in alphabetical order."""
    start = f"{operator}."
    names = sorted(name for name in methods if name.startswith(start))
    return {name.removeprefix(start): methods[name] for name in names}


def ancillas_of(operator: str, params: Sequence[Any]) -> int:
    """Return the clean ancillas that the methods of an operator want, so that each has its own."""
    values = [param if is_free(param) else numbers([param])[0] for param in params]
    return max((method.ancillas(*values) for method in methods_of(operator).values()), default=0)


def params_of(gate: Gate) -> tuple[Number, ...]:
    """Return the parameters of an operator, also of one that was read from a file.

    Raises:
        InputError: if one has no value.
    """
    try:
        return numbers(gate.params)
    except InputError as error:
        raise InputError(f"operator '{gate.name}': {error}") from error


def predictions(gate: Gate) -> dict[str, int]:
    """Return the predicted two-qubit gates of every method that can build `gate`, by name.

    Raises:
        InputError: if a parameter of the gate has no value.
    """
    params = params_of(gate)
    prices = {name: _price(method, params) for name, method in methods_of(gate.name).items()}
    return {name: price for name, price in prices.items() if price is not None}


def chosen_method(gate: Gate, preferred: str = "") -> SynthesisMethod:
    """Return the method that builds a gate: the preferred one where it applies, or the cheapest.

    Raises:
        InputError: if a parameter of the gate has no value, or no method builds it.
    """
    prices = predictions(gate)
    if not prices:
        raise InputError(f"no synthesis method builds {gate.name}{params_of(gate)}")
    best = preferred if preferred in prices else min(prices, key=lambda name: prices[name])
    return methods[f"{gate.name}.{best}"]


def synthesised(gate: Gate, preferred: str = "") -> QuantumCircuit:
    """Return a circuit of a gate on its qubits, by `chosen_method`.

    Raises:
        InputError: as `chosen_method` does.
    """
    circuit = chosen_method(gate, preferred).circuit(params_of(gate))
    return widened(circuit, gate.num_qubits)


def widened(circuit: QuantumCircuit, qubits: int) -> QuantumCircuit:
    """Return a copy of a circuit with idle qubits after its own."""
    wide = QuantumCircuit(qubits)
    wide.compose(circuit, range(circuit.num_qubits), inplace=True)
    return wide


@lru_cache(KEPT_PRICES)
def _price(method: SynthesisMethod, params: tuple[Number, ...]) -> int | None:
    return method.two_qubit_gates(*params)


@lru_cache(KEPT_CIRCUITS)
def _circuit(method: SynthesisMethod, params: tuple[Number, ...]) -> QuantumCircuit:
    return method.build(*params)


class CountedMethod(SynthesisMethod):
    """A method that is quick to build and counts its circuit's gates.

    Optimisation of one-qubit gates changes nothing about the prediction; neighbouring operators
    may cancel a little more.
    """

    def two_qubit_gates(self, *params: Any) -> int | None:
        """Count the two-qubit gates of the circuit."""
        return sum(len(item.qubits) == 2 for item in self.circuit(params).data)


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
