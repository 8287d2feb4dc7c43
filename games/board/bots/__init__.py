"""Bots for quantum boards."""
