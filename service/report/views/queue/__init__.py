"""Sections on the queue and on what stands in its way."""
