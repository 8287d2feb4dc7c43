"""Registered forms in which providers describe devices, one a module."""
