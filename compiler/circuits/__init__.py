"""Matrices, Weyl classes and blocks of circuits, shared by lowering and verification."""
