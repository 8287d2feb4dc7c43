"""Endless Fun (Kopf and others, 2020): cards are gates on qudits of two or three levels."""

from compiler.registry import discover

discover(__name__)
