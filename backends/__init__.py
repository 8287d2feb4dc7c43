"""Backends of circuits: one file or folder a provider, one protocol for all."""

from backends.backend import (
    AccountDevice,
    Backend,
    Calibration,
    Charge,
    CircuitJob,
    JobState,
    JobStatus,
    LocalBackend,
    ProviderBackend,
)
from backends.errors import (
    BackendError,
    CircuitsRefusedError,
    CredentialsError,
    FailedCircuitError,
    GoneError,
    NotAcceptedError,
    PriceError,
    ResultError,
    UnavailableError,
)
from backends.families import (
    backend,
    backend_from_spec,
    backends,
    check_runnable,
    check_shots_on,
    target_on,
)

__all__ = [
    "AccountDevice",
    "Backend",
    "BackendError",
    "Calibration",
    "Charge",
    "CircuitJob",
    "CircuitsRefusedError",
    "CredentialsError",
    "FailedCircuitError",
    "GoneError",
    "JobState",
    "JobStatus",
    "LocalBackend",
    "NotAcceptedError",
    "PriceError",
    "ProviderBackend",
    "ResultError",
    "UnavailableError",
    "backend",
    "backend_from_spec",
    "backends",
    "check_runnable",
    "check_shots_on",
    "target_on",
]
