"""Targets: what a circuit is lowered to, always a Qiskit `Target`."""

import sys

from compiler.registry import discover
from compiler.targets.target import TargetFamily, sized_spec, target_families, target_from_spec

__all__ = ["TargetFamily", "sized_spec", "target_families", "target_from_spec"]

discover(sys.modules[__name__])
