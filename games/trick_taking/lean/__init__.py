"""Syntheses of the operators of lists with few T gates."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
