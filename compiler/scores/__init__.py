"""Scores of machines: formulas, mitigation, and comparison of runs."""
