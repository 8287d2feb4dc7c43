"""An advice as a page shows it."""

from collections import Counter

from qiskit import QuantumCircuit

from compiler.errors import GameError
from games.advising import Advised, Chance, Choice, Holding
from games.encoding import encoded
from games.trick_taking.advice.adviser import Advice, advise
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.page.asked import Asked
from games.trick_taking.advice.page.fields import ORDER, face_of
from games.trick_taking.advice.panels import panels, recommendation
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.positions import after_play
from games.trick_taking.rules.rules import SUITS, Card
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.values import NAMES
from games.trick_taking.toml.writing import game_toml

CLASSES = NAMES | {"T": "trumps"}
FILE = "my-hand.toml"
MORE = "The command line can look for longer."


def advised(position: Asked, effort: Effort) -> Advised:
    """Return the advice on a position.

    Raises:
        GameError: if the hand of the seat to move is unknown.
        GameTooLargeError: if the known facts of the deal are too intricate to draw deals.
    """
    advice = advise(position.game, effort, lambda _: None, position.stakes)
    _, *tables = panels(advice, None, more=MORE)
    return Advised(
        position.title,
        advice.supported,
        recommendation(advice, MORE),
        holdings(position.game, advice.seat),
        [_choice(advice, place) for place in advice.by_open_cards],
        tables,
        game_toml(position.game),
        f"stichwerk advise {FILE} {position.options}".strip(),
        lambda: _circuit(advice),
    )


def holdings(game: Setup, you: int) -> list[Holding]:
    """Return where the cards are, as far as that is known."""
    result = [_holding(game, you, you)]
    if game.table:
        seats = [(game.leader + turn) % game.players for turn in range(len(game.table))]
        names = ", ".join(_who(game, seat, you) for seat in seats)
        faces = [face_of(game.deck[card]) for card in game.table]
        result.append(Holding("On the table", faces, note=f"played by {names}"))
    others = [(you + turn) % game.players for turn in range(1, game.players)]
    result += [_holding(game, seat, you) for seat in others]
    if len(game.hands) > game.players:
        result.append(_holding(game, game.players, you))
    for seat, cards in game.taken:
        taken = [face_of(card) for card in _sorted([game.deck[card] for card in cards])]
        result.append(Holding(f"Taken by {_who(game, seat, you)}", taken))
    return result


def _holding(game: Setup, owner: int, you: int) -> Holding:
    held = [game.deck[card] for card in game.hand_cards if game.known[card] == owner]
    counts = Counter({name: number for who, name, number in game.class_counts if who == owner})
    texts = [f"{n} of {CLASSES[name]}" if n else f"no {CLASSES[name]}"
            for name, n in sorted(counts.items())]  # fmt: skip
    title = "Skat" if owner == game.players else _who(game, owner, you)
    faces = [face_of(card) for card in _sorted(held)]
    return Holding(title[0].upper() + title[1:], faces, game.hands[owner] - len(held),
                   ", ".join(texts))  # fmt: skip


def _who(game: Setup, seat: int, you: int) -> str:
    place = "you" if seat == you else "the player after you"
    if (seat - you) % game.players == 2:
        place = "the player before you"
    sides = "the declarer" if len(game.party) == 1 else "of the party"
    return f"{place}, {sides}" if seat in game.party else place


def _sorted(cards: list[Card]) -> list[Card]:
    def key(card: Card) -> tuple[bool, int, int]:
        return card.rank != "J", SUITS.index(card.suit), ORDER.index(card.rank)

    return sorted(cards, key=key)


def _choice(advice: Advice, place: int) -> Choice:
    card = advice.game.deck[advice.cards[place]]
    shares = advice.open_play.shares
    return Choice(face_of(card), [
        _chance("open cards", shares.estimate(place)),
        _chance("superposed", advice.superposed.chances[place]),
    ])  # fmt: skip


def _chance(label: str, estimate: Estimate) -> Chance:
    value = float(estimate.value)
    text = f"{value:.0%}"
    if estimate.low != estimate.high:
        text += f" ({estimate.low:.0%} to {estimate.high:.0%})"
    return Chance(label, value, text.replace("%", " %"))


def _circuit(advice: Advice) -> QuantumCircuit:
    """Return the circuit of all that may follow the recommended card.

    Raises:
        GameError: if nothing may.
    """
    after = after_play(advice.game, advice.cards[advice.by_open_cards[0]])
    if not after.hand or not isinstance(after, TrickTakingGame):
        raise GameError("the recommended card ends the game: no circuit is needed")
    return encoded(after).circuit
