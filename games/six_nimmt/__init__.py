"""Quantum 6 Nimmt! (Chang, 2021): four rows of cards, and a qubit for each of them."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
