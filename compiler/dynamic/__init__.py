"""Circuits that measure, reset and branch on the way."""
