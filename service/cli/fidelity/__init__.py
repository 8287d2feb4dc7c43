"""The command `fidelity`."""
