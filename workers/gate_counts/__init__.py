"""Gate counts of a suite of programs, checked against a committed baseline."""
