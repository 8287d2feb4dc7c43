"""Where circuits run: one file or folder a provider, one protocol for all."""

from backends.backend import (
    Backend,
    BackendError,
    Charge,
    CircuitJob,
    CredentialsError,
    JobState,
    JobStatus,
    LocalBackend,
    PriceError,
    ProviderBackend,
    ResultError,
    UnavailableError,
    backend,
    backend_from_spec,
    backends,
    target_on,
)

__all__ = [
    "Backend",
    "BackendError",
    "Charge",
    "CircuitJob",
    "CredentialsError",
    "JobState",
    "JobStatus",
    "LocalBackend",
    "PriceError",
    "ProviderBackend",
    "ResultError",
    "UnavailableError",
    "backend",
    "backend_from_spec",
    "backends",
    "target_on",
]
