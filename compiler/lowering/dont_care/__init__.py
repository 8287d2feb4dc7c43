"""Simplification by what is never reached."""
