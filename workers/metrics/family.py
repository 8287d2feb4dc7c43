"""All metrics by name, with meaning and labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

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


@frozen
class Figures:
    """Gauges with the same labels that are read from the records together.

    Args:
        families: by the name of the figure.
    """

    families: Mapping[str, Family]

    def read(
        self, rows: Iterable[tuple[Sequence[str], Mapping[str, float | None]]]
    ) -> Iterator[Metric]:
        """Yield the gauges with the values of rows.

        Args:
            rows: labels, and values by the name of the figure; None is left out.
        """
        gauges = {name: family.read() for name, family in self.families.items()}
        for labels, values in rows:
            for name, value in values.items():
                if value is not None:
                    gauges[name].add_metric(labels, value)
        yield from gauges.values()


def figures(prefix: str, labels: Sequence[str], meanings: Mapping[str, str]) -> Figures:
    """Declare gauges that are read from the records together.

    Args:
        prefix: of their names.
        labels: of each.
        meanings: by the rest of their names.
    """
    return Figures(
        {name: gauge(prefix + name, meaning, *labels) for name, meaning in meanings.items()}
    )


def gauge(name: str, meaning: str, *labels: str) -> Family:
    """Declare a gauge that is read from the records."""
    return Family(name, Kind.GAUGE, meaning, labels, Source.RECORDS)
