"""Bidding advice: which contract a hand is good for, and how far to go."""
