"""Quantum 6 Nimmt! among the games that can be played move by move."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

from attrs import frozen

from compiler.errors import GameError
from games.six_nimmt.paths import chances_of_1
from games.six_nimmt.rules.cards import (
    CARDS,
    FEWEST_PLAYERS,
    FULL,
    MAX_PLAYERS,
    Choice,
    Operation,
    Options,
    checked_deck,
)
from games.six_nimmt.rules.round import Applied, Event, Round, Rows, Taken, home_row, rows_to_choose
from play.playable import Bot, Playable, RandomBot, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture
from play.six_nimmt.match import SixNimmtMatch
from play.six_nimmt.view import SeatView

CACHE_SIZE = 1 << 14
"""Answers that are kept: many plans of one move begin alike."""


def cheapest_row(rows: Rows, among: Sequence[int]) -> int:
    """Return the row whose cards cost the least."""
    return min(among, key=lambda row: sum(card.points for card in rows[row]))


@lru_cache(CACHE_SIZE)
def nearest_card(rows: Rows, hand: tuple[int, ...]) -> int:
    """Return the card that costs the least, of these the one nearest to its row."""
    ends = sorted(
        (row[-1].number, sum(card.points for card in row) if len(row) == FULL else 0)
        for row in rows
    )
    lowest = min(sum(card.points for card in row) for row in rows)
    best, cheapest = hand[0], (CARDS * CARDS, 0)
    for card in hand:
        cost = (lowest, card)
        for last, price in ends:
            if last > card:
                break
            cost = (price, card - last)
        if cost < cheapest:
            best, cheapest = card, cost
    return best


SAMPLES = 8
"""Number of sampled deals of the unseen cards."""

BY_CHANCE = 0.5
"""Assumed probability that another player plays at random, and not the nearest card."""


@frozen
class Guess:
    """Assumptions about all players.

    Args:
        hands: hands by seat.
        by_chance: seats that play their cards in the listed order, independent of the rows.
    """

    hands: tuple[tuple[int, ...], ...]
    by_chance: tuple[bool, ...]


@frozen
class Plan:
    """A move to evaluate.

    Args:
        choice: the choice in this turn; None if it is made.
        row: the answer to a prompt of the own seat; None for the cheapest row.
    """

    choice: Choice | None
    row: int | None = None


class ExpectationBot(Bot[SeatView]):
    """Takes the move with the smallest expected loss of points until the end of the round.

    Cards are compared without an operation, and the best one is then tried with each. The bot
    assumes that others play at random or the card nearest to its row, that it plays the nearest
    card itself afterwards, and that all cards are played without an operation. Under these
    assumptions the expectation is exact.
    """

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        guesses = [_guessed(view, random) for _ in range(SAMPLES)]

        def loss(plan: Plan) -> Fraction:
            return sum((_loss(view, plan, guess) for guess in guesses), Fraction(0))

        if view.prompt is not None:
            answers = {row: loss(Plan(None, row)) for row in view.prompt.rows}
            return f"row {min(answers, key=lambda row: answers[row])}"
        plain = {Plan(Choice(card)): loss(Plan(Choice(card))) for card in view.hand}
        best = min(plain, key=lambda plan: plain[plan])
        # Without an operation, unless one is better: mqops are few.
        everything = {best: plain[best]}
        everything |= {plan: loss(plan) for plan in _with_operations(view, best)}
        cheapest = min(everything, key=lambda plan: everything[plan])
        return str(cheapest.choice)


def _with_operations(view: SeatView, plan: Plan) -> Iterator[Plan]:
    allowed = {move.partition(" ")[2] for move in view.legal_moves}
    assert plan.choice is not None
    for operation in Operation:
        if operation is not Operation.NONE and operation in allowed:
            choice = Choice(plan.choice.card, operation)
            rows = rows_to_choose(view.rows, choice) if operation.takes_two_rows else (None,)
            yield from (Plan(choice, row) for row in rows)


def _guessed(view: SeatView, random: Random) -> Guess:
    """Return possible hands of all players, and the way in which they play them."""
    held = len(view.hand)
    cards = list(view.unseen)
    random.shuffle(cards)
    left = iter(cards)
    hands = tuple(
        view.hand if seat == view.seat else tuple(islice(left, held)) for seat in range(view.seats)
    )
    by_chance = tuple(
        seat != view.seat and random.random() < BY_CHANCE for seat in range(view.seats)
    )
    return Guess(hands, by_chance)


def _loss(view: SeatView, plan: Plan, guess: Guess) -> Fraction:
    """Return the points that the seat expects to lose if all is as guessed."""
    seat = view.seat
    assert seat is not None
    events = list(_events(view, plan, guess))
    takings = [event for event in events if isinstance(event, Taken)]
    # Circuits that differ in who pays alone share their cached probabilities.
    circuit = tuple(
        event if isinstance(event, Applied) else event._replace(seat=0, shares=())
        for event in events
    )
    reset = view.options.measured_qubit == "reset"
    certain, open_ = 0, Fraction(0)
    for taken, p in zip(takings, chances_of_1(circuit, view.qubits, reset=reset), strict=True):
        # Most rows are certain to be 0, and whole numbers are quicker.
        if p:
            open_ += taken.loss(seat, 0) * (1 - p) + taken.loss(seat, 1) * p
        else:
            certain += taken.shares[seat]
    return certain + open_


def _events(view: SeatView, plan: Plan, guess: Guess) -> Iterator[Event]:
    """Yield the gates and measurements up to the end of the round."""
    now = Round(view.seats, view.options, view.rows, guess.hands, view.mqops, view.waiting)
    row, own = plan.row, plan.choice
    while True:
        if not now.waiting:
            choices = [
                Choice(hand[0] if chance else nearest_card(now.rows, hand))
                for hand, chance in zip(now.hands, guess.by_chance, strict=True)
            ]
            if own is not None:
                choices[view.seat or 0], own = own, None
            now = now.chosen(choices)
        while now.waiting:
            answer, prompt = None, now.prompt
            if prompt is not None:
                planned = prompt.seat == view.seat and row in prompt.rows
                answer = row if planned else cheapest_row(now.rows, prompt.rows)
            now, events = now.handled(answer)
            yield from events
        if not now.hands[0]:
            return
        row = None


class GreedyBot(Bot[SeatView]):
    """Plays the card that loses it the fewest points at once, nearest to its row, unaltered.

    The cost of a row is weighted with its probability of 0.
    """

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        if view.prompt is not None:
            best = min(view.prompt.rows, key=lambda row: (_price(view, row), row))
            return f"row {best}"
        return str(Choice(min(view.hand, key=lambda card: _cost(view, card))))


def _price(view: SeatView, row: int) -> Fraction:
    points = sum(card.points for card in view.rows[row])
    return points * (1 - view.chances_of_1[row])


def _cost(view: SeatView, card: int) -> tuple[Fraction, int]:
    """Return the immediate loss of a card, and its distance from its row."""
    row = home_row(view.rows, card)
    if row is None:
        return min(_price(view, each) for each in range(len(view.rows))), card
    gap = card - view.rows[row][-1].number
    return _price(view, row) if len(view.rows[row]) == FULL else Fraction(0), gap


MAX_DECKS = 1000


RULES = GameRules(
    goal="Have the most of your 66 points left when a player has none at the end of a round.",
    turn="All players choose a card and an optional gate at the same time. Cards are placed in "
    "ascending order, each in the row whose last card is the largest below it. The sixth card "
    "takes the row, and the row's qubit is measured. If it is 0, the player of the card loses the "
    "row's points; if it is 1, all others share the loss.",
    paper="Victor Chang, Exposing the Quantum Circuit with a Children's Card Game, 2021",
    gates=(
        GateRule("H", "Puts the row's qubit into an equal superposition of 0 and 1, or undoes it.",
                 gate_picture("H", "row")),
        GateRule("Z", "Changes the sign of 1; a later H makes this visible.",
                 gate_picture("Z", "row")),
        GateRule("CNOT", "Flips the other row if your row is 1. It costs a two-qubit operation; "
                 "you have two per round.", gate_picture("CNOT", "row", "other row")),
        GateRule("hSwap", "The square root of a swap: two of them swap the qubits of both rows. It "
                 "costs a two-qubit operation.", gate_picture("hSwap", "row", "other row")),
    ),
)  # fmt: skip
NAMES = {
    "low_card_mqop": "two-qubit operation of a card below all rows",
    "without_mqops": "two-qubit operations when none is left",
    "negative": "allowed, counted below zero",
}


@playable("six-nimmt")
class SixNimmt(Playable[SeatView]):
    """Rounds of ten turns, until a player has no points left."""

    title = "Quantum 6 Nimmt!"
    rules = RULES
    names = NAMES
    seats = (FEWEST_PLAYERS, MAX_PLAYERS, 3)
    options = Options.choices()
    bots = {"random": RandomBot, "greedy": GreedyBot, "expectation": ExpectationBot}  # noqa: RUF012
    usual_bot = "greedy"

    def start(self, setup: Mapping[str, Any]) -> SixNimmtMatch:
        """Return a match whose first round is dealt.

        Args:
            setup: `seats`, `seed`, `options`, and `decks` of the first rounds.

        Raises:
            GameError: naming the invalid key or value.
        """
        read, decks = read_setup(setup, self.seats, ("decks",)), setup.get("decks", [])
        if not isinstance(decks, list) or len(decks) > MAX_DECKS:
            raise GameError(f"decks: give a list of at most {MAX_DECKS} decks")
        return SixNimmtMatch(
            read.seats,
            Options.from_names(read.options),
            read.seed,
            tuple(checked_deck(deck) for deck in decks),
        )
