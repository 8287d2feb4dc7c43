"""The registry of encodings."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit

from compiler.registry import Registry

if TYPE_CHECKING:
    from compiler.games.trick_taking import TrickTakingGame

encodings: Registry["Callable[[TrickTakingGame], QuantumCircuit]"] = Registry("encoding")
encoding = encodings.register
