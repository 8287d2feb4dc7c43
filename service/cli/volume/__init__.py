"""The command `volume`."""
