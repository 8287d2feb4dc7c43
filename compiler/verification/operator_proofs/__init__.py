"""Operators of circuits too large for a state, each proven as it was lowered."""
