"""Circuits whose gates may change places where they commute."""
