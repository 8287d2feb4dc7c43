"""The TOML form of trick-taking games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from compiler.errors import GameError
from compiler.games.cards import POINTS, Card
from compiler.games.toml import game_kind
from compiler.games.trick_taking import TrickTakingGame

MAX_CARDS = 9
MAX_POINTS = 120
KEYS = (
    "rules", "players", "hand", "deck", "skat", "points", "party", "threshold", "base_points",
    "known",
)  # fmt: skip


@game_kind("skat")
def trick_taking_from_toml(name: str, table: Mapping[str, Any]) -> TrickTakingGame:
    """Read a trick-taking game in `paper` rules.

    Raises:
        GameError: naming the offending key and value.
    """
    if table.get("rules", "paper") != "paper":
        raise GameError(f"rules = {table['rules']!r}: only 'paper' is available")
    for key in table:
        if key not in KEYS:
            raise GameError(f"{key}: unknown key in paper rules; known: {', '.join(KEYS)}")
    players = _integer(table, "players", 2, 3)
    hand = _integer(table, "hand", 1, MAX_CARDS)
    deck = _deck(table)
    skat = len(deck) - players * hand
    if skat < 0:
        raise GameError(
            f"hand = {hand}: {players} hands of {hand} need {players * hand} cards, "
            f"the deck has {len(deck)}"
        )
    if "skat" in table and _integer(table, "skat", 0, MAX_CARDS) != skat:
        raise GameError(
            f"skat = {table['skat']}: {len(deck)} cards less {players} hands of {hand} leave {skat}"
        )
    hands = (hand,) * players + ((skat,) if skat else ())
    base_points = _integer(table, "base_points", 0, MAX_POINTS, default=0)
    points = _points(table.get("points", {}))
    points_of = tuple(points[card.rank] for card in deck)
    return TrickTakingGame(
        name=name,
        players=players,
        hand=hand,
        deck=deck,
        points_of=points_of,
        known=_known(table.get("known", {}), deck, hands, players),
        party=_party(table.get("party", [0]), players),
        threshold=_threshold(table, sum(points_of), base_points),
        base_points=base_points,
    )


def _integer(
    table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None
) -> int:
    value = table.get(key, default)
    if value is None:
        raise GameError(f"{key}: missing; give a whole number from {low} to {high}")
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise GameError(f"{key} = {value!r}: must be a whole number from {low} to {high}")
    return value


def _deck(table: Mapping[str, Any]) -> tuple[Card, ...]:
    names = table.get("deck")
    if not isinstance(names, list) or not names:
        raise GameError(f"deck = {names!r}: give a list of cards, strongest first")
    deck = tuple(_card("deck", name) for name in names)
    for card, count in Counter(deck).items():
        if count > 1:
            raise GameError(f"deck: duplicate card {str(card)!r}; name every card once")
    if len(deck) > MAX_CARDS:
        raise GameError(f"deck: {len(deck)} cards; at most {MAX_CARDS} can be compiled")
    return deck


def _points(points: object) -> dict[str, int]:
    if not isinstance(points, Mapping):
        raise GameError(f"points = {points!r}: write a table such as {{ J = 0, A = 11 }}")
    for rank in points:
        if rank not in POINTS:
            raise GameError(f"points.{rank}: unknown rank; known: {', '.join(POINTS)}")
        _integer(points, rank, 0, MAX_POINTS)
    return {**POINTS, **points}


def _card(key: str, name: object) -> Card:
    try:
        return Card.parse(name)
    except GameError as error:
        raise GameError(f"{key}: {error}") from error


def _known(
    known: object, deck: Sequence[Card], hands: Sequence[int], players: int
) -> tuple[int | None, ...]:
    if not isinstance(known, Mapping):
        raise GameError(f"known = {known!r}: write a table [known] with a list of cards per seat")
    owners: dict[Card, int] = {}
    for seat, names in known.items():
        key = f"known.{seat}"
        owner = _owner(key, seat, hands, players)
        if not isinstance(names, list):
            raise GameError(f"{key} = {names!r}: give a list of cards")
        if len(names) > hands[owner]:
            raise GameError(f"{key}: {len(names)} cards are known of a hand of {hands[owner]}")
        for card in (_card(key, name) for name in names):
            if card not in deck:
                raise GameError(f"{key}: card {str(card)!r} is not in the deck")
            if card in owners:
                raise GameError(f"{key}: card {str(card)!r} is known twice")
            owners[card] = owner
    return tuple(owners.get(card) for card in deck)


def _owner(key: str, seat: str, hands: Sequence[int], players: int) -> int:
    if seat == "skat" and len(hands) > players:
        return players
    if seat in {str(s) for s in range(players)}:
        return int(seat)
    skat = " or 'skat'" if len(hands) > players else ""
    raise GameError(f"{key}: no such hand; seats are 0 to {players - 1}{skat}")


def _party(party: object, players: int) -> tuple[int, ...]:
    seats = list(range(players))
    if not isinstance(party, list) or not party or any(s not in seats for s in party):
        raise GameError(f"party = {party!r}: give a list of seats from 0 to {players - 1}")
    if len(set(party)) < len(party) or len(party) == players:
        raise GameError(f"party = {party!r}: name some seats, each once, but not all of them")
    return tuple(party)


def _threshold(table: Mapping[str, Any], in_play: int, base_points: int) -> int:
    if "threshold" not in table and in_play + base_points == 0:
        raise GameError("deck: no card has points, so nobody can win; add a 10, A, K, Q or J")
    default = (in_play + base_points) // 2 + 1
    return _integer(table, "threshold", 1, in_play + base_points, default=default)
