"""A circuit as exponentials of Pauli products on two qubits, merged and in partial order."""
