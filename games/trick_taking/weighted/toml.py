"""The file of a game whose cards have weights."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from compiler.circuits.tolerances import ROUNDING
from compiler.errors import GameError
from games.toml import game_kind, toml_lines
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.toml.game import trick_taking_from_toml
from games.trick_taking.toml.writing import game_toml
from games.trick_taking.training.tree import Floats, Information, Tree, uniform
from games.trick_taking.weighted.game import WeightedGame, kept_tree

KIND = "weighted-skat"
KEYS = ("seat", "hand", "seen", "cards")


@game_kind(KIND)
def weighted_from_toml(name: str, table: Mapping[str, Any]) -> WeightedGame:
    """Read a game of tricks with weights.

    It has the keys of a trick-taking game, see `games.trick_taking.toml.game`, but no
    `first_card`. A list `[[weights]]` has an entry for a seat's observation and its play then:
    `seat`, `hand` (its cards), `seen` (the cards played so far, in order), and `cards`, a weight
    for each legal card. Their ratio counts; cards without one have the weight 0. For observations
    without an entry, all legal cards are equally likely.

    Raises:
        GameError: naming the offending key and value.
    """
    remaining = dict(table)
    entries = remaining.pop("weights", [])
    if "first_card" in remaining:
        raise GameError(
            f"first_card = {remaining['first_card']!r}: give this card a weight instead"
        )
    rules = trick_taking_from_toml(name, remaining)
    assert isinstance(rules, TrickTakingGame), "the kind of game that it reads"
    tree = kept_tree(rules)
    weights = uniform(tree)
    if not isinstance(entries, list):
        raise GameError(f"weights = {entries!r}: write tables [[weights]]")
    sets = {(item.seat, item.hand, item.seen): item for item in tree.information}
    places = {str(card): place for place, card in enumerate(rules.deck)}
    read = set()
    for number, entry in enumerate(entries, start=1):
        item, row = _entry(f"weights {number}", entry, sets, places)
        if item in read:
            raise GameError(f"weights {number}: repeated entry for this seat, hand and seen cards")
        read.add(item)
        weights[item.first : item.first + len(item.cards)] = row
    return WeightedGame(name, rules, tuple(weights.tolist()))


def weighted_toml(tree: Tree, chances: Floats) -> str:
    """Return the file of a game with weights; equal ones are left out.

    Args:
        tree: all its deals and plays.
        chances: probability of every choice of the tree.
    """
    entries = []
    even = uniform(tree)
    for item in tree.information:
        place = slice(item.first, item.first + len(item.cards))
        if np.abs(chances[place] - even[place]).max() > ROUNDING:
            entries += ["", *_written(tree.game, item, chances[place].tolist())]
    return game_toml(tree.game, KIND) + "\n".join([*entries, ""])


def _written(rules: TrickTakingGame, item: Information, chances: Sequence[float]) -> list[str]:
    """Return an entry of the document."""
    weights = {str(rules.deck[c]): chance for c, chance in zip(item.cards, chances, strict=True)}
    hand, seen = ([str(rules.deck[card]) for card in cards] for cards in (item.hand, item.seen))
    entry = {"seat": item.seat, "hand": hand, "seen": seen, "cards": weights}
    return ["[[weights]]", *toml_lines(entry)]


def _entry(
    where: str,
    entry: object,
    sets: Mapping[tuple[int, tuple[int, ...], tuple[int, ...]], Information],
    places: Mapping[str, int],
) -> tuple[Information, list[float]]:
    """Return the information set of an entry, and the weights of its legal cards."""
    if not isinstance(entry, Mapping):
        raise GameError(f"{where}: {entry!r}: write a table [[weights]]")
    for key in (*KEYS, *entry):
        if key not in KEYS or key not in entry:
            problem = "missing" if key in KEYS else "unknown key"
            raise GameError(f"{where}: {key}: {problem}; it has {', '.join(KEYS)}")
    hand, seen = (_cards(f"{where}: {key}", entry[key], places) for key in ("hand", "seen"))
    seat = entry["seat"]
    item = sets.get((seat, tuple(sorted(hand)), seen)) if type(seat) is int else None
    if item is None:
        raise GameError(
            f"{where}: seat {seat!r} can not be in turn with hand {entry['hand']!r} after "
            f"{entry['seen']!r} was played"
        )
    cards = entry["cards"]
    legal = [name for name, place in places.items() if place in item.cards]
    if not isinstance(cards, Mapping) or not cards:
        raise GameError(f"{where}: cards = {cards!r}: give weights such as {{ {legal[0]} = 1 }}")
    for name, weight in cards.items():
        if name not in legal:
            raise GameError(f"{where}: cards.{name}: may not be played; {', '.join(legal)} may")
        # Larger ones would add up to infinity, and NaN is not in order with anything.
        if type(weight) not in (int, float) or not 0 <= weight <= 1e9:
            raise GameError(f"{where}: cards.{name} = {weight!r}: give a number from 0 to 1e9")
    if not any(cards.values()):
        raise GameError(f"{where}: cards: all weights are 0; give one card more")
    names = {place: name for name, place in places.items()}
    return item, [float(cards.get(names[card], 0)) for card in item.cards]


def _cards(where: str, names: object, places: Mapping[str, int]) -> tuple[int, ...]:
    if not isinstance(names, list) or not all(
        isinstance(name, str) and name in places for name in names
    ):
        raise GameError(f"{where} = {names!r}: give a list of cards of the deck")
    return tuple(places[name] for name in names)
