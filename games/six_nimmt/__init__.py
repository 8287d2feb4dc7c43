"""Quantum 6 Nimmt! (Chang, 2021): four rows of cards, and a qubit for each of them."""

from compiler.registry import discover

discover(__name__)
