"""Routing by searches that merge swaps with the gates beside them."""
