"""The command `fidelity`: games with the noise of devices."""
