"""Matches of 6 nimmt! and their bots."""

import json
from random import Random

import pytest
from attrs import evolve

from compiler.errors import GameError
from games.six_nimmt.rules.cards import PENALTIES, Choice, Operation, shuffled_deck
from games.six_nimmt.rules.round import Laid
from play.match_log import Moved
from play.oracle import ExactOracle, drawn
from play.playable import match_from_record, playables
from play.six_nimmt.playing import ExpectationBot, GreedyBot, nearest_card
from tests.play.matches import by_chance, measured_by, started

SIX = playables["six-nimmt"]


def start(seats=3, seed=1, **options):
    return SIX.start({"seats": seats, "seed": seed, "options": options})


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_a_match_goes_on_until_somebody_has_no_points_left(seats):
    end = by_chance(start(seats), Random(seats))
    assert end.over
    assert min(end.points) <= 0
    assert end.winners == tuple(s for s, had in enumerate(end.points) if had == max(end.points))
    assert end.to_move == ()
    assert list(end.legal_moves(0)) == []
    ends = [line for line in end.story if " ends: " in line]
    assert [line.partition(" ends")[0] for line in ends] == [
        f"round {number + 1}" for number in range(end.number + 1)
    ]
    assert ends[-1].endswith(f"player {seats - 1} {end.points[-1]}")
    with pytest.raises(GameError, match="player 0 cannot move now: the match is over"):
        end.play(0, "1")


def test_the_round_so_far_is_a_program_whose_first_bits_are_known():
    match, random = start(), Random(5)
    oracle = ExactOracle(1)
    seen = 0
    while not match.over and seen < 40:
        if not match.awaited:
            seat = match.to_move[0]
            match = match.play(seat, random.choice(list(match.legal_moves(seat))))
            continue
        program = match.program()
        assert program.circuit.num_clbits == len(match.known) + match.awaited
        # Given what is known, the judge's paths are the chances.
        known = len(match.known)
        mask = sum(bit << i for i, bit in enumerate(match.known))
        likely = {
            path: p
            for path, p in program.judge.exact_distribution().items()
            if path & ((1 << known) - 1) == mask
        }
        total = sum(likely.values())
        assert match.chances() == {
            tuple(path >> known + i & 1 for i in range(match.awaited)): p / total
            for path, p in likely.items()
        }
        match = measured_by(oracle, match)
        seen += 1
    assert seen > 20


def test_choices_are_hidden_until_all_have_chosen():
    match = start(seed=2)
    hand = match.view(1).hand
    chosen = match.play(1, f"{hand[4]} hSwap")
    assert chosen.to_move == (0, 2)
    assert chosen.view(1).choice == Choice.parse(f"{hand[4]} hSwap")
    for seat in (0, 2, None):
        before, after = match.view(seat).as_json(), chosen.view(seat).as_json()
        assert (before.pop("to_move"), after.pop("to_move")) == ([0, 1, 2], [0, 2])
        assert before == after
    with pytest.raises(GameError, match="player 1 cannot move now: it is the turn of player 0, 2"):
        chosen.play(1, str(hand[0]))


def test_nobody_sees_other_hands():
    deck = shuffled_deck(2, 0)
    match = start(seed=2)
    for seat in range(3):
        view = match.view(seat)
        assert view.hand == tuple(sorted(deck[10 * seat : 10 * seat + 10]))
        others = {card for p in range(3) if p != seat for card in deck[10 * p : 10 * p + 10]}
        assert others <= set(view.unseen)
        told = json.dumps(view.as_json())
        shown = "\n".join(str(panel) for panel in view.panels())
        for card in others:
            assert f" {card}," not in told.replace("[", " ").replace("]", ",")
            assert f"'{card}(" not in shown
    watcher = match.view(None)
    assert (watcher.hand, watcher.legal_moves, watcher.question()) == ((), (), "")
    with pytest.raises(GameError, match="there is no player 3; players are 0 to 2"):
        match.view(3)


def test_measurements_come_before_the_next_answer():
    match, random = start(), Random(8)
    while not match.awaited:
        seat = match.to_move[0]
        match = match.play(seat, random.choice(list(match.legal_moves(seat))))
    assert match.to_move == ()
    assert all(match.view(seat).question() == "" for seat in range(3))
    with pytest.raises(GameError, match="player 0 cannot move now: measurements are waited for"):
        match.play(0, "5")
    for outcomes in ([], [0] * (match.awaited + 1), [2] * match.awaited, [False] * match.awaited):
        with pytest.raises(GameError, match=r"cannot be measured|of them, 0 or 1 each"):
            match.collapse(outcomes)
    with pytest.raises(GameError, match="no outcome is awaited"):
        measured_by(ExactOracle(0), match).collapse([0])


def test_outcomes_are_drawn_with_their_probabilities():
    match, random = start(seed=3), Random(1)
    while len(match.chances()) < 2:
        match = by_chance(match, random, 1)
        while not match.awaited and not match.over:
            match = match.play(match.to_move[0], next(match.legal_moves(match.to_move[0])))
    counts = dict.fromkeys(match.chances(), 0)
    for _ in range(2000):
        counts[drawn(match, random)] += 1
    for outcomes, p in match.chances().items():
        # Five standard deviations.
        assert abs(counts[outcomes] - 2000 * p) < 5 * (2000 * p * (1 - p)) ** 0.5 + 1
    assert ExactOracle(4).measured(match) == ExactOracle(4).measured(match)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], "this is no match: write an object with game (a name), setup (an object) and log"),
        ({"game": "six-nimmt", "setup": {}, "log": {}}, "log: '{}' is no list of moves"),
        ({"game": "six-nimmt", "setup": {}, "log": [{"seat": 0}]}, "log[0]: move: {'seat': 0}"),
    ],
)
def test_records_that_cannot_be(record, message):
    with pytest.raises(GameError) as error:
        match_from_record(record)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("move", ["row", "row 12", "2 H", "row x", "5"])
def test_rows_that_cannot_be_chosen(move):
    deck = [*range(1, 11), *range(20, 30), 11, 12, 13, 14, *range(15, 20), *range(30, 105)]
    match = SIX.start({"seats": 2, "decks": [deck]}).play(0, "1").play(1, "20")
    assert match.view(0).question() == (
        "your 1 is below all rows: which one do you take, 0, 1, 2 or 3?"
    )
    assert (match.to_move, match.view(1).question()) == ((0,), "")
    with pytest.raises(GameError, match=r"write a row, such as 'row 2'|player 0 chooses row 0, 1,"):
        match.play(0, move)
    assert match.play(0, " Row 3 ").log[-1] == Moved(0, "row 3")


def rows(*rows):
    return tuple(tuple(Laid(n, PENALTIES[n]) for n in row) for row in rows)


def test_the_nearest_card_that_costs_nothing_is_played():
    table = rows([10, 11, 12, 13, 14], [20, 22], [30], [40, 44, 45, 46])
    assert nearest_card(table, (15, 29, 33, 60)) == 33
    # All cost something: the full row costs 11 points, the cheapest row 3.
    assert nearest_card(table, (3, 15, 16)) == 3
    assert nearest_card(table, (16, 18)) == 16


def test_greedy_weighs_a_row_with_the_chance_that_others_pay():
    deck = [*range(1, 11), *range(20, 30), 11, 12, 13, 44, *range(14, 20), *range(30, 44)]
    deck += range(45, 105)
    match = started("six-nimmt", 2, decks=[deck]).play(0, "1").play(1, "20 H")
    view = match.view(0)
    # Row 3 with card 44 costs most and row 1 least; nothing is certain in the row of card 20.
    assert GreedyBot().move(view, Random(0)) == "row 1"


@pytest.mark.parametrize("certain", [None, 0, 1, 2, 3])
def test_expectation_takes_the_row_in_which_it_expects_to_lose_least(certain):
    """With the last card of a round nothing else counts."""
    deck = [*range(1, 11), *range(20, 30), 55, 12, 30, 44, 11, *range(13, 20), *range(31, 44)]
    deck += [*range(45, 55), *range(56, 105)]
    asked = started("six-nimmt", 2, decks=[deck]).play(0, "1").play(1, "20").view(0)
    qubits = asked.qubits
    if certain is not None:
        for operation in (Operation.H, Operation.Z, Operation.H):
            qubits = qubits.applied(operation, [certain])
    view = evolve(asked, hand=(), waiting=asked.waiting[:1], qubits=qubits)
    assert [sum(card.points for card in row) for row in view.rows] == [7, 1, 3, 5]
    expected = 1 if certain is None else certain
    assert ExpectationBot().move(view, Random(0)) == f"row {expected}"
