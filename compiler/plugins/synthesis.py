"""Synthesis methods as plug-ins of Qiskit, imported when Qiskit first runs them.

Qiskit loads all entries of its group before its first circuit. An entry
`compiler.plugins.synthesis:at.MODULE.CLASS` is loaded without importing the module.
"""

from importlib import import_module
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPlugin

from compiler.synthesis.method import Cheapest, Operator


class LateMethod(HighLevelSynthesisPlugin):
    """Plug-in of a synthesis method, or of an operator: its cheapest method.

    Args:
        module: imported when the plug-in is first run.
        name: of the class in it.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def run(self, high_level_object: Gate, *_: Any, **__: Any) -> QuantumCircuit | None:
        """Build the gate for Qiskit, or return None where the method does not apply."""
        kind = getattr(import_module(self._module), self._name)
        plugin = Cheapest() if issubclass(kind, Operator) else kind()
        return plugin.run(high_level_object)


class Place:
    """Place of a class; `place.name` is a place inside, and a call returns its plug-in."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getattr__(self, name: str) -> "Place":
        return Place(*self._names, name)

    def __call__(self) -> LateMethod:
        """Return the plug-in of the class at this place."""
        *module, name = self._names
        return LateMethod(".".join(module), name)


at = Place()
