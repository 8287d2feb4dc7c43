"""Metrics of runs: the newest of every configuration on every backend, and of estimates."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from compiler.scores.intervals import unbiased_fidelity
from compiler.scores.machine_score import game_volume
from compiler.scores.scoring import normalized
from workers.metrics.family import figures, gauge
from workers.metrics.labels import (
    BY_CONFIGURATION,
    Labelled,
    backend_label,
    configuration_labels,
    distinct,
    plain,
)
from workers.records.calibrations import calibration_change
from workers.records.queries.comparisons import compare_runs
from workers.records.queries.estimates import RecordedEstimate, finished_estimates
from workers.records.queries.programs import Programs
from workers.records.queries.runs import Run, newest_runs, read_runs

MAX_RUNS = 200
"""Newest runs, and newest estimates, that are exported."""

BY_RUN = (*BY_CONFIGURATION, "backend")

SCORES = figures(
    "stichwerk_benchmark_",
    [*BY_RUN, "selection"],
    {
        "hellinger_fidelity_ratio": (
            "Hellinger fidelity to the exact distribution",
            "hellinger_fidelity",
        ),
        "normalized_fidelity_ratio": (
            "Hellinger fidelity, normalised so that uniform noise is 0",
            "normalized_fidelity",
        ),
    },
)
RUNS = figures(
    "stichwerk_benchmark_",
    BY_RUN,
    {
        "legal_ratio": ("Share of shots with a legal outcome", "scores.raw.legal_fraction"),
        "shots": "Shots of the run",
        "run_timestamp_seconds": ("End of the run", "at"),
        "run_duration_seconds": ("Duration of the run on a local simulator", "run_seconds"),
    },
)
OBSERVABLES = figures(
    "stichwerk_benchmark_",
    [*BY_RUN, "observable", "selection"],
    {
        "observable": (
            "Measured value of an observable, such as the probability of a win",
            "measured",
        ),
        "observable_error": ("Absolute difference of the measured from the exact value", "error"),
        "observable_excess_sigmas": (
            "Standard deviations by which it exceeds the bound of players without entanglement; "
            "only for nonlocal games",
            "sigmas",
        ),
    },
)
EXACT = gauge(
    "stichwerk_benchmark_observable_exact", "Exact value of an observable", *BY_RUN,
    "observable",
)  # fmt: skip
CHANGE = gauge(
    "stichwerk_benchmark_fidelity_change_ratio",
    "Normalised fidelity of the newest run minus that of earlier runs of the same native circuit "
    "with comparable shots: estimate, low and high end of its interval",
    *BY_RUN,
    "bound",
)
CALIBRATION = gauge(
    "stichwerk_benchmark_calibration_change_ratio",
    "Largest growth of an error of the device's calibration among the qubits and couplers of the "
    "newest run: its value minus the median of those earlier runs; `place` is the qubit or coupler",
    *BY_RUN,
    "place",
    "error",
)
VOLUME = gauge(
    "stichwerk_benchmark_game_volume_cards",
    "Cards of the largest game whose newest run reaches the threshold of normalised fidelity",
    "backend",
    "threshold",
)
ESTIMATES = figures(
    "stichwerk_estimate_",
    [*BY_RUN, "observable", "estimator"],
    {
        "probability": (
            "Estimated probability of an event, or expected value of a number",
            "value",
        ),
        "exact": "Exact value by the rules",
        "error": "Absolute difference of the estimate from the exact value",
        "half_width": "Half width of the estimate's interval",
        "calls": "Runs of the program or its inverse",
        "sampling_calls": "Runs that sampling without noise needs for the same interval width",
        "iterates": ("Maximum number of Grover iterates in a circuit", "deepest"),
        "timestamp_seconds": ("End of the estimate", "at"),
    },
)


def labelled_runs(session: Session) -> tuple[list[Labelled[Run]], int]:
    """Return the newest run of every configuration on every backend, and the number left out."""
    runs, left_out = newest_runs(session, MAX_RUNS)
    labelled = (
        ((*configuration_labels(run.configuration), backend_label(run.backend)), run)
        for run in runs
    )
    return distinct(labelled), left_out


def run_metrics(labelled: Sequence[Labelled[Run]]) -> Iterator[Metric]:
    """Yield the scores of runs by their labels."""
    exact = EXACT.read()
    for labels, run in labelled:
        for name, observed in run.scores["raw"].observables.items():
            if observed.exact is not None:
                exact.add_metric([*labels, plain(name)], observed.exact)
    yield exact
    yield from SCORES.read(
        ([*labels, plain(kind)], score)
        for labels, run in labelled
        for kind, score in run.scores.items()
    )
    yield from RUNS.read(labelled)
    yield from OBSERVABLES.read(
        ([*labels, plain(name), plain(kind)], observed)
        for labels, run in labelled
        for kind, score in run.scores.items()
        for name, observed in score.observables.items()
    )


def change_metrics(session: Session, labelled: Sequence[Labelled[Run]]) -> Iterator[Metric]:
    """Yield how the newest runs differ from those before, and the calibration that may explain it.

    See `compare_runs` for the rules.

    Args:
        session: of the database that holds the records.
        labelled: the newest run of every configuration on every backend.
    """
    labels_of = {run.job: labels for labels, run in labelled}
    change, calibration = CHANGE.read(), CALIBRATION.read()
    newest = [run for _, run in labelled]
    for comparison in compare_runs(newest, read_runs(session), Programs(session).outcomes):
        if comparison.change is None:
            continue
        labels, measured = labels_of[comparison.newest.job], comparison.change
        bounds = {"low": measured.low, "estimate": measured.difference, "high": measured.high}
        for bound, value in bounds.items():
            change.add_metric([*labels, bound], value)
        earlier = [run.job for run in comparison.earlier]
        cause = calibration_change(session, comparison.newest.job, earlier, worse=True)
        if cause is not None and cause.notable:
            grown = cause.now.error - cause.before
            calibration.add_metric([*labels, cause.now.place, plain(cause.now.what)], grown)
    yield change
    yield calibration


LADDER = (("skat-4", "lean"), ("skat-5", "lists"), ("skat-6", "lists"), ("skat-9", "lists"))
"""Games of the game volume, each in one encoding: noise alone scores differently in another one,
where other bits are read, so that fidelities of several are not on one scale."""


def volume_metric(programs: Programs, labelled: Sequence[Labelled[Run]]) -> Metric:
    """Return the game volume of every backend that has played a game of `LADDER`, 0 for none."""
    plays: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for _, run in labelled:
        fidelity = run.scores["raw"].hellinger_fidelity
        configuration = run.configuration
        if (configuration.program, configuration.encoding) not in LADDER or fidelity is None:
            continue
        game = programs.game(configuration.digest, run.compilation_id)
        if game is None or game.size is None or game.exact is None or game.noise is None:
            continue
        share = normalized(unbiased_fidelity(fidelity, run.shots, game.exact), game.noise)
        if share is not None:
            plays[backend_label(run.backend)].append((game.size[0], share))
    family = VOLUME.read()
    for backend, played in plays.items():
        for threshold, cards in game_volume(played).items():
            family.add_metric([backend, str(threshold)], cards)
    return family


def estimate_metrics(session: Session) -> Iterator[Metric]:
    """Yield the figures of the newest estimate of each kind, of the newest of all estimates."""
    newest = finished_estimates(session, MAX_RUNS)
    yield from ESTIMATES.read(distinct((_estimate_labels(row), row) for row in newest))


def _estimate_labels(row: RecordedEstimate) -> tuple[str, ...]:
    labels = (row.program, row.target, row.method, row.encoding, row.variant)
    return (*map(plain, labels), backend_label(row.backend), plain(row.observable), row.estimator)
