"""Matches on quantum boards: played, saved, and by bots."""

from fractions import Fraction
from random import Random

import pytest

from compiler.errors import GameError, InputError
from games import named_game
from games.board.examples import FIG_10, FIVE
from games.playing.playable import match_from_record, playables
from games.playing.tournament import played_by, tournament


def started(game, **setup):
    return playables[game].start({"seed": 1, **setup})


def played(match, moves):
    for number, move in enumerate(moves):
        match = match.play(number % 2, move)
    return match


@pytest.mark.parametrize(
    ("game", "moves", "options", "name"),
    [
        ("five-in-a-row", FIVE["appendix-b"], {}, "five-in-a-row:appendix-b"),
        ("weiqi", FIG_10, {"targets": "some", "captures": "x"}, "weiqi:fig10"),
    ],
)
def test_the_papers_games_are_played(game, moves, options, name):
    match = played(started(game, size=9, options=options), moves)
    assert match.board_game().exact_distribution() == named_game(name).exact_distribution()
    judge = match.program().judge
    assert judge.exact_distribution() == named_game(name).exact_distribution()
    again = match_from_record(match.record())
    assert again.record() == match.record()
    assert again.view(0).as_json() == match.view(0).as_json()
    assert not match.over
    assert match.points == (Fraction(1, 2), Fraction(1, 2))
    text = [line for panel in match.view(None).panels() if hasattr(panel, "lines")
            for line in panel.lines]  # fmt: skip
    assert any("√" in line for line in text)
    hidden = match.view(0).as_json(chances=False)
    assert "√" not in str(hidden)
    assert "probability" not in str(hidden)
    assert not any("√" in str(panel) for panel in match.view(0).panels(chances=False))


def test_who_has_five_wins():
    match = played(
        started("five-in-a-row", size=9), ["A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "E1"]
    )
    assert match.over
    assert match.to_move == ()
    assert (match.winners, match.points) == ((0,), (1, 0))
    assert match.view(1).as_json()["end"] == "black has five in a row in the game"
    with pytest.raises(GameError, match="the match is over"):
        match.play(1, "A2")


@pytest.mark.parametrize(
    ("seat", "move", "why"),
    [
        (1, "A1", "player 1 cannot move now: it is the turn of black"),
        (2, "A1", "player 2 cannot move now"),
        (0, "J1", "'J1' is no point of this board"),
        (0, "E A1-B1 A2-B2", "A1 never has a white stone"),
        (0, "pass", "nobody passes"),
    ],
)
def test_moves_that_are_not_possible_are_refused(seat, move, why):
    with pytest.raises(GameError, match=why):
        started("five-in-a-row", size=9).play(seat, move)


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"seats": 3}, "seats = 3: this is a game of 2"),
        ({"size": 1}, "size = 1: a board has"),
        ({"options": {"size": "x"}}, "size = 'x': a board has"),
        ({"options": {"counter": "x"}}, "counter = 'x': must be 'opponent'"),
        ({"options": []}, "options = "),
        ({"seed": -1}, "seed = -1"),
        ({"most_games": 0}, "most_games = 0"),
        ({"colour": 1}, "colour: unknown"),
    ],
)
def test_bad_setups_are_refused(setup, why):
    with pytest.raises(GameError, match=why):
        started("weiqi", **setup)


def test_a_board_without_stones_is_no_circuit():
    with pytest.raises(InputError, match="no encoding supports"):
        started("weiqi").program()


def test_nothing_is_measured():
    match = started("weiqi")
    assert (match.awaited, match.known, match.chances()) == (0, (), {(): 1})
    with pytest.raises(GameError, match="no outcome is waited for"):
        match.collapse([])


def test_legal_moves_are_those_that_can_be_played():
    match = started("weiqi", size=2).play(0, "A1")
    found = list(match.legal_moves(1))
    assert found == ["X B1", "X A2", "X B2", "pass"]
    assert list(match.legal_moves(0)) == []
    for move in found:
        match.play(1, move)


@pytest.mark.parametrize(
    ("game", "bot", "size"),
    [("five-in-a-row", "random", 5), ("five-in-a-row", "threats", 9),
     ("five-in-a-row", "quantum", 9), ("weiqi", "random", 3), ("weiqi", "greedy", 3)],
)  # fmt: skip
def test_bots_move_as_the_rules_allow(game, bot, size):
    bots = {seat: playables[game].bots[bot]() for seat in (0, 1)}
    match = started(game, size=size, most_games=32)
    for _ in range(24):
        (seat,) = match.to_move
        move = bots[seat].move(match.view(seat), Random(len(match.log)))
        match = match.play(seat, move)
        if match.over:
            break
    assert len(match.log) > 4


def test_threats_are_seen_in_the_game_where_they_are():
    """Black has four in one of two games only: white answers there, and black wins there."""
    kind = playables["five-in-a-row"]
    white = played(
        started("five-in-a-row", size=9), ["S+ C5 C9", "I1", "D5", "I3", "E5", "I5", "F5"]
    )
    bot = kind.bots["threats"]()
    assert bot.move(white.view(1), Random(0)) in ("X B5", "X G5")
    black = white.play(1, "A1")
    assert bot.move(black.view(0), Random(0)) in ("X B5", "X G5")
    won = black.play(0, bot.move(black.view(0), Random(0)))
    assert won.winners == (0,)
    assert won.position.end.reason == "black has five in a row in 1 of 2 games"


def test_better_bots_win_more_often():
    results = list(tournament("five-in-a-row", ("random", "threats"), games=6, seed=5))
    assert [result.winners for result in results] == [("threats",)] * 6


def test_a_match_against_a_bot_goes_on_where_it_was():
    bots = {1: playables["five-in-a-row"].bots["quantum"]()}
    match = started("five-in-a-row", size=9).play(0, "S+ E5 F5")
    assert played_by(match, bots, 3).record() == played_by(match, bots, 3).record()
    assert played_by(match, bots, 3).to_move == (0,)
