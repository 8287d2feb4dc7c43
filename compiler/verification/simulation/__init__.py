"""Exact simulators, which proofs rely on."""
