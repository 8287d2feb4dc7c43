"""Rounds on machines whose own levels are the game's: qudits without a qubit between them."""
