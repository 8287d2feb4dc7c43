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
    larger_device,
    target_on,
)
