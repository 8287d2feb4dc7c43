"""Metrics of the API: its requests, its own part of the work, and the records."""

from prometheus_client import CollectorRegistry, generate_latest

from workers.metrics.family import Family, Kind, Source
from workers.metrics.from_records.collector import RecordCollector
from workers.metrics.recording import INSTRUMENTS

BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)

REQUESTS = Family(
    "stichwerk_http_requests_total",
    Kind.COUNTER,
    "Requests by response status; 0 if the connection was lost before the response",
    ("method", "route", "status"),
    Source.REQUESTS,
)
DURATION = Family(
    "stichwerk_http_request_duration_seconds",
    Kind.HISTOGRAM,
    "Duration of requests",
    ("method", "route"),
    Source.REQUESTS,
)


class RequestMetrics:
    """Counts and durations of requests, by route and status."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = REQUESTS.counter(self.registry)
        self._seconds = DURATION.histogram(self.registry, BUCKETS)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)


def exposition(requests: RequestMetrics, records: RecordCollector) -> bytes:
    """Return all metrics in Prometheus's text format.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: if the database fails.
    """
    read = CollectorRegistry()
    read.register(records)
    return b"".join(map(generate_latest, (read, requests.registry, INSTRUMENTS)))
