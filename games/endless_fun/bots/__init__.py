"""Players that choose by what their seat sees."""
