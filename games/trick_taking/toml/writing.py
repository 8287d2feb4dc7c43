"""The file of a trick-taking game, for the reader `games.trick_taking.toml.game`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from compiler.errors import GameError, naming
from games.toml import toml_text
from games.trick_taking.play.consistency import owner_key
from games.trick_taking.rules.rules import GRAND, NULL, SEATS, Card, cards_of
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.values import NAMES, contract_of, points_of
from games.trick_taking.toml.game import DECK, NEEDED, PLAYERS, TRICKS

Answers = Mapping[str, str]
ALL = "all"


@frozen
class Question:
    """Question about a game.

    Args:
        key: key of its answer.
        text: the question.
        default: default answer, from the answers before.
    """

    key: str
    text: str
    default: Callable[[Answers], str]


def _whole(answers: Answers) -> bool:
    return answers["deck"] == ALL


def _default_threshold(answers: Answers) -> str:
    if _whole(answers):
        return str(NEEDED[1])
    return str(points_of(_deck(answers)) // 2 + 1)


QUESTIONS = (
    Question("contract", "Contract: C, S, H, D (or Kreuz, Pik, …), grand or null",
             lambda _: "C"),
    Question("deck", "Which cards are in the game: all 32 ('all'), or their names", lambda _: ALL),
    Question("players", "Number of players, 2 or 3", lambda _: str(PLAYERS)),
    Question("tricks", "How many tricks are to be played",
             lambda answers: str(TRICKS if _whole(answers)
                               else len(_deck(answers)) // int(answers["players"]))),
    Question("declarer", "Declarer: A, B or C", lambda _: SEATS[0]),
    Question("leader", "Leader of the first trick", lambda _: SEATS[0]),
    Question("cards", "Which cards the leader holds, such as 'CJ S10 …'; nothing if unknown",
             lambda _: ""),
    Question("threshold", "Points with which the declarer wins", _default_threshold),
)  # fmt: skip
"""Questions in order."""


def is_relevant(question: Question, answers: Answers) -> bool:
    """Return whether a question is relevant after the answers before it."""
    return question.key != "threshold" or _contract(answers) != NULL


def game_file(answers: Answers) -> str:
    """Return the game file.

    Args:
        answers: answers by key; missing ones are the defaults.

    Raises:
        GameError: if an answer is invalid.
    """
    values = dict(answers)
    for question in QUESTIONS:
        if question.key not in values:
            values[question.key] = question.default(values) if is_relevant(question, values) else ""
    contract, players = _contract(values), _number(values, "players")
    deck, held = _deck(values), _named_cards(values, "cards")
    tricks, leader = _number(values, "tricks"), values["leader"].upper()
    declarer = values["declarer"].upper()
    if declarer not in SEATS:
        raise GameError(f"declarer = '{declarer}': must be one of {', '.join(SEATS)}")
    table: dict[str, object] = {
        "rules": "skat",
        "contract" if contract in (GRAND, NULL) else "trump": contract,
        "players": players,
        "hand": tricks,
        "deck": list(map(str, deck)),
        "party": [declarer],
        "leader": leader,
    }
    if contract != NULL:
        table["threshold"] = _number(values, "threshold")
        if len(deck) > players * tricks:
            table["skat_to"] = declarer
    if held:
        table["known"] = {leader: list(map(str, held))}
    title = f"# {NAMES[contract].capitalize()}. Seats are A, B, C; `hand` tricks are played, and"
    return f"{title}\n# the party has to reach the threshold.\n{toml_text('skat', table)}"


def _contract(answers: Answers) -> str:
    return contract_of(answers["contract"]).game


def _deck(answers: Answers) -> tuple[Card, ...]:
    if _whole(answers):
        return tuple(map(Card.parse, DECK))
    return _named_cards(answers, "deck")


def _named_cards(answers: Answers, key: str) -> tuple[Card, ...]:
    with naming(key):
        return cards_of(answers[key])


def _number(answers: Answers, key: str) -> int:
    text = answers[key]
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise GameError(f"{key} = {text!r}: must be a whole number")
    return int(text)


def game_toml(game: Setup, kind: str = "skat") -> str:
    """Return a game as a document whose reading gives the same game, but for its name.

    Args:
        game: the game.
        kind: kind of the game; kinds other than `skat` have further keys.
    """
    contract = game.rules.contract
    table: dict[str, object] = {"rules": game.rules.name}
    if contract is not None:
        table["contract" if contract in (GRAND, NULL) else "trump"] = contract
        table["leader"] = game.leader
    table |= {
        "players": game.players,
        "hand": game.hand,
        "deck": list(map(str, game.deck)),
        "party": list(game.party),
    }
    if contract != NULL:
        table |= {"threshold": game.threshold, "base_points": game.base_points}
        ranks = (card.rank for card in game.deck)
        table["points"] = dict(zip(ranks, game.points_of, strict=True))
    if game.skat_to is not None:
        table["skat_to"] = game.skat_to
    if game.first_card is not None:
        table["first_card"] = str(game.deck[game.first_card])
    if game.table:
        table["table"] = _cards(game, game.table)
    table["taken"] = {str(seat): _cards(game, cards) for seat, cards in game.taken}
    held = {
        owner_key(game, owner): [card for card in game.hand_cards if game.known[card] == owner]
        for owner in range(len(game.hands))
    }
    table["known"] = {owner: _cards(game, cards) for owner, cards in held.items() if cards}
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for owner, name, number in game.class_counts:
        counts[owner_key(game, owner)][name] = number
    return toml_text(kind, {**table, "class_counts": counts})


def _cards(game: Setup, cards: Iterable[int]) -> list[str]:
    return [str(game.deck[card]) for card in cards]
