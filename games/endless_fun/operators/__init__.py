"""The cards of three levels as operators on two qubits each."""

from compiler.registry import discover

discover(__name__)
