"""The command `new`."""
