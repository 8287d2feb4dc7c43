"""A simulated IBM."""
