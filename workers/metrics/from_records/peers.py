"""What other compilers and this one made of the same programs, when they were last compared."""

from collections.abc import Iterator

from prometheus_client.core import Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from workers.metrics.family import Family, gauge
from workers.metrics.from_records.combination import different
from workers.metrics.labels import plain
from workers.records.tables import PeerResult

LABELS = ("suite", "program", "form", "target", "peer")
PROVEN = ("exact", "sampled")

FIGURES: dict[str, Family] = {
    name: gauge(f"stichwerk_peer_{name}", meaning, *LABELS)
    for name, meaning in (
        ("two_qubit_gates", "Gates on two qubits of a compiler's best proven result"),
        ("two_qubit_depth", "Its depth counting only those"),
        ("compile_duration_seconds", "Time that all of the compiler's calls took together"),
    )
}


def peer_metrics(session: Session) -> Iterator[Metric]:
    """Yield the newest result of each compiler for each case, where it is proven."""
    last = select(func.max(PeerResult.id)).group_by(
        PeerResult.suite, PeerResult.program, PeerResult.form, PeerResult.target, PeerResult.peer
    )
    rows = session.scalars(
        select(PeerResult)
        .where(PeerResult.id.in_(last), PeerResult.verified.in_(PROVEN))
        .order_by(PeerResult.id.desc())
    )
    families = {name: family.read() for name, family in FIGURES.items()}
    labelled = ((tuple(plain(getattr(row, name)) for name in LABELS), row) for row in rows)
    for labels, row in different(labelled):
        values = {
            "two_qubit_gates": row.two_qubit_gates,
            "two_qubit_depth": row.two_qubit_depth,
            "compile_duration_seconds": row.seconds,
        }
        for name, value in values.items():
            if value is not None:
                families[name].add_metric(labels, value)
    yield from families.values()
