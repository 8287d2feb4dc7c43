"""Synthesis methods of the operators of trick-taking games."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
