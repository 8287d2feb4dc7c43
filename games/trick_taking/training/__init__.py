"""Weights of card plays, trained: best responses and equilibria of small games."""
