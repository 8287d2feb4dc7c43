"""Passes on operators before they are synthesised."""
