"""Sections on how well machines play."""
