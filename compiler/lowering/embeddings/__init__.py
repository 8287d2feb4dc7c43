"""Layouts in which long stretches of a circuit need no swap, and swaps from one to the next."""
