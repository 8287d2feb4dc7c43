"""Routing along a line of qubits."""
