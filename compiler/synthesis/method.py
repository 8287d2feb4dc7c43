"""What a synthesis method is: one way to build one operator, with a price known beforehand."""

from abc import abstractmethod
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.transpiler.passes.synthesis.plugin import (
    HighLevelSynthesisPlugin,
    HighLevelSynthesisPluginManager,
)


class SynthesisMethod(HighLevelSynthesisPlugin):
    """A Qiskit plugin that builds an operator from its integer parameters alone.

    Methods are entries `operator.method` of the group `qiskit.synthesis` in `pyproject.toml`.
    Their classical work is polynomial in cards and players.
    """

    @abstractmethod
    def two_qubit_gates(self, *params: int) -> int | None:
        """Predict the two-qubit gates of `build(*params)` on all-to-all qubits, from a formula.

        Returns:
            The number, or None where the method does not apply to an operator of this size.
        """

    @abstractmethod
    def build(self, *params: int) -> QuantumCircuit:
        """Return the operator's circuit on its operands."""

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate for Qiskit, or return None where the method does not apply."""
        params = [int(p) for p in high_level_object.params]
        return None if self.two_qubit_gates(*params) is None else self.build(*params)


class Cheapest(HighLevelSynthesisPlugin):
    """The entry `operator.default`: the method with the fewest predicted two-qubit gates."""

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate with the cheapest method, as Qiskit asks for it."""
        prices = predictions(high_level_object)
        manager = HighLevelSynthesisPluginManager()
        cheapest = min(prices, key=lambda method: prices[method])
        return manager.method(high_level_object.name, cheapest).run(high_level_object)


def predictions(gate: Gate) -> dict[str, int]:
    """Return the predicted two-qubit gates of every method that can build `gate`, by name."""
    manager = HighLevelSynthesisPluginManager()
    params = [int(p) for p in gate.params]
    prices = {}
    for name in manager.method_names(gate.name):
        method = manager.method(gate.name, name)
        if isinstance(method, SynthesisMethod):
            price = method.two_qubit_gates(*params)
            if price is not None:
                prices[name] = price
    return prices
