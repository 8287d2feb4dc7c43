"""A provider as stages ask it: every call is timed and told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import ParamSpec, TypeVar

from attrs import frozen
from sqlalchemy import Engine

from backends import BackendError, ProviderBackend, UnavailableError
from workers.events import ProviderCalled, publish
from workers.stages.at_provider.health import BOOK

P = ParamSpec("P")
R = TypeVar("R")


@frozen(eq=False)
class Provider:
    """Calls of a backend's provider.

    Args:
        backend: of the provider.
        spec: of the backend.
        engine: of the database in which answers and failures are recorded.
    """

    backend: ProviderBackend
    spec: str
    engine: Engine

    @property
    def name(self) -> str:
        """Return the name of the provider."""
        return self.spec.partition(":")[0]

    def account(self) -> str:
        """Ask whose the jobs are; a backend that knows it already sends no request."""
        try:
            return self.backend.account()
        except BackendError:
            with self._call("account"):
                raise

    def ask(self, call: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Call a method of the backend."""
        with self._call(call.__name__):
            return call(*args, **options)

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
