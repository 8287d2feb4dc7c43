"""The cards of three levels as operators on two qubits each."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
