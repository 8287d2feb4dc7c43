"""Rewriting of blocks and windows with regard to the state that reaches them."""
