"""A provider as stages ask it: every call is timed and told."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from time import perf_counter

from attrs import frozen
from sqlalchemy import Engine

from backends import (
    BackendError,
    Calibration,
    Charge,
    CircuitJob,
    JobStatus,
    ProviderBackend,
    UnavailableError,
)
from workers.events import ProviderCalled, publish
from workers.stages.at_provider.health import BOOK


@frozen(eq=False)
class Provider:
    """Calls of a backend's provider; for each see `ProviderBackend`.

    Args:
        backend: of the provider.
        name: of the provider.
        spec: of the backend.
        engine: of the database in which answers and failures are recorded.
    """

    backend: ProviderBackend
    name: str
    spec: str
    engine: Engine

    def account(self) -> str:
        """Ask whose the jobs are; a backend that knows it already sends no request."""
        try:
            return self.backend.account()
        except BackendError:
            with self._call("account"):
                raise

    def fence(self) -> str | None:
        """Open the session of one job."""
        with self._call("fence"):
            return self.backend.fence()

    def close_fence(self, fence: str) -> None:
        """Let it take no more."""
        with self._call("close_fence"):
            self.backend.close_fence(fence)

    def submit(
        self,
        circuits: Mapping[str, CircuitJob],
        key: str,
        fence: str | None,
        leave: Callable[[], None],
    ) -> str:
        """Hand a provider job over."""
        with self._call("submit"):
            return self.backend.submit(circuits, key, fence=fence, leave=leave)

    def find(self, key: str, since: datetime) -> Sequence[str]:
        """Look for a job by its key."""
        with self._call("find"):
            return self.backend.find(key, since)

    def status(self, provider_id: str, key: str) -> JobStatus:
        """Ask where a job is."""
        with self._call("status"):
            return self.backend.status(provider_id, key)

    def raw_result(self, provider_id: str) -> bytes:
        """Fetch a result."""
        with self._call("raw_result"):
            return self.backend.raw_result(provider_id)

    def charge(self, provider_id: str) -> Charge | None:
        """Return the charge of a job."""
        with self._call("charge"):
            return self.backend.charge(provider_id)

    def executed_program(self, provider_id: str, raw: bytes) -> bytes | None:
        """Fetch the program that it compiled and ran."""
        with self._call("executed_program"):
            return self.backend.executed_program(provider_id, raw)

    def calibration(self, job: CircuitJob) -> Calibration | None:
        """Return the errors of the device."""
        with self._call("calibration"):
            return self.backend.calibration(job)

    def cancel(self, provider_id: str) -> None:
        """Cancel a job."""
        with self._call("cancel"):
            self.backend.cancel(provider_id)

    @contextmanager
    def _call(self, call: str) -> Iterator[None]:
        started, outcome = perf_counter(), "error"
        try:
            with BOOK.watching(self.engine, self.spec):
                yield
            outcome = "ok"
        except UnavailableError:
            outcome = "unavailable"
            raise
        except BackendError:
            outcome = "refused"
            raise
        finally:
            publish(ProviderCalled(self.name, call, outcome, perf_counter() - started))
