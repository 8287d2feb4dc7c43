"""Synthesis methods: ways to build an operator, with costs known beforehand."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPlugin

from compiler.errors import InputError
from compiler.registry import Registry
from compiler.synthesis.parameters import Number, is_free, numbers

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
    def two_qubit_gates(self, *params: Any) -> int | None:
        """Predict the two-qubit gates of `build(*params)` on all-to-all qubits, from a formula.

        Returns:
            The number, or None where the method does not apply to an operator of this size.
        """

    @abstractmethod
    def build(self, *params: Any) -> QuantumCircuit:
        """Return the operator's circuit on its operands, then on the ancillas it wants."""

    def ancillas(self, *params: Any) -> int:
        """Return the clean qubits that `build(*params)` uses beyond the operands."""
        return 0

    def price(self, params: Sequence[Number]) -> int | None:
        """Return the result of `two_qubit_gates`, cached."""
        return _price(self, tuple(params))

    def circuit(self, params: Sequence[Number]) -> QuantumCircuit:
        """Return the result of `build`, cached; others hold it, so it must not change."""
        return _circuit(self, tuple(params))

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate for Qiskit, or return None where the method does not apply."""
        if any(map(is_free, high_level_object.params)):
            return None
        params = numbers(high_level_object.params)
        if self.price(params) is None:
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
    prices = {name: method.price(params) for name, method in methods_of(gate.name).items()}
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
