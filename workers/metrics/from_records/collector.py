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
from workers.metrics.from_records.budgets import budget_metrics
from workers.metrics.from_records.changes import change_metrics
from workers.metrics.from_records.compilations import compilation_metrics, newest_compilations
from workers.metrics.from_records.estimates import estimate_metrics
from workers.metrics.from_records.jobs import broker_metrics, job_metrics
from workers.metrics.from_records.peers import peer_metrics
from workers.metrics.from_records.programs import card_games, program_metrics
from workers.metrics.from_records.runs import newest_runs, run_metrics
from workers.metrics.from_records.status import status_metrics
from workers.metrics.from_records.volume import volume_metric
from workers.records.database import unhurried
from workers.settings import Settings
from workers.status.waiting import waiting_jobs

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
        self._settings = settings
        self._lengths = lengths
        self._lock = threading.Lock()
        self._parts = (
            _Part(self._now, JOBS_FRESH_SECONDS),
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

    def _now(self, session: Session) -> Iterator[Metric]:
        waiting = waiting_jobs(session, self._settings)
        yield from job_metrics(session, waiting)
        yield from status_metrics(session, waiting)
        yield from budget_metrics(session, self._settings)


def _benchmarks(session: Session) -> Iterator[Metric]:
    compiled, fewer_compiled = newest_compilations(session)
    runs, fewer_runs = newest_runs(session)
    yield from compilation_metrics(compiled)
    yield from run_metrics(runs)
    yield from change_metrics(session, runs)
    yield from estimate_metrics(session)
    shown = [compilation.id for _, (compilation, _) in compiled]
    ran = {job.compiled.id for _, job in runs}
    yield program_metrics(session, {*shown, *ran})
    yield volume_metric(runs, card_games(session, ran))
    yield from peer_metrics(session)
    omitted = OMITTED.read()
    omitted.add_metric([], fewer_compiled + fewer_runs)
    yield omitted
