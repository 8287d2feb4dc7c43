"""The registered simulated providers, one a module."""
