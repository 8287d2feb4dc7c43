"""Amplitude estimation on backends."""
