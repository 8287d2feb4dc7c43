"""Targets of lowering, always a Qiskit `Target`."""

from compiler.targets.target import (
    TargetFamily,
    is_coupled,
    sized_spec,
    target_families,
    target_from_spec,
)

__all__ = ["TargetFamily", "is_coupled", "sized_spec", "target_families", "target_from_spec"]
