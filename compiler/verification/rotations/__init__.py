"""Circuits compared by their Pauli rotations."""
