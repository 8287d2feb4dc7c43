"""Sections on the queue and its problems."""
