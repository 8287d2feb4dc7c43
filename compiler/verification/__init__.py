"""Proofs that a native circuit equals its program."""
