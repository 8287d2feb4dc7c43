"""Verification of games too large for a state: step by step, and one game at a time."""
