"""The four qubits: exact states, hSwap, and the circuit of a round."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
