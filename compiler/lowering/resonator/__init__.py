"""Scheduling of a computational resonator."""
