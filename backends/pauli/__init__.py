"""Noise as random Pauli operators: trajectories of a state, and frames of Clifford circuits."""
