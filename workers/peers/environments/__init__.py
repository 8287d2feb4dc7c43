"""Compilers whose packages do not suit ours, each in an environment of its own."""
