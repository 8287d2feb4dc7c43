"""Matrices, Weyl classes and blocks of circuits: what lowering and verification share."""
