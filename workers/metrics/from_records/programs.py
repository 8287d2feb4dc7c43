"""What the programs of benchmarks are."""

from collections.abc import Collection

from prometheus_client.core import Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from games.sources import Source, read_game
from workers.metrics.family import gauge
from workers.metrics.labels import plain
from workers.records.tables import Compilation

INFO = gauge(
    "stichwerk_program_info",
    "1: how many cards and players a card game has",
    "program",
    "cards",
    "players",
)

_sizes: dict[str, tuple[int, int] | None] = {}
"""Cards and players by source: reading a game's rules takes longer than asking for its digest."""


def program_metrics(session: Session, compilations: Collection[int]) -> Metric:
    """Return the sizes of the games among the programs of some compilations.

    Args:
        session: of the records.
        compilations: their ids; of games with the same name the newest counts.
    """
    rows = session.execute(
        select(Compilation.id, Compilation.program, Compilation.source_digest)
        .where(Compilation.id.in_(compilations))
        .order_by(Compilation.id.desc())
    )
    family, seen = INFO.read(), set()
    for compilation_id, program, digest in rows:
        name = plain(program)
        if name in seen:
            continue
        seen.add(name)
        if digest not in _sizes:
            content = session.scalars(
                select(Compilation.source).where(Compilation.id == compilation_id)
            ).one()
            _sizes[digest] = _size(Source(program, content))
        if (size := _sizes[digest]) is not None:
            family.add_metric([name, *map(str, size)], 1)
    return family


def _size(source: Source) -> tuple[int, int] | None:
    """Return the cards and players of a card game, None for anything else."""
    if source.is_circuit:
        return None
    try:
        axes = read_game(source).axes
    except StichwerkError:
        return None
    return (axes["cards"], axes["players"]) if {"cards", "players"} <= axes.keys() else None
