"""The file of a trick-taking game: what `games.trick_taking.toml.game` reads."""

import json
from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from compiler.errors import GameError
from games.trick_taking.play.consistency import owner_key
from games.trick_taking.rules.cards import SEATS, Card, cards_of, seat_of
from games.trick_taking.rules.rules import GRAND, NULL
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.contracts import NAMES, contract_of
from games.trick_taking.skat.values import points_of
from games.trick_taking.toml.game import DECK, NEEDED, PLAYERS, TRICKS

Answers = Mapping[str, str]
ALL = "all"


@frozen
class Question:
    """Question about a game.

    Args:
        key: of its answer.
        text: the question.
        default: its answer, from the answers before.
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
    Question("contract", "What is played: C, S, H, D (or Kreuz, Pik, …), grand or null",
             lambda _: "C"),
    Question("deck", "Which cards are in the game: all 32 ('all'), or their names", lambda _: ALL),
    Question("players", "How many players, 2 or 3", lambda _: str(PLAYERS)),
    Question("tricks", "How many tricks are to be played",
             lambda given: str(TRICKS if _whole(given)
                               else len(_deck(given)) // int(given["players"]))),
    Question("declarer", "Who is the declarer: A, B or C", lambda _: SEATS[0]),
    Question("leader", "Who leads", lambda _: SEATS[0]),
    Question("cards", "Which cards the leader holds, such as 'CJ S10 …'; nothing if unknown",
             lambda _: ""),
    Question("threshold", "With how many points the declarer wins", _default_threshold),
)  # fmt: skip
"""In their order."""


def is_relevant(question: Question, answers: Answers) -> bool:
    """Tell whether a question is relevant after the answers before it."""
    return question.key != "threshold" or _contract(answers) != NULL


def game_file(answers: Answers) -> str:
    """Return the game file.

    Args:
        answers: by key; missing ones are the defaults.

    Raises:
        GameError: if an answer is invalid.
    """
    given = dict(answers)
    for question in QUESTIONS:
        if question.key not in given:
            given[question.key] = question.default(given) if is_relevant(question, given) else ""
    contract, players = _contract(given), _number(given, "players")
    declarer, leader = _seat(given, "declarer", players), _seat(given, "leader", players)
    deck, held = _deck(given), _named_cards(given, "cards")
    tricks = _number(given, "tricks")
    skat = len(deck) - players * tricks
    rule = f'contract = "{contract}"' if contract in ("grand", NULL) else f'trump = "{contract}"'
    lines = [
        f"# {NAMES[contract].capitalize()}. Seats are A, B, C, or 0, 1, 2.",
        'game = "skat"',
        'rules = "skat"             # suit must be followed, the winner of a trick leads',
        rule,
        f"players = {players}",
        f"hand = {tricks}                  # tricks to be played",
        f"deck = {_list(deck)}",
        f'party = ["{SEATS[declarer]}"]              # who must win: the declarer',
        f'leader = "{SEATS[leader]}"               # who leads the first trick',
    ]
    if contract != NULL:
        lines.append(f"threshold = {_number(given, 'threshold')}             # points that win")
        if skat > 0:
            lines.append(f'skat_to = "{SEATS[declarer]}"         # who gets the skat')
    if held:
        lines += ["", "[known]                    # cards that somebody is known to hold",
                  f"{SEATS[leader]} = {_list(held)}"]  # fmt: skip
    return "\n".join([*lines, ""])


def _contract(answers: Answers) -> str:
    return contract_of(answers["contract"]).game


def _deck(answers: Answers) -> tuple[Card, ...]:
    if _whole(answers):
        return tuple(map(Card.parse, DECK))
    return _named_cards(answers, "deck")


def _named_cards(answers: Answers, key: str) -> tuple[Card, ...]:
    try:
        return cards_of(answers[key])
    except GameError as error:
        raise GameError(f"{key}: {error}") from error


def _number(answers: Answers, key: str) -> int:
    text = answers[key]
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise GameError(f"{key} = {text!r}: must be a whole number")
    return int(text)


def _seat(answers: Answers, key: str, players: int) -> int:
    found = seat_of(answers[key], players)
    if found is None:
        raise GameError(f"{key} = {answers[key]!r}: must be one of {', '.join(SEATS[:players])}")
    return found


def _list(cards: tuple[Card, ...]) -> str:
    return json.dumps([str(card) for card in cards])


def game_toml(game: Setup, kind: str = "skat") -> str:
    """Return a game as a document whose reading gives the same game, but for its name.

    Args:
        game: the game.
        kind: what the document says it is; others than `skat` have further keys.
    """
    contract = game.rules.contract
    lines = [f'game = "{kind}"', f'rules = "{game.rules.name}"']
    if contract is not None:
        key = "contract" if contract in (GRAND, NULL) else "trump"
        lines += [f'{key} = "{contract}"', f"leader = {game.leader}"]
    lines += [
        f"players = {game.players}",
        f"hand = {game.hand}",
        f"deck = {_cards(game, range(len(game.deck)))}",
        f"party = {list(game.party)}",
    ]
    if contract != NULL:
        lines += [f"threshold = {game.threshold}", f"base_points = {game.base_points}"]
        worth = {card.rank: points for card, points in zip(game.deck, game.points_of, strict=True)}
        entries = ", ".join(f"{json.dumps(rank)} = {points}" for rank, points in worth.items())
        lines.append(f"points = {{ {entries} }}")
    if game.skat_to is not None:
        lines.append(f"skat_to = {game.skat_to}")
    if game.first_card is not None:
        lines.append(f'first_card = "{game.deck[game.first_card]}"')
    if game.table:
        lines.append(f"table = {_cards(game, game.table)}")
    lines += ["", "[taken]", *(f"{seat} = {_cards(game, cards)}" for seat, cards in game.taken)]
    lines += ["", "[known]"]
    for owner in range(len(game.hands)):
        held = [card for card in game.hand_cards if game.known[card] == owner]
        if held:
            lines.append(f"{owner_key(game, owner)} = {_cards(game, held)}")
    if game.class_counts:
        lines += ["", "[class_counts]"]
        counts: dict[str, list[str]] = {}
        for owner, name, number in game.class_counts:
            counts.setdefault(owner_key(game, owner), []).append(f"{name} = {number}")
        lines += [f"{key} = {{ {', '.join(given)} }}" for key, given in counts.items()]
    return "\n".join([*lines, ""])


def _cards(game: Setup, cards: Iterable[int]) -> str:
    return json.dumps([str(game.deck[card]) for card in cards])
