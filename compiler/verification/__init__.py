"""Proof that what was built is what was meant."""
