"""What is known of the state that a circuit has reached from |0…0⟩."""
