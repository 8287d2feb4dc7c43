"""Bidding advice: the best contract of a hand, and the highest bid."""
