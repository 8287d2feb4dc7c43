"""Endless Fun (Kopf and others, 2020): cards are gates on qudits of two or three levels."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
