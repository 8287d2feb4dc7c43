"""What the programs of benchmarks are."""

from collections.abc import Collection, Mapping

from attrs import frozen
from prometheus_client.core import Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.judge import enumerated
from compiler.scores.scoring import register_noise_fidelity
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


@frozen
class CardGame:
    """What counts of a card game.

    Args:
        cards: in its deck.
        players: its seats.
        noise: Hellinger fidelity of uniform noise on a register that holds its outcome; None
            where its outcomes cannot be enumerated.
        exact: probability by outcome; None where they cannot be enumerated.
    """

    cards: int
    players: int
    noise: float | None
    exact: Mapping[int, float] | None


_known: dict[str, CardGame | None] = {}
"""By source: reading a game's rules takes longer than asking for its digest."""


def program_metrics(session: Session, compilations: Collection[int]) -> Metric:
    """Return the sizes of the games among the programs of some compilations.

    Args:
        session: of the records.
        compilations: their ids; of games with the same name the newest counts.
    """
    family = INFO.read()
    for program, found in card_games(session, compilations).items():
        family.add_metric([program, str(found.cards), str(found.players)], 1)
    return family


def card_games(session: Session, compilations: Collection[int]) -> dict[str, CardGame]:
    """Return the card games among the programs of some compilations, by their labels."""
    rows = session.execute(
        select(Compilation.id, Compilation.program, Compilation.source_digest)
        .where(Compilation.id.in_(compilations))
        .order_by(Compilation.id.desc())
    )
    games: dict[str, CardGame | None] = {}
    for compilation_id, program, digest in rows:
        name = plain(program)
        if name in games:
            continue
        if digest not in _known:
            content = session.scalars(
                select(Compilation.source).where(Compilation.id == compilation_id)
            ).one()
            _known[digest] = _card_game(Source(program, content))
        games[name] = _known[digest]
    return {name: found for name, found in games.items() if found is not None}


def _card_game(source: Source) -> CardGame | None:
    """Return what counts of a card game, None for anything else."""
    if source.is_circuit:
        return None
    try:
        game = read_game(source)
    except StichwerkError:
        return None
    axes = game.axes
    if not {"cards", "players"} <= axes.keys() or game.outcome_bits is None:
        return None
    noise = register_noise_fidelity(game, game.outcome_bits)
    return CardGame(axes["cards"], axes["players"], noise, enumerated(game))
