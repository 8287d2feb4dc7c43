"""Where circuits run: one file a provider, one protocol for all."""

import sys

from backends.backend import (
    Backend,
    BackendError,
    CircuitJob,
    JobState,
    backend,
    backend_from_spec,
    backends,
)
from compiler.registry import discover

__all__ = [
    "Backend",
    "BackendError",
    "CircuitJob",
    "JobState",
    "backend",
    "backend_from_spec",
    "backends",
]

discover(sys.modules[__name__])
