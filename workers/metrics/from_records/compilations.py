"""Metrics of compilations: the newest of every configuration, and of other compilers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from workers.metrics.family import figures, gauge
from workers.metrics.labels import BY_CONFIGURATION, Labelled, configuration_labels, distinct, plain
from workers.records.queries.compilations import (
    Compiled,
    newest_compilations,
    newest_peer_results,
)
from workers.records.queries.configurations import Configuration
from workers.records.queries.programs import Programs

MAX_COMPILATIONS = 200
"""Newest configurations that are exported."""

MAX_WITH_STEPS = 50

FIGURES = figures(
    "stichwerk_benchmark_",
    BY_CONFIGURATION,
    {
        "two_qubit_gates": "Gates on two qubits of the chosen circuit",
        "two_qubit_depth": "Its depth counting only those",
        "depth": "Its depth",
        "gates": "Its gates",
        "qubits": "Physical qubits that it uses",
        "circuit_duration_seconds": "Its scheduled duration, where the target has durations",
        "expected_fidelity_ratio": "Product of the fidelities of its gates, measurements and waits "
        "(T1, T2), where the target has errors",
        "compile_duration_seconds": "Time that compiling and proving it took",
        "compile_timestamp_seconds": "When it was compiled, in Unix time",
    },
)
INFO = gauge(
    "stichwerk_benchmark_compilation_info",
    "1: the pipeline that was chosen, and how far its circuit is proven",
    *BY_CONFIGURATION,
    "pipeline",
    "verified",
)
STEPS = figures(
    "stichwerk_benchmark_step_",
    [*BY_CONFIGURATION, "step"],
    {
        "two_qubit_gates": "Gates on two qubits after a pass, once there are no wider ones",
        "two_qubit_depth": "Depth counting only those",
        "duration_seconds": "Time that the pass took",
    },
)
PROGRAM = gauge(
    "stichwerk_program_info",
    "1: how many cards and players a card game has",
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
        "two_qubit_gates": "Gates on two qubits of a compiler's best proven result",
        "two_qubit_depth": "Its depth counting only those",
        "compile_duration_seconds": "Time that all of the compiler's calls took together",
    },
)

Values = Mapping[str, float | None]


def labelled_compilations(session: Session) -> tuple[list[Labelled[Compiled]], int]:
    """Return the newest compilation of every configuration, and the number left out."""
    compilations, left_out = newest_compilations(session, MAX_COMPILATIONS)
    return distinct(
        (configuration_labels(one.configuration), one) for one in compilations
    ), left_out


def compilation_metrics(labelled: Sequence[Labelled[Compiled]]) -> Iterator[Metric]:
    """Yield the figures of chosen circuits, and of the passes of the first ones."""
    yield from FIGURES.read((labels, _figures(one)) for labels, one in labelled)
    info = INFO.read()
    for labels, one in labelled:
        info.add_metric([*labels, plain(one.choice.pipeline), one.verified], 1)
    yield info
    yield from STEPS.read(_steps(labelled[:MAX_WITH_STEPS]))


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
    yield from PEERS.read(
        (
            labels,
            {
                "two_qubit_gates": row.two_qubit_gates,
                "two_qubit_depth": row.two_qubit_depth,
                "compile_duration_seconds": row.seconds,
            },
        )
        for labels, row in labelled
    )


def _figures(one: Compiled) -> Values:
    figures_, duration = one.figures, one.figures["duration_ns"]
    return {
        **{name: figures_[name] for name in FIGURES.families.keys() & figures_.keys()},
        "circuit_duration_seconds": None if duration is None else duration / 1e9,
        "expected_fidelity_ratio": figures_["expected_fidelity"],
        "compile_duration_seconds": one.seconds,
        "compile_timestamp_seconds": one.at.timestamp(),
    }


def _steps(labelled: Sequence[Labelled[Compiled]]) -> Iterator[tuple[Sequence[str], Values]]:
    for labels, one in labelled:
        for place, step in enumerate(one.choice.steps, start=1):
            yield (
                [*labels, f"{place:02} {plain(step['name'])}"],
                {
                    "two_qubit_gates": step["two_qubit_gates"],
                    "two_qubit_depth": step.get("two_qubit_depth"),
                    "duration_seconds": step.get("seconds"),
                },
            )
