"""Reading what is told to Prometheus, as Prometheus reads it."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector


class Series:
    """Every value of an exposition.

    Args:
        text: in Prometheus's text format.

    Raises:
        AssertionError: if two series are the same, which Prometheus refuses.
    """

    def __init__(self, text: str) -> None:
        self.families = list(text_string_to_metric_families(text))
        self._values: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}
        for family in self.families:
            for sample in family.samples:
                key = (sample.name, frozenset(sample.labels.items()))
                assert key not in self._values, f"twice: {key}"
                self._values[key] = sample.value

    def get(self, name: str, **labels: str) -> float | None:
        """Return the value of a series, None if there is none."""
        return self._values.get((name, frozenset(labels.items())))

    def of(self, name: str) -> dict[tuple[str, ...], float]:
        """Return all values of a metric by its labels' values, in the order of their names."""
        return {
            tuple(value for _, value in sorted(labels)): found
            for (known, labels), found in self._values.items()
            if known == name
        }

    def labels(self, name: str) -> set[tuple[str, ...]]:
        """Return the sets of labels that a metric has, without those of buckets."""
        return {
            tuple(sorted(label for label, _ in labels if label != "le"))
            for (known, labels), _ in self._values.items()
            if known in (name, f"{name}_bucket", f"{name}_sum", f"{name}_count")
        }


def read(collectors: Iterable[Collector]) -> Series:
    """Return what collectors tell."""
    registry = CollectorRegistry()
    for collector in collectors:
        registry.register(collector)
    return Series(generate_latest(registry).decode())
