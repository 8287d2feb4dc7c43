"""What the records hold, read when Prometheus asks, but no more often than is of use."""

import threading
from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from attrs import define, field
from prometheus_client.core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from workers.jobs.states import Queue
from workers.metrics.family import gauge
from workers.metrics.from_records.compilations import (
    compilation_metrics,
    labelled_compilations,
    peer_metrics,
    program_metrics,
)
from workers.metrics.from_records.runs import (
    change_metrics,
    estimate_metrics,
    labelled_runs,
    run_metrics,
    volume_metric,
)
from workers.metrics.from_records.service import broker_metrics, service_metrics
from workers.records.database import unhurried
from workers.records.queries.programs import Programs
from workers.settings import Settings

JOBS_FRESH_SECONDS = 1.0
BENCHMARKS_FRESH_SECONDS = 10.0

OMITTED = gauge(
    "stichwerk_benchmark_omitted_series",
    "Combinations of compilations and of runs that are left out, being the oldest of too many",
)


@define(eq=False)
class _Part:
    """Metrics that are read together, and repeated for a while.

    Args:
        read: reads them.
        seconds: for how long they are repeated.
    """

    read: Callable[[Session], Iterator[Metric]]
    seconds: float
    _found: tuple[Metric, ...] = ()
    _until: float = field(default=-1.0)

    def metrics(self, engine: Engine) -> tuple[Metric, ...]:
        """Return what was found, or is found now."""
        if monotonic() >= self._until:
            with Session(engine) as session:
                unhurried(session.connection())
                self._found = tuple(self.read(session))
            self._until = monotonic() + self.seconds
        return self._found


class RecordCollector(Collector):
    """Reads the metrics of the records; for as many scrapers at once as there may be.

    Args:
        engine: of the database.
        settings: with the budgets' limits.
        lengths: returns how many messages each queue holds, None if the broker is away.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        lengths: Callable[[], Mapping[Queue, int] | None],
    ) -> None:
        self._engine = engine
        self._lengths = lengths
        self._lock = threading.Lock()
        self._parts = (
            _Part(lambda session: service_metrics(session, settings), JOBS_FRESH_SECONDS),
            _Part(_benchmarks, BENCHMARKS_FRESH_SECONDS),
        )

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: if the database fails.
        """
        with self._lock:
            found = [part.metrics(self._engine) for part in self._parts]
        for metrics in found:
            yield from metrics
        yield from broker_metrics(self._lengths())


def _benchmarks(session: Session) -> Iterator[Metric]:
    compilations, fewer_compilations = labelled_compilations(session)
    runs, fewer_runs = labelled_runs(session)
    programs = Programs(session)
    yield from compilation_metrics(compilations)
    yield from run_metrics(runs)
    yield from change_metrics(session, runs)
    yield from estimate_metrics(session)
    shown = [(one.id, one.configuration) for _, one in compilations]
    yield program_metrics(
        programs, shown + [(run.compilation_id, run.configuration) for _, run in runs]
    )
    yield volume_metric(programs, runs)
    yield from peer_metrics(session)
    omitted = OMITTED.read()
    omitted.add_metric([], fewer_compilations + fewer_runs)
    yield omitted
