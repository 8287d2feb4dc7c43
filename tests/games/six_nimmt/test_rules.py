"""Rules of 6 nimmt! against the paper's vectors."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.errors import GameError
from games.six_nimmt.game import SixNimmtRound
from games.six_nimmt.paths import ExactState
from games.six_nimmt.rules.cards import (
    PENALTIES,
    Choice,
    Operation,
    Options,
    checked_deck,
    dealt,
    shuffled_deck,
)
from games.six_nimmt.rules.round import Applied, Handled, Laid, Round, handle, rows_to_choose

H, CNOT, HSWAP = Operation.H, Operation.CNOT, Operation.HSWAP


def row(*numbers, owner=None):
    return tuple(Laid(number, PENALTIES[number], owner) for number in numbers)


ROWS = (row(10, 11, 12, 13, 14), row(20, 22), row(30), row(40, 44, 45, 46))


def handled(card, operation=Operation.NONE, answer=None, rows=ROWS, **options):
    choice = Choice(card, operation)
    return handle(rows, Handled(1, choice), answer, 3, Options(**options))


def numbers(rows):
    return [[card.number for card in row] for row in rows]


@pytest.mark.parametrize("players", range(2, 11))
def test_every_deal_uses_different_cards(players):
    deck = shuffled_deck(5, players)
    assert sorted(deck) == list(range(1, 105))
    hands, rows = dealt(deck, players)
    assert [len(hand) for hand in hands] == [10] * players
    assert all(list(hand) == sorted(hand) for hand in hands)
    assert len({*rows, *(card for hand in hands for card in hand)}) == 10 * players + 4


def test_rows_are_filled_up_before_two_of_them_are_joined():
    assert rows_to_choose(ROWS, Choice(24, HSWAP)) == (0, 2, 3)
    rows, events = handled(24, HSWAP, answer=2)
    assert numbers(rows)[1:3] == [[20, 22, 24], [30, 30, 30]]
    assert [card.points for card in rows[2]] == [3, 0, 0]
    assert events == (Applied(HSWAP, (1, 2)),)
    rows, _ = handled(31, CNOT, answer=3)
    assert numbers(rows)[2:] == [[30, 30, 30, 30, 31], [40, 44, 45, 46, 46]]
    assert [card.points for card in rows[2]] == [3, 0, 0, 0, 1]


def test_owners_may_pay_for_their_cards():
    rows = (row(10)[:1] + row(11, owner=0) + row(15, 20, owner=2) + row(21, owner=1), *ROWS[1:])
    _, (taken,) = handled(22, rows=(rows[0], *[row(90)] * 3), payer="owners")
    # The first card of the row is nobody's, so whoever takes it pays for it.
    assert taken.shares == (5, 3 + 1, 2 + 3)
    assert [taken.loss(seat, 1) for seat in range(3)] == [7, 0, 7]


def test_without_fillers_only_a_replaced_target_row_gets_one():
    rows, _ = handled(24, HSWAP, answer=2, fillers="no")
    assert numbers(rows)[1:3] == [[20, 22, 24], [30]]
    rows, _ = handled(24, HSWAP, answer=0, fillers="no")
    assert numbers(rows)[:2] == [[14], [24]]


def start(**options):
    """Return a round of two in which seat 0 holds the cards below all rows."""
    deck = (*range(1, 11), *range(20, 30), 11, 12, 13, 14, *range(15, 20), *range(30, 105))
    return Round.start(2, Options(**options), deck)


def turn(now, *choices, row=1):
    now = now.chosen([Choice.parse(choice) for choice in choices])
    while now.waiting:
        prompt = now.prompt
        now, _ = now.handled(None if prompt is None else prompt.rows[row])
    return now


@pytest.mark.parametrize(("option", "left"), [("lost", 1), ("back", 2)])
def test_the_mqop_of_a_card_that_is_too_low(option, left):
    now = turn(start(low_card_mqop=option), "1 CNOT", "20")
    assert now.mqops == (left, 2)
    assert turn(start(low_card_mqop=option), "1 H", "20 hSwap").mqops == (2, 1)


def test_without_mqops_operations_on_two_rows_are_refused_or_owed():
    now = turn(turn(start(), "1", "20 CNOT"), "2", "21 hSwap")
    assert now.mqops == (2, 0)
    assert now.operations(1) == (Operation.NONE, Operation.H, Operation.Z)
    with pytest.raises(
        GameError, match="CNOT: player 1 has no two-qubit operation left; choose H, Z or nothing"
    ):
        turn(now, "3", "22 CNOT")
    free = start(without_mqops="negative")
    for card in range(3):
        free = turn(free, f"{card + 1}", f"{card + 20} CNOT")
    assert free.mqops == (2, -1)


def test_cards_are_handled_in_ascending_order_and_leave_the_hand():
    now = start().chosen([Choice(9), Choice(20, H)])
    assert [card.choice.card for card in now.waiting] == [9, 20]
    assert now.prompt == (0, Choice(9), (0, 1, 2, 3), True)
    assert now.hands[0] == (1, 2, 3, 4, 5, 6, 7, 8, 10)
    with pytest.raises(GameError, match="row 4: player 0 chooses row 0, 1, 2 or 3 for 9"):
        now.handled(4)
    with pytest.raises(GameError, match="row None: player 0 chooses"):
        now.handled()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'': write a card from 1 to 104"),
        ("53 X", "'53 X': 'X' is no operation; write H, Z, CNOT, hSwap or nothing"),
    ],
)
def test_choices_that_cannot_be_read(text, message):
    with pytest.raises(GameError) as error:
        Choice.parse(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("all", "deck = 'all': give a list"),
        (list(range(1, 104)), "deck: card 104 is missing"),
        ([*range(1, 105), 7], "deck: 105 cards; name every card"),
    ],
)
def test_decks_that_are_none(deck, message):
    with pytest.raises(GameError) as error:
        checked_deck(deck)
    assert str(error.value).startswith(message)


VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
Z = Operation.Z


def round_of(vector, **options):
    (only,) = vector["rounds"]
    turns = tuple(
        tuple(Choice(choice["card"], Operation(choice["op"])) for choice in turn)
        for turn in only["turns"]
    )
    return SixNimmtRound(
        "vector",
        vector["players"],
        tuple(only["deck"]),
        turns,
        tuple(only["prompts"]),
        Options(**options),
    )


@pytest.mark.parametrize("name", VECTORS)
def test_whole_rounds_have_their_exact_distribution_of_points(name):
    game, vector = round_of(VECTORS[name]), VECTORS[name]
    found = Counter()
    for path, probability in game.exact_distribution().items():
        found[game.points(path), game.winners(path)] += probability
    assert found == {
        (tuple(map(Fraction, branch["points"])), tuple(branch["winners"])): Fraction(
            branch["probability"]
        )
        for branch in vector["branches"]
    }
    assert [str(points) for points in game.expected_points()] == vector["expected_points"]
    for seat, points in enumerate(vector["expected_points"]):
        assert game.average(f"player_{seat}_points") == Fraction(points)


@pytest.mark.parametrize("name", ["random_P2_seed1", "random_P3_seed3"])
def test_two_qubit_operations_can_stay_idle(name):
    game = round_of(VECTORS[name], two_qubit_operations="idle")
    expected = VECTORS[name]["expected_points_if_two_qubit_operations_never_act"]
    assert [str(points) for points in game.expected_points()] == expected


def state(basis_state=0, *steps):
    """Return |q0 q1 q2 q3⟩ after operations."""
    found = ExactState(tuple(int(x == basis_state) for x in range(16)))
    for operation, *rows in steps:
        found = found.applied(operation, rows)
    return found


def test_what_is_never_measured_is_refused():
    with pytest.raises(ValueError, match="row 2's qubit is never 1"):
        state().collapsed(2, 1)
