"""The command `games`."""
