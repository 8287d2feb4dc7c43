"""All metrics by name, with meaning and labels."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import frozen
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily, Metric

# A series beside each counter that says when it began is of no use to Prometheus.
disable_created_metrics()  # type: ignore[no-untyped-call]

FAMILIES: dict[str, "Family"] = {}
"""All that have been declared, in the order of their declaration."""


class Kind(StrEnum):
    """The types that are used, as Prometheus calls them."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Source(StrEnum):
    """Where values come from, and so which process exports them."""

    REQUESTS = "requests"
    """Counted by each API."""
    WORK = "work"
    """Counted where the work is done: API, workers, sweepers."""
    RECORDS = "records"
    """Read from the database and the broker by each API, which all tell the same."""


@frozen
class Family:
    """One metric.

    Args:
        name: as it is exported; its end tells the unit.
        kind: its type.
        meaning: one line.
        labels: names of its labels.
        source: where its values come from.
    """

    name: str
    kind: Kind
    meaning: str
    labels: tuple[str, ...]
    source: Source

    def __attrs_post_init__(self) -> None:
        if self.name in FAMILIES:
            raise ValueError(f"the metric {self.name} is declared twice")
        FAMILIES[self.name] = self

    def counter(self, registry: CollectorRegistry) -> Counter:
        """Return a counter that this process keeps."""
        return Counter(self.name, self.meaning, self.labels, registry=registry)

    def histogram(self, registry: CollectorRegistry, buckets: Sequence[float]) -> Histogram:
        """Return a histogram that this process keeps."""
        return Histogram(
            self.name, self.meaning, self.labels, registry=registry, buckets=tuple(buckets)
        )

    def live_gauge(self, registry: CollectorRegistry) -> Gauge:
        """Return a gauge that is added up over the processes of a worker that are alive."""
        return Gauge(
            self.name, self.meaning, self.labels, registry=registry, multiprocess_mode="livesum"
        )

    def read(self) -> GaugeMetricFamily:
        """Return an empty family, for values that have just been read."""
        return GaugeMetricFamily(self.name, self.meaning, labels=self.labels)


Value = str | Callable[[Any], float | None]
"""Value of a row: a path of attributes and keys, such as `choice.depth`, or a function of it."""


@frozen
class Figures:
    """Gauges with the same labels that are read from the records together.

    Args:
        figures: family and value of each.
    """

    figures: Sequence[tuple[Family, Value]]

    def read(self, rows: Iterable[tuple[Sequence[str], Any]]) -> Iterator[Metric]:
        """Yield the gauges with the values of rows, by their labels; None is left out."""
        gauges = [(family.read(), value) for family, value in self.figures]
        for labels, row in rows:
            for family, value in gauges:
                number = _at(row, value) if isinstance(value, str) else value(row)
                if number is not None:
                    family.add_metric(labels, number)
        yield from (family for family, _ in gauges)


def _at(row: Any, path: str) -> float | None:
    for name in path.split("."):
        row = row.get(name) if isinstance(row, Mapping) else getattr(row, name)
    return row.timestamp() if isinstance(row, datetime) else row


def figures(
    prefix: str, labels: Sequence[str], declared: Mapping[str, str | tuple[str, Value]]
) -> Figures:
    """Declare gauges that are read from the records together.

    Args:
        prefix: of their names.
        labels: of each.
        declared: meaning, and value if it is not the attribute of that name, by the rest of the
            gauge's name.
    """
    pairs = {name: (of, name) if isinstance(of, str) else of for name, of in declared.items()}
    return Figures(
        [(gauge(prefix + name, meaning, *labels), of) for name, (meaning, of) in pairs.items()]
    )


def gauge(name: str, meaning: str, *labels: str) -> Family:
    """Declare a gauge that is read from the records."""
    return Family(name, Kind.GAUGE, meaning, labels, Source.RECORDS)
