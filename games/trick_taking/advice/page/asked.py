"""A position and its stakes, from the answers of a form."""

from typing import Any

from attrs import evolve, frozen

from compiler.errors import GameError, naming
from compiler.words.plurals import how_many
from games.advising import Answers
from games.game import named_game
from games.trick_taking.advice.page.fields import BEFORE, EXAMPLES, NEXT, YOU
from games.trick_taking.advice.source import Announced
from games.trick_taking.advice.stakes import SKAT, Stakes
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import GRAND, NULL, cards_of
from games.trick_taking.skat.values import NAMES
from games.trick_taking.toml.game import PLAYERS, TRICKS, trick_taking_from_toml

NAME = "your-hand"
MAX_WRITTEN = 200


@frozen(eq=False)
class Asked:
    """A question of a form.

    Args:
        game: the position.
        stakes: the stakes, or the reason why they are unknown.
        title: title of the position.
        options: options of the command that answers the same question from the game's file.
    """

    game: TrickTakingGame
    stakes: Stakes | str
    title: str
    options: str = ""


def example_of(name: str) -> Asked:
    """Return an example.

    Raises:
        GameError: if the example is unknown.
    """
    if name not in EXAMPLES:
        raise GameError(f"example {name!r}: must be one of {', '.join(EXAMPLES)}")
    game = named_game(name)
    assert isinstance(game, TrickTakingGame)
    position = evolve(game, first_card=None)
    return Asked(position, Announced().stakes(position), f"{name}: {EXAMPLES[name]}")


def position_of(answers: Answers) -> Asked:
    """Return the position that a form describes.

    Seats are counted from the one that leads the trick.

    Raises:
        GameError: naming the field and its error.
    """
    hand, table = _cards(answers, "hand"), _cards(answers, "table")
    won, lost, skat = (_cards(answers, key) for key in ("won", "lost", "skat"))
    contract = _one(answers, "contract", NAMES, "C")
    role = _one(answers, "declarer", (YOU, NEXT, BEFORE), YOU)
    from_hand = _one(answers, "hand_game", ("", "yes"), "") == "yes"
    if len(table) >= PLAYERS:
        raise GameError(f"table: {len(table)} cards; it is your turn after at most two")
    for key, cards in (("won", won), ("lost", lost)):
        if len(cards) % PLAYERS:
            raise GameError(f"{key}: {len(cards)} cards; a trick has three, and goes to one side")
    tricks = TRICKS - (len(won) + len(lost)) // PLAYERS
    if len(hand) != tricks:
        raise GameError(
            f"hand: {len(hand)} {'card was' if len(hand) == 1 else 'cards were'} chosen; it must "
            f"be {tricks}, ten less one for each earlier trick"
        )
    if skat and (role != YOU or from_hand):
        raise GameError("skat: only a declarer who has picked it up knows it")
    if role == YOU and not from_hand and len(skat) != SKAT:
        raise GameError(
            f"skat: {how_many(len(skat), 'card')}; you picked it up, so name the two cards that "
            "you discarded, or say that it was left"
        )
    you = len(table)
    declarer = (you + {YOU: 0, NEXT: 1, BEFORE: 2}[role]) % PLAYERS
    document: dict[str, Any] = {
        "rules": "skat",
        "contract" if contract in (GRAND, NULL) else "trump": contract,
        "party": [declarer],
        "leader": 0,
        "known": {str(you): list(hand), **({"skat": list(skat)} if skat else {})},
        "table": list(table),
        "taken": {str(seat): list(cards)
                  for seat, cards in ((declarer, won), ((declarer + 1) % PLAYERS, lost)) if cards},
    }  # fmt: skip
    game = trick_taking_from_toml(NAME, document)
    assert isinstance(game, TrickTakingGame)
    played = f"{contract} hand" if from_hand else contract
    matadors, bid = _number(answers, "matadors"), _number(answers, "bid")
    # After earlier tricks the value depends on the matadors.
    has_value = matadors or not game.taken or contract == NULL
    stakes = (Announced(played, matadors, bid) if has_value else Announced()).stakes(game)
    options = f"--contract '{played}'" * isinstance(stakes, Stakes)
    options += f" --bid {bid}" * bool(bid) + f" --matadors {matadors}" * bool(matadors)
    return Asked(game, stakes, _title(contract, from_hand, role, you), options)


def _title(contract: str, from_hand: bool, role: str, on_table: int) -> str:
    who = {YOU: "you are the declarer", NEXT: "the declarer plays after you",
           BEFORE: "the declarer plays before you"}[role]  # fmt: skip
    turn = ("you lead", "you play second", "you play last")[on_table]
    return f"{NAMES[contract]}{', hand game' * from_hand}: {who}, and {turn}"


def _cards(answers: Answers, key: str) -> tuple[str, ...]:
    text = " ".join(answers.get(key, ()))
    if len(text) > MAX_WRITTEN:
        raise GameError(f"{key}: {len(text)} letters are too many")
    with naming(key):
        return tuple(map(str, cards_of(text)))


def _one(answers: Answers, key: str, allowed: Any, usual: str) -> str:
    values = answers.get(key, ())
    if len(values) > 1:
        raise GameError(f"{key}: say it once")
    value = values[0] if values else usual
    if value not in allowed:
        raise GameError(f"{key} = {value[:20]!r}: must be one of {', '.join(allowed)}")
    return value


def _number(answers: Answers, key: str) -> int:
    written = " ".join(answers.get(key, ())).strip().replace("\N{MINUS SIGN}", "-")
    if not written:
        return 0
    digits = written.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
        raise GameError(f"{key} = {written[:20]!r}: must be a whole number")
    return int(written)
