"""Two-qubit interactions: a circuit as exponentials of Pauli products, merged and in partial order."""
