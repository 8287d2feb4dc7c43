"""Legal moves on a quantum board, and their effect on the superposed games."""
