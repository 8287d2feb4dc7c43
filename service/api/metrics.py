"""Counts for Prometheus: of requests as they come, of jobs and queues when asked."""

from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from workers.states import Queue, State

BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class RequestMetrics:
    """What has been asked, how it ended and how long it took."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "stichwerk_requests",
            "HTTP requests",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "stichwerk_request_seconds",
            "Seconds that HTTP requests took",
            ["method", "route"],
            buckets=BUCKETS,
            registry=self.registry,
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)


class QueueMetrics(Collector):
    """How many jobs are where.

    Args:
        jobs: how many are in each state.
        due: how many wait for a worker.
        lengths: messages in each queue; None if the broker is away.
    """

    def __init__(
        self, jobs: Mapping[State, int], due: int, lengths: Mapping[Queue, int] | None
    ) -> None:
        self._jobs = jobs
        self._due = due
        self._lengths = lengths

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        yield _gauges("stichwerk_jobs", "Jobs by state", "state", self._jobs.items())
        yield GaugeMetricFamily("stichwerk_due_jobs", "Jobs that a worker should have", self._due)
        up = int(self._lengths is not None)
        yield GaugeMetricFamily("stichwerk_broker_up", "Whether the broker answers", up)
        lengths = (self._lengths or {}).items()
        yield _gauges("stichwerk_queue_messages", "Messages by queue", "queue", lengths)


def _gauges(
    name: str, text: str, label: str, values: Iterable[tuple[State | Queue, int]]
) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family
