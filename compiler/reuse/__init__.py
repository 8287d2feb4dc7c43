"""Circuits on fewer qubits: measured as early as possible, reset, and used again."""
