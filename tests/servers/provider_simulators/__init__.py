"""Providers' servers on loopback: spoken to by their real SDKs, failing when told to.

They are for tests and for trying things out without an account or money. Circuits run on Aer, and
nothing is kept when they stop.
"""
