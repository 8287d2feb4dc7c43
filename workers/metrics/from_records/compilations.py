"""Figures of the newest compilation of every combination."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from compiler.certainty import how_verified
from workers.metrics.family import Family, gauge
from workers.metrics.from_records.combination import COLUMNS, LABELS, MOST, combination, different
from workers.metrics.labels import plain
from workers.records.rounds import NOT_FOR_A_ROUND
from workers.records.tables import Candidate, Compilation

MOST_WITH_STEPS = 50

FIGURES: dict[str, Family] = {
    name: gauge(f"stichwerk_benchmark_{name}", meaning, *LABELS)
    for name, meaning in (
        ("two_qubit_gates", "Gates on two qubits of the chosen circuit"),
        ("two_qubit_depth", "Its depth counting only those"),
        ("depth", "Its depth"),
        ("gates", "Its gates"),
        ("qubits", "Physical qubits that it uses"),
        ("circuit_duration_seconds", "Its scheduled duration, where the target has durations"),
        ("expected_fidelity_ratio", "Product of its gates' fidelities, where the target has them"),
        ("compile_duration_seconds", "Time that compiling and proving it took"),
        ("compile_timestamp_seconds", "When it was compiled, in Unix time"),
    )
}
INFO = gauge(
    "stichwerk_benchmark_compilation_info",
    "1: the pipeline that was chosen, and how far its circuit is proven",
    *LABELS,
    "pipeline",
    "verified",
)
STEPS: dict[str, Family] = {
    name: gauge(f"stichwerk_benchmark_step_{name}", meaning, *LABELS, "step")
    for name, meaning in (
        ("two_qubit_gates", "Gates on two qubits after a pass, once there are no wider ones"),
        ("two_qubit_depth", "Depth counting only those"),
        ("duration_seconds", "Time that the pass took"),
    )
}

Compiled = tuple[Compilation, Candidate]


def compilation_metrics(
    kept: Sequence[tuple[Sequence[str], Compiled]],
) -> Iterator[Metric]:
    """Yield the figures of chosen circuits by their labels, and of the passes of the first ones."""
    yield from _figures(kept)
    yield from _steps(kept[:MOST_WITH_STEPS])


def newest_compilations(session: Session) -> tuple[list[tuple[Sequence[str], Compiled]], int]:
    """Return the newest compilation of each combination, and how many combinations are left out.

    Newest come first; only those are looked at of which a candidate was chosen, and which no
    estimate's round has asked for.
    """
    newest = func.max(Compilation.id)
    ids = session.scalars(
        select(newest)
        .join(Candidate, Candidate.compilation_id == Compilation.id)
        .where(Candidate.chosen, NOT_FOR_A_ROUND)
        .group_by(*COLUMNS)
        .order_by(newest.desc())
    ).all()
    rows = session.execute(
        select(Compilation, Candidate)
        .join(Candidate, Candidate.compilation_id == Compilation.id)
        .where(Compilation.id.in_(ids[:MOST]), Candidate.chosen)
        .order_by(Compilation.id.desc())
        .options(*_WITHOUT_CIRCUITS)
    ).all()
    kept = different((combination(row.Compilation), (row[0], row[1])) for row in rows)
    return list(kept), max(0, len(ids) - MOST)


_WITHOUT_CIRCUITS = (
    load_only(
        Compilation.created_at, Compilation.program, Compilation.target, Compilation.method,
        Compilation.encoding, Compilation.objective, Compilation.any_input, Compilation.without,
        Compilation.qubits_saved,
        Compilation.program_verified, Compilation.compile_seconds,
    ),
    load_only(
        Candidate.pipeline, Candidate.verified, Candidate.steps, Candidate.qubits,
        Candidate.two_qubit_gates, Candidate.two_qubit_depth, Candidate.depth, Candidate.gates,
        Candidate.duration_ns, Candidate.expected_fidelity,
    ),
)  # fmt: skip


def _figures(kept: Sequence[tuple[Sequence[str], Compiled]]) -> Iterator[Metric]:
    families = {name: family.read() for name, family in FIGURES.items()}
    info = INFO.read()
    for labels, (compilation, chosen) in kept:
        duration = chosen.duration_ns
        values = {
            "two_qubit_gates": chosen.two_qubit_gates,
            "two_qubit_depth": chosen.two_qubit_depth,
            "depth": chosen.depth,
            "gates": chosen.gates,
            "qubits": chosen.qubits,
            "circuit_duration_seconds": None if duration is None else duration / 1e9,
            "expected_fidelity_ratio": chosen.expected_fidelity,
            "compile_duration_seconds": compilation.compile_seconds,
            "compile_timestamp_seconds": compilation.created_at.timestamp(),
        }
        for name, value in values.items():
            if value is not None:
                families[name].add_metric(labels, value)
        verified = how_verified(compilation.program_verified, chosen.verified)
        info.add_metric([*labels, plain(chosen.pipeline), verified], 1)
    yield from families.values()
    yield info


def _steps(kept: Sequence[tuple[Sequence[str], Compiled]]) -> Iterator[Metric]:
    families = {name: family.read() for name, family in STEPS.items()}
    for labels, (_, chosen) in kept:
        for place, step in enumerate(chosen.steps, start=1):
            values = {
                "two_qubit_gates": step["two_qubit_gates"],
                "two_qubit_depth": step.get("two_qubit_depth"),
                "duration_seconds": step.get("seconds"),
            }
            for name, value in values.items():
                if value is not None:
                    families[name].add_metric([*labels, f"{place:02} {plain(step['name'])}"], value)
    yield from families.values()
