"""Matches that a server stores, and the jobs that measure them."""
