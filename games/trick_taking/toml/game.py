"""The TOML form of trick-taking games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from compiler.errors import GameError, meant, naming, nearest
from games.toml import game_kind
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import (
    GRAND,
    NULL,
    PAPER,
    POINTS,
    SUITS,
    Card,
    Rules,
    seat_of,
    suit_of,
)
from games.trick_taking.toml.position import PositionReader, card, integer, seat, seats

PLAYERS, TRICKS = 3, 10
NEEDED = {1: 61, 2: 60}
"""Points with which a declarer wins, and with which the two others do."""
DECK = tuple(suit + rank for suit in SUITS for rank in POINTS)


def completed(table: Mapping[str, Any], rules: Rules) -> Mapping[str, Any]:
    """Return a document of skat rules with its missing keys; any other document unchanged.

    Without a deck it is the whole game: all 32 cards, three players, ten tricks less the taken
    ones, seat 0 as the declarer, who gets the skat's points and needs 61. If the others are the
    party, they need 60.

    Args:
        table: the document.
        rules: its rules.
    """
    if rules.contract is None or "deck" in table or table.get("players", PLAYERS) != PLAYERS:
        return table
    party = table.get("party", [0])
    defaults: dict[str, Any] = {"players": PLAYERS, "deck": list(DECK), "party": party,
             "hand": TRICKS - _tricks(table.get("taken"))}  # fmt: skip
    named = [seat_of(number, PLAYERS) for number in party] if isinstance(party, list) else []
    alone = (
        named if len(named) == 1 else [number for number in range(PLAYERS) if number not in named]
    )
    if rules.contract != NULL and len(named) in NEEDED and len(alone) == 1:
        defaults["skat_to"] = alone[0]
        if not {"points", "base_points"} & table.keys():
            defaults["threshold"] = NEEDED[len(named)]
    return defaults | dict(table)


def _tricks(taken: object) -> int:
    """Return the number of tricks on stacks; the reader of the key refuses invalid ones."""
    if not isinstance(taken, Mapping):
        return 0
    cards = sum(len(stack) for stack in taken.values() if isinstance(stack, list))
    return min(cards // PLAYERS, TRICKS - 1)


MAX_CARDS = 32
MAX_POINTS = 120
KEYS = (
    "rules", "players", "hand", "deck", "skat", "points", "party", "threshold", "base_points",
    "skat_to", "known", "first_card", "table", "taken",
)  # fmt: skip
SKAT_KEYS = ("trump", "contract", "leader", "class_counts")
POINT_KEYS = ("points", "threshold", "base_points", "skat_to")


@game_kind("skat")
def trick_taking_from_toml(name: str, table: Mapping[str, Any]) -> TrickTakingGame:
    """Read a trick-taking game.

    Keys in both rules: `rules` ("paper" or "skat"), `players`, `hand` (tricks to be played, the
    current one included), `deck`, `skat` (cards that no seat plays), `points` (by rank), `party`
    (seats), `threshold`, `base_points`, `skat_to` (seat whose party gets the skat's points).

    Known facts: `[known]` (cards in a hand, by seat or "skat"), `first_card` (led by the seat
    that is known to hold it). A game in the middle: `[taken]` (cards on a seat's stack) and
    `table` (cards of the current trick in the order they were played).

    Skat rules only: `trump` (a suit) or `contract` ("grand" or "null"), `leader` (seat that
    leads the current trick), `[class_counts]` (cards of a class, T or a suit, in the hand of a
    seat or in the skat). A seat that did not follow suit on the table is known to hold no card
    of the led class.

    Cards and suits may be written as `games.trick_taking.rules.rules` reads them, and seats as
    their letters. Skat rules without a deck are those of the whole game; see `completed`.

    Raises:
        GameError: naming the offending key and value.
    """
    rules = _rules(table)
    known_keys = KEYS if rules == PAPER else (*KEYS, *SKAT_KEYS)
    for key in table:
        if key in SKAT_KEYS and rules == PAPER:
            raise GameError(f'{key}: has no meaning in paper rules; add rules = "skat"')
        if key not in known_keys:
            raise GameError(f"{key}: unknown key in {rules.name} rules; {_key_meant(key, rules)}")
        if key in POINT_KEYS and rules.contract == NULL:
            raise GameError(f"{key}: a null is won by taking no trick, points do not count")
    if isinstance(table.get("hand"), list):
        raise GameError("hand: is the number of tricks; its cards go below [known], as A = […]")
    table = completed(table, rules)
    players = integer(table, "players", 2, 3)
    hand = integer(table, "hand", 1, MAX_CARDS)
    deck = _deck(table)
    position = PositionReader(table, rules, players, deck)
    skat = _skat(table, deck, players * hand, position.stacked)
    base_points = integer(table, "base_points", 0, MAX_POINTS, default=0)
    points = _points(table.get("points", {}))
    points_of = tuple(points[c.rank] for c in deck)
    null = rules.contract == NULL
    return TrickTakingGame(
        name=name,
        players=players,
        hand=hand,
        deck=deck,
        points_of=points_of,
        known=position.known(skat),
        party=_party(table.get("party", [0]), players),
        threshold=0 if null else _threshold(table, sum(points_of), base_points),
        base_points=base_points,
        rules=rules,
        leader=position.leader,
        first_card=position.first_card(),
        class_counts=position.class_counts(skat),
        table=position.table,
        taken=position.taken,
        skat_to=_skat_to(table, players, skat),
    )


def _key_meant(key: str, rules: Rules) -> str:
    """Return a hint for an unknown key; it may name a key of the other rules."""
    near = nearest(key, (*KEYS, *SKAT_KEYS))
    if rules == PAPER and near in SKAT_KEYS:
        return f"did you mean '{near}'? Then add rules = \"skat\""
    return meant(key, KEYS if rules == PAPER else (*KEYS, *SKAT_KEYS))


def _lower(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value


def _rules(table: Mapping[str, Any]) -> Rules:
    name = table.get("rules", "paper")
    if _lower(name) not in ("paper", "skat"):
        raise GameError(f"rules = {name!r}: must be 'paper' or 'skat'")
    if _lower(name) == "paper":
        return PAPER
    if "trump" in table and "contract" in table:
        raise GameError(
            f"contract = {table['contract']!r}: trump = {table['trump']!r} is given too; "
            "leave one of them out"
        )
    if "contract" in table:
        contract = _lower(table["contract"])
        if contract not in (GRAND, NULL):
            raise GameError(
                f"contract = {table['contract']!r}: must be 'grand' or 'null'; "
                "for a suit game write trump, such as trump = 'S'"
            )
        return Rules(str(contract))
    trump = table.get("trump")
    if trump is None:
        if key := nearest("trump", [key for key in table if key not in (*KEYS, *SKAT_KEYS)]):
            raise GameError(f"{key}: unknown key in skat rules; did you mean 'trump'?")
        raise GameError(
            "trump: missing in skat rules; give a suit, such as 'S', "
            "or contract = 'grand' or 'null'"
        )
    if _lower(trump) in (GRAND, NULL):
        raise GameError(f"trump = {trump!r}: write contract = {_lower(trump)!r} instead")
    with naming(f"trump = {trump!r}"):
        return Rules(suit_of(trump))


def _deck(table: Mapping[str, Any]) -> tuple[Card, ...]:
    names = table.get("deck")
    if not isinstance(names, list) or not names:
        raise GameError(f"deck = {names!r}: give a list of cards, strongest first")
    deck = tuple(card("deck", name) for name in names)
    for name, count in Counter(deck).items():
        if count > 1:
            raise GameError(f"deck: duplicate card {str(name)!r}; name every card once")
    return deck


def _skat(table: Mapping[str, Any], deck: Sequence[Card], played: int, stacked: int) -> int:
    skat = len(deck) - stacked - played
    players, hand = table["players"], table["hand"]
    taken = f" less {stacked} taken" if stacked else ""
    if skat < 0:
        raise GameError(
            f"hand = {hand}: {players} hands of {hand} need {played} cards, "
            f"the deck has {len(deck)}{taken}"
        )
    if "skat" in table and integer(table, "skat", 0, MAX_CARDS) != skat:
        raise GameError(
            f"skat = {table['skat']}: {len(deck)} cards{taken} less {players} hands of {hand} "
            f"leave {skat}"
        )
    return skat


def _points(points: object) -> dict[str, int]:
    if not isinstance(points, Mapping):
        raise GameError(f"points = {points!r}: write a table such as {{ J = 0, A = 11 }}")
    for rank in points:
        if rank not in POINTS:
            raise GameError(f"points.{rank}: unknown rank; known: {', '.join(POINTS)}")
        integer(points, rank, 0, MAX_POINTS, prefix="points.")
    return {**POINTS, **points}


def _party(party: object, players: int) -> tuple[int, ...]:
    named = seats(party, players)
    if not named:
        raise GameError(f"party = {party!r}: give a list of seats from 0 to {players - 1}")
    if len(set(named)) < len(named) or len(named) == players:
        raise GameError(f"party = {party!r}: name some seats, each once, but not all of them")
    return named


def _threshold(table: Mapping[str, Any], in_play: int, base_points: int) -> int:
    if "threshold" not in table and in_play + base_points == 0:
        raise GameError("deck: no card has points, so the party cannot win; add a 10, A, K, Q or J")
    default = (in_play + base_points) // 2 + 1
    return integer(table, "threshold", 1, in_play + base_points, default=default)


def _skat_to(table: Mapping[str, Any], players: int, skat: int) -> int | None:
    if "skat_to" not in table:
        return None
    owner = seat(table, "skat_to", players)
    if not skat:
        raise GameError(f"skat_to = {owner}: there is no skat in this game")
    return owner
