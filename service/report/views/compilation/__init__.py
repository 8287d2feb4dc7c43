"""Sections on circuits and how they were compiled."""
