"""Collector of metrics of the records, read at a scrape, with a minimum interval."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import monotonic

from attrs import define, field
from prometheus_client.core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from workers.jobs.states import Queue
from workers.metrics.family import figures, gauge
from workers.metrics.from_records.runs import (
    change_metrics,
    estimate_metrics,
    labelled_runs,
    run_metrics,
    volume_metric,
)
from workers.metrics.from_records.service import broker_metrics, service_metrics
from workers.metrics.labels import BY_CONFIGURATION, Labelled, configuration_labels, distinct, plain
from workers.records.database import unhurried
from workers.records.queries.compilations import Compiled, newest_compilations, newest_peer_results
from workers.records.queries.programs import Programs
from workers.records.queries.runs import Configuration
from workers.settings import Settings

MAX_COMPILATIONS = 200
"""Newest configurations that are exported."""

MAX_WITH_STEPS = 50

FIGURES = figures(
    "stichwerk_benchmark_",
    BY_CONFIGURATION,
    {
        "two_qubit_gates": ("Two-qubit gates of the chosen circuit", "choice.two_qubit_gates"),
        "two_qubit_depth": ("Two-qubit depth", "choice.two_qubit_depth"),
        "depth": ("Depth", "choice.depth"),
        "gates": ("All gates", "choice.gates"),
        "qubits": ("Physical qubits in use", "choice.qubits"),
        "circuit_duration_seconds": (
            "Scheduled duration, if the target has durations",
            lambda of: None if of.choice.duration_ns is None else of.choice.duration_ns / 1e9,
        ),
        "expected_fidelity_ratio": (
            "Product of the fidelities of gates, measurements and waits (T1, T2), if the target "
            "has errors",
            "choice.expected_fidelity",
        ),
        "compile_duration_seconds": ("Time of compiling and proving", "seconds"),
        "compile_timestamp_seconds": ("Time when the circuit was compiled", "at"),
    },
)
INFO = gauge(
    "stichwerk_benchmark_compilation_info",
    "Always 1; the labels state the chosen pipeline and the proof",
    *BY_CONFIGURATION,
    "pipeline",
    "verified",
)
STEPS = figures(
    "stichwerk_benchmark_step_",
    [*BY_CONFIGURATION, "step"],
    {
        "two_qubit_gates": "Two-qubit gates after a pass, once no wider gates are left",
        "two_qubit_depth": "Two-qubit depth after a pass",
        "duration_seconds": ("Duration of a pass", "seconds"),
    },
)
PROGRAM = gauge(
    "stichwerk_program_info",
    "Always 1; the labels state the cards and players of a card game",
    "program",
    "cards",
    "players",
)
BY_PEER = ("suite", "program", "form", "target", "peer")
PROVEN = ("exact", "sampled")
PEERS = figures(
    "stichwerk_peer_",
    BY_PEER,
    {
        "two_qubit_gates": "Two-qubit gates of a compiler's best proven result",
        "two_qubit_depth": "Two-qubit depth of that result",
        "compile_duration_seconds": ("Time of all calls of the compiler together", "seconds"),
    },
)


def labelled_compilations(session: Session) -> tuple[list[Labelled[Compiled]], int]:
    """Return the newest compilation of every configuration, and the number left out."""
    compilations, left_out = newest_compilations(session, MAX_COMPILATIONS)
    return distinct(
        (configuration_labels(compilation.configuration), compilation)
        for compilation in compilations
    ), left_out


def compilation_metrics(labelled: Sequence[Labelled[Compiled]]) -> Iterator[Metric]:
    """Yield the figures of chosen circuits, and of the passes of the first ones."""
    yield from FIGURES.read(labelled)
    info = INFO.read()
    for labels, compilation in labelled:
        info.add_metric([*labels, plain(compilation.choice.pipeline), compilation.verified], 1)
    yield info
    yield from STEPS.read(
        ([*labels, f"{place:02} {plain(step['name'])}"], step)
        for labels, compilation in labelled[:MAX_WITH_STEPS]
        for place, step in enumerate(compilation.choice.steps, start=1)
    )


def program_metrics(programs: Programs, shown: Iterable[tuple[int, Configuration]]) -> Metric:
    """Return the sizes of card games.

    Args:
        programs: reads them.
        shown: numbers and configurations of compilations; of games with the same name the newest
            counts.
    """
    family, seen = PROGRAM.read(), set()
    for number, configuration in sorted(shown, key=lambda pair: -pair[0]):
        name = plain(configuration.program)
        if name not in seen:
            seen.add(name)
            game = programs.game(configuration.digest, number)
            if game is not None and game.size is not None:
                family.add_metric([name, *map(str, game.size)], 1)
    return family


def peer_metrics(session: Session) -> Iterator[Metric]:
    """Yield the newest result of each compiler for each case, where it is proven."""
    proven = [row for row in newest_peer_results(session) if row.verified in PROVEN]
    labelled = distinct(
        (tuple(plain(getattr(row, name)) for name in BY_PEER), row) for row in reversed(proven)
    )
    yield from PEERS.read(labelled)


JOBS_FRESH_SECONDS = 1.0
BENCHMARKS_FRESH_SECONDS = 10.0

OMITTED = gauge(
    "stichwerk_benchmark_omitted_series",
    "Compilations and runs that are not exported, because newer ones fill the limit",
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
    _cached: tuple[Metric, ...] = ()
    _until: float = field(default=-1.0)

    def metrics(self, engine: Engine) -> tuple[Metric, ...]:
        """Return the cached value, or read it now."""
        if monotonic() >= self._until:
            with Session(engine) as session:
                unhurried(session.connection())
                self._cached = tuple(self.read(session))
            self._until = monotonic() + self.seconds
        return self._cached


class RecordCollector(Collector):
    """Reads the metrics of the records; for as many scrapers at once as there may be.

    Args:
        engine: of the database.
        settings: with the budgets' limits.
        lengths: returns how many messages each queue holds, None if the broker is away.
    """

    def __init__(
        self, engine: Engine, settings: Settings, lengths: Callable[[], Mapping[Queue, int] | None]
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
            groups = [part.metrics(self._engine) for part in self._parts]
        for metrics in groups:
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
    shown = [(compilation.id, compilation.configuration) for _, compilation in compilations]
    yield program_metrics(
        programs, shown + [(run.compilation_id, run.configuration) for _, run in runs]
    )
    yield volume_metric(programs, runs)
    yield from peer_metrics(session)
    omitted = OMITTED.read()
    omitted.add_metric([], fewer_compilations + fewer_runs)
    yield omitted
