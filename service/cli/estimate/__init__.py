"""The command `estimate`."""
