"""The command `compile`."""
