"""A simulated Amazon Braket."""
