"""Bots against one another: every deal is played with each bot in each seat."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

from attrs import frozen

from compiler.errors import GameError
from play.match import Match
from play.oracle import ExactOracle, Oracle
from play.playable import Bot, playables


@frozen
class Result:
    """Result of a game.

    Args:
        deal: number of the deal; games of one deal are dependent.
        bots: bots by seat.
        points: points by seat.
        moves: number of moves.
    """

    deal: int
    bots: tuple[str, ...]
    points: tuple[Fraction, ...]
    moves: int

    @property
    def winners(self) -> tuple[str, ...]:
        """The bots with the most points."""
        best = max(self.points)
        return tuple(b for b, had in zip(self.bots, self.points, strict=True) if had == best)


def played_by(
    match: Match[Any], bots: Mapping[int, Bot[Any]], seed: int, oracle: Oracle | None = None
) -> Match[Any]:
    """Return a match after bots have moved, up to its end or to the move of a seat without a bot.

    Args:
        match: the match.
        bots: bots by seat.
        seed: seed of the measurements and of the bots.
        oracle: measures; None for the exact one with this seed.
    """
    for now in steps(match, bots, seed, oracle):
        match = now
    return match


def steps(
    match: Match[Any], bots: Mapping[int, Bot[Any]], seed: int, oracle: Oracle | None = None
) -> Iterator[Match[Any]]:
    """Yield the match before and after its measurements, and after each move of a bot.

    See `played_by`. An exception of the oracle ends it; the yielded matches remain valid.

    A caller may stop and go on from the last match: the future depends only on the seed and on the
    past.
    """
    oracle = oracle or ExactOracle(seed)
    while True:
        yield match
        if match.awaited:
            match = match.learnt(oracle.measured(match))
            continue
        if match.unseen and (look := oracle.seen(match)) is not None:
            match = match.looked(look)
            continue
        seat = next((seat for seat in match.to_move if seat in bots), None)
        if seat is None:
            return
        random = Random(f"bot {seed} {seat} {len(match.log)}")
        match = _moved(match, seat, bots[seat], random)


def _moved(match: Match[Any], seat: int, bot: Bot[Any], random: Random) -> Match[Any]:
    """Return a match after a bot's move; after any other if the rules do not allow it.

    Raises:
        GameError: if they allow none.
    """
    view = match.view(seat)
    try:
        return match.play(seat, bot.move(view, random))
    except GameError:
        # People must be able to go on after a bot's illegal move.
        for move in random.sample(view.legal_moves, len(view.legal_moves)):
            with suppress(GameError):
                return match.play(seat, move)
        raise


def tournament(game: str, names: Sequence[str], games: int, seed: int) -> Iterator[Result]:
    """Play games, each deal once for every rotation of the seats.

    Args:
        game: name of the game.
        names: names of the bots; as many play in every game.
        games: number of games.
        seed: seed of all random numbers.
    """
    kind = playables[game]
    for number in range(games):
        deal, turned = divmod(number, len(names))
        seats = tuple(names[(seat + turned) % len(names)] for seat in range(len(names)))
        start = kind.start({"seats": len(seats), "seed": seed + deal})
        bots = {seat: kind.bots[name]() for seat, name in enumerate(seats)}
        end = played_by(start, bots, seed + deal)
        yield Result(deal, seats, end.points, len(end.log))


def beaten(results: Iterable[Result]) -> list[Counter[tuple[str, str]]]:
    """Return for each deal the share of wins of one bot over another; equal points count half."""
    by_deal: dict[int, Counter[tuple[str, str]]] = {}
    for result in results:
        wins = by_deal.setdefault(result.deal, Counter())
        pairs = list(zip(result.bots, result.points, strict=True))
        for bot, had in pairs:
            for other, others in pairs:
                if bot != other and had >= others:
                    wins[bot, other] += 1 if had > others else 0.5  # type: ignore[assignment]
    return list(by_deal.values())
