"""Matches: rules, ends, and bots."""

import json
from collections import Counter
from random import Random

import pytest

from compiler.errors import GameError
from games.endless_fun.game import round_as_toml
from games.endless_fun.rules.gates import Card
from games.panels import Grid, Lines
from games.toml import game_from_toml
from play.match_log import Measured
from play.oracle import BackendOracle, ExactOracle, Ran
from tests.play.endless_fun.matches import FUN, start, with_hands
from tests.play.matches import by_chance, measured_by


@pytest.mark.parametrize(
    ("seats", "options"),
    [(3, {}), (7, {"dimension": "2"}), (2, {"rookie": "yes", "pauli": "yes"})],
)
def test_a_match_has_three_rounds_of_three_two_and_one_cards(seats, options):
    match = start(seats, seats, **options)
    levels = match.options.levels
    played = [Counter() for _ in range(3)]
    firsts = {}
    random = Random(seats)
    while not match.over:
        match = measured_by(ExactOracle(3), match)
        if not match.to_move:
            continue
        (seat,) = match.to_move
        if not match.placing:
            firsts.setdefault(match.number, seat)
        before = match
        assert {type(panel) for panel in match.view(seat).panels()} >= {Grid, Lines}
        match = match.play(seat, random.choice(list(match.legal_moves(seat))))
        if not before.placing and match.stolen is None:
            played[before.number][seat] += 1
    assert played == [Counter(dict.fromkeys(range(seats), cards)) for cards in (3, 2, 1)]
    assert firsts == {number: (match.first + number) % seats for number in range(3)}
    ends = [entry.outcomes for entry in match.log if isinstance(entry, Measured)]
    assert len(ends) == 3
    bits = 1 if levels == 2 else 2
    points = [0] * seats
    for outcomes in ends:
        for place, seat in enumerate(match.line):
            points[seat] += sum(outcomes[place * bits + bit] << bit for bit in range(bits))
    assert list(match.points) == points
    assert match.winners == tuple(s for s, had in enumerate(points) if had == max(points))
    with pytest.raises(GameError, match="player 0 cannot move now: the match is over"):
        match.play(0, "I 1")


def test_hands_of_others_are_hidden():
    match = start(3)
    told = json.dumps(match.view(1).as_json())
    assert match.view(1).hand == match.hands[1]
    assert match.view(None).hand == ()
    other = with_hands(match, match.hands[0], *match.hands[1:])
    hidden = with_hands(match, match.hands[2], match.hands[1], match.hands[0])
    assert json.dumps(other.view(1).as_json()) == json.dumps(hidden.view(1).as_json())
    assert "seed" not in told


def test_winning_state_starts_the_next_round_except_for_rookies():
    for rookie in ("no", "yes"):
        match = start(3, 2, rookie=rookie, dimension="2")
        while match.number == 0:
            match = by_chance(measured_by(ExactOracle(1), match), Random(6), 1)
        (entry,) = [entry for entry in match.log if isinstance(entry, Measured)]
        assert match.start == ((0, 0, 0) if rookie == "yes" else entry.outcomes)


def test_steal_draws_from_the_victim_and_is_played_at_once():
    match = start(2)
    seat = match.first
    hands = [(), ()]
    hands[seat], hands[1 - seat] = (Card.STEAL, Card.X), (Card.Z,)
    match = with_hands(match, *hands)
    assert set(match.legal_moves(seat)) >= {f"Steal from {1 - seat}", "X1 1", "X2 2"}
    after = match.play(seat, f"Steal from {1 - seat}")
    assert after.hands[1 - seat] == ()
    assert after.hands[seat] == (Card.X,)
    assert after.to_move == (seat,)
    assert list(after.legal_moves(seat)) == ["Z1 1", "Z1 2", "Z2 1", "Z2 2"]
    assert after.view(seat).stolen is Card.Z
    assert after.view(1 - seat).stolen is None
    with pytest.raises(GameError, match="X: you have stolen Z, which must be played first"):
        after.play(seat, "X1 1")
    done = after.play(seat, "Z1 2")
    assert done.to_move == (1 - seat,)
    assert list(done.legal_moves(1 - seat)) == ["pass"]
    assert done.play(1 - seat, "pass").to_move == (seat,)


def test_a_stolen_card_that_does_not_fit_is_lost():
    match = start(2)
    seat = match.first
    hands = [(), ()]
    hands[seat], hands[1 - seat] = (Card.STEAL,), (Card.CANCEL,)
    after = with_hands(match, *hands).play(seat, f"Steal from {1 - seat}")
    assert list(after.legal_moves(seat)) == ["pass"]
    done = after.play(seat, "pass")
    assert done.stolen is None
    assert done.hands == ((), ())


def test_cancel_makes_an_identity_of_any_card():
    match = start(2)
    seat = match.first
    hands = [(), ()]
    hands[seat], hands[1 - seat] = (Card.H1,), (Card.CANCEL, Card.CNOT)
    match = with_hands(match, *hands).play(seat, "H1 1")
    assert len(match.round_game().exact_distribution()) == 3
    assert set(match.legal_moves(1 - seat)) == {"Cancel 1.1", "CNOTr 1", "CNOTl 2"}
    match = match.play(1 - seat, "cancel 1.1")
    assert match.round_game().exact_distribution() == {0: 1}
    assert [[c.acting.value for c in column] for column in match.table.columns] == [["I"], []]


def test_cards_lie_in_columns_without_gaps():
    match = start(2)
    seat = match.first
    hands = [(), ()]
    hands[seat], hands[1 - seat] = (Card.X, Card.X), (Card.CNOT, Card.Z)
    match = with_hands(match, *hands)
    for who, move in ((seat, "X1 2"), (1 - seat, "CNOTl 2"), (seat, "X2 1")):
        match = match.play(who, move)
    rows = [tuple(map(str, row)) for row in match.table.rows()]
    assert rows == [("X2", "X1"), ("I", "CNOTl")]
    found = match.round_game()
    assert {found.describe(o) for o in found.exact_distribution()} == {"01"}


def test_rookies_lay_cards_beneath_their_own_qubit_only():
    match = start(3, 4, rookie="yes")
    match = by_chance(match, Random(0), 2)
    (seat,) = match.to_move
    own = match.line.index(seat) + 1
    moves = list(match.legal_moves(seat))
    assert {move.split()[1].split(".")[0] for move in moves if "from" not in move} == {str(own)}
    gate = next(move.split()[0] for move in moves if len(move.split()[0]) < 3)
    with pytest.raises(GameError, match=f"beneath qudit {own} only"):
        match.play(seat, f"{gate} {own % 3 + 1}")


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("nothing", "write a gate and a qudit"),
        ("X 1", "'X 1': X is X1 or X2; write a gate and a qudit"),
        ("CNOTr 2", "CNOTr points right, and there is nothing right of qudit 2"),
        ("SWAPl 1", "you have no SWAP card: you hold X, CNOT, Cancel, Steal"),
        ("Cancel 1.1", "no card to cancel at 1.1; there are some at nowhere"),
        ("Steal from 7", "player 7 has no card that you could steal"),
        ("Steal from {own}", "player . is you"),
        ("pass", "passing is only for a seat without another move"),
    ],
)
def test_impossible_moves_are_refused_in_words(move, says):
    match = start(2)
    cards = (Card.X, Card.CNOT, Card.CANCEL, Card.STEAL)
    match = with_hands(match, cards, cards)
    with pytest.raises(GameError, match=says):
        match.play(match.first, move.format(own=match.first))


@pytest.mark.parametrize(
    ("written", "kept"),
    [("cnotR 1", "CNOTr 1"), ("CNOT→ 1", "CNOTr 1"), ("←swap 2", "SWAPl 2"), ("x2 1", "X2 1")],
)
def test_gates_are_known_by_any_spelling_and_kept_by_one(written, kept):
    cards = (Card.X, Card.CNOT, Card.SWAP)
    match = with_hands(start(2), cards, cards)
    assert match.play(match.first, written).log[-1].move == kept


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({"seats": 8}, "from 2 to 7"),
        ({"options": {"measurements": "many"}}, "from 1 to 500"),
        ({"options": {"levels": "3"}}, "levels: unknown option; known: .*, pauli, measurements$"),
    ],
)
def test_bad_setups_are_refused_in_words(setup, says):
    with pytest.raises(GameError, match=says):
        FUN.start(setup)


def at_the_end_of_a_round(**options):
    match = start(2, 5, **options)
    while not match.awaited:
        match = by_chance(match, Random(8), 1)
    return match


def with_both_in_superposition():
    match = with_hands(start(2, measurements="300"), *[(Card.H3, Card.I, Card.I)] * 2)
    for move in ("H3 1", "H3 2", "I 1", "I 1", "I 2", "I 2"):
        (seat,) = match.to_move
        match = match.play(seat, move)
    return match


def test_outcomes_are_those_of_the_exact_winning_state():
    match = at_the_end_of_a_round()
    chances = match.chances()
    assert sum(chances.values()) == 1
    game = match.round_game()
    assert chances == {
        tuple(game.outcome_of(values) >> i & 1 for i in range(4)): p
        for values, p in game.winning().chances().items()
    }
    with pytest.raises(GameError, match="cannot be measured"):
        match.collapse((1, 1, 1, 1))


def test_shots_of_a_machine_give_their_winning_state():
    match = with_both_in_superposition()
    zero, one_two, two_two = (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 1)
    shots = {zero: 90, one_two: 6, two_two: 4}
    assert match.settled(shots, Random(1)) == one_two


def test_a_machine_measures_in_the_encoding_of_its_program():
    match = with_both_in_superposition()
    program, wanted = match.program(), match.round_game().outcome_of((1, 0))
    outcomes = [program.outcome(bits) for bits in range(1 << program.circuit.num_clbits)]

    def run(_, trial):
        assert trial.shots == 300
        return Ran({outcomes.index(wanted): 200, outcomes.index(None): 100}, 5)

    found = BackendOracle("mine", 1, run).measured(match)
    assert found.outcomes == (1, 0, 0, 0)
    assert found.origin.agreeing == 200
    assert match.learnt(found).start == (1, 0)


def test_the_last_round_is_kept_as_a_game():
    match = start(2, 5)
    with pytest.raises(GameError, match="no round is over yet"):
        match.file()
    end = by_chance(match, Random(8))
    game = game_from_toml(end.file(), "last.toml")
    assert game.round == end.ended.round
    assert round_as_toml(game) == end.file()


def test_greedy_takes_the_card_that_helps_it_most():
    match = start(2)
    seat = match.first
    match = with_hands(match, *[(Card.I, Card.X, Card.Z)] * 2)
    move = FUN.bots["greedy"]().move(match.view(seat), Random(0))
    assert move == f"X2 {match.line.index(seat) + 1}"
