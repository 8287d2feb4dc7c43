"""Whether machines got better: the newest runs against earlier ones of the same circuit."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from workers.metrics.family import gauge
from workers.metrics.from_records.runs import BY_RUN
from workers.metrics.labels import plain
from workers.records.calibrations import calibration_change
from workers.records.queries.comparisons import compare_runs
from workers.records.queries.outcome_counts import OutcomeCounts
from workers.records.queries.runs import read_runs
from workers.records.tables import Job

CHANGE = gauge(
    "stichwerk_benchmark_fidelity_change_ratio",
    "Normalised fidelity of the newest run less that of earlier runs of the same native circuit "
    "with comparable shots: the estimate, and the low and high end of its interval",
    *BY_RUN,
    "bound",
)

CALIBRATION = gauge(
    "stichwerk_benchmark_calibration_change_ratio",
    "How much the error has grown that has become most worse since, of what the newest run used, "
    "by its device's calibration: now less the median of the same earlier runs; `place` is its "
    "qubit or coupler",
    *BY_RUN,
    "place",
    "error",
)


def change_metrics(session: Session, kept: Sequence[tuple[Sequence[str], Job]]) -> Iterator[Metric]:
    """Yield how the newest runs differ from those before, and the calibration that may explain it.

    See `compare_runs` for the rules.

    Args:
        session: of the database that holds the records.
        kept: the newest run of every combination on every backend, with its labels.
    """
    runs = read_runs(session)
    labels_of = {job.id: labels for labels, job in kept}
    newest = [run for run in runs if run.job in labels_of]
    family, calibration = CHANGE.read(), CALIBRATION.read()
    for one in compare_runs(newest, runs, OutcomeCounts(session).of):
        if one.change is None:
            continue
        change, labels = one.change, labels_of[one.newest.job]
        bounds = {"low": change.low, "estimate": change.difference, "high": change.high}
        for bound, value in bounds.items():
            family.add_metric([*labels, bound], value)
        earlier = [run.job for run in one.earlier]
        cause = calibration_change(session, one.newest.job, earlier, worse=True)
        if cause is not None and cause.notable:
            grown = cause.now.error - cause.before
            calibration.add_metric([*labels, cause.now.place, plain(cause.now.what)], grown)
    yield family
    yield calibration
