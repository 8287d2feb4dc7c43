"""Circuits proven equal block by block, each block on two qubits."""
