"""The command `score`: one number for a machine."""
