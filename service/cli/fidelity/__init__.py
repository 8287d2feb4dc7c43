"""The commands `fidelity` and `volume`: games with the noise of devices."""
