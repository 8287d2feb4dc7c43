"""Facts about the state that a circuit has reached from |0…0⟩."""
