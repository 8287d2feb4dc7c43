"""The command `peers`."""
