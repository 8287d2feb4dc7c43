"""What the newest finished estimate of every kind has found on every backend, and by what."""

from collections.abc import Iterator

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from workers.estimation.recorded import FINISHED, RecordedEstimate, finished_estimates
from workers.metrics.family import Family, gauge
from workers.metrics.from_records.combination import LABELS, MOST, different
from workers.metrics.labels import backend_label, plain

FIGURES: dict[str, Family] = {
    name: gauge(
        f"stichwerk_estimate_{name}", meaning, *LABELS, "backend", "observable", "estimator"
    )
    for name, meaning in (
        ("probability", "The estimated probability of an event, or a number's expected value"),
        ("exact", "Its exact value by the rules"),
        ("error", "How far the estimate is from that, absolutely"),
        ("half_width", "Half of the width of the estimate's interval"),
        ("calls", "How often the program or its inverse was played"),
        ("sampling_calls", "What a perfect machine takes by counting for as narrow an interval"),
        ("iterates", "The most Grover iterates that a circuit had"),
        ("timestamp_seconds", "When the estimate ended, in Unix time"),
    )
}


def estimate_metrics(session: Session) -> Iterator[Metric]:
    """Yield the figures of the newest estimate of each kind, of the newest of all estimates."""
    families = {name: family.read() for name, family in FIGURES.items()}
    newest = finished_estimates(session, FINISHED, MOST)
    for labels, one in different((_labels(one), one) for one in newest):
        values = {
            "probability": one.value,
            "exact": one.exact,
            "error": one.error,
            "half_width": one.half_width,
            "calls": one.calls,
            "sampling_calls": one.sampling_calls,
            "iterates": one.deepest,
            "timestamp_seconds": one.at.timestamp(),
        }
        for name, value in values.items():
            if value is not None:
                families[name].add_metric(labels, value)
    yield from families.values()


def _labels(one: RecordedEstimate) -> tuple[str, ...]:
    how = (one.program, one.target, one.method, one.encoding, one.variant)
    return (*map(plain, how), backend_label(one.backend), plain(one.observable), one.estimator)
