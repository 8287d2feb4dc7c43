"""Every game that is played, with every bot: legal moves, and matches that are replayed exactly."""

import json
from random import Random

import pytest

from games.playing.oracle import ExactOracle, measured_by
from games.playing.playable import match_from_record, playables
from games.playing.tournament import played_by
from tests.games.playing.matches import by_chance, started

SETUPS = {
    "five-in-a-row": [{"size": 9, "most_games": 32}, {"size": 5}],
    "weiqi": [{"size": 3, "most_games": 32}],
    "six-nimmt": [
        {"seats": 3, "seed": 9},
        {"seats": 3, "seed": 9,
         "options": {"measured_qubit": "reset", "without_mqops": "negative", "fillers": "no"}},
    ],
    "endless-fun": [{"seats": 4, "seed": 6}, {"seats": 3, "options": {"dimension": "2"}}],
}  # fmt: skip
CASES = [(game, setup) for game in playables for setup in SETUPS[game]]


@pytest.mark.parametrize(
    ("game", "setup", "bot"),
    [(game, setup, bot) for game, setup in CASES for bot in playables[game].bots],
)
def test_every_move_of_a_bot_is_legal(game, setup, bot):
    match, oracle, random = started(game, **setup), ExactOracle(3), Random(2)
    bots = [playables[game].bots[name]() for name in (bot, "random")]
    for number in range(35):
        match = measured_by(oracle, match)
        if match.over:
            break
        seat = match.to_move[0]
        # The others play by chance, so that every kind of question comes up.
        move = bots[seat > 0 and number % 4 > 0].move(match.view(seat), random)
        assert "size" in setup or move in set(match.legal_moves(seat))
        match = match.play(seat, move)
    assert len(match.log) > 4


@pytest.mark.parametrize(("game", "setup"), CASES)
def test_bots_stop_where_a_person_moves_and_move_alike_again(game, setup):
    match = started(game, **setup)
    match = match.play(match.to_move[0], next(iter(match.legal_moves(match.to_move[0]))))
    person = match.to_move[-1]
    last = list(playables[game].bots)[-1]
    bots = {seat: playables[game].bots[last]() for seat in range(4) if seat != person}
    end = played_by(match, bots, 5)
    assert end.over or end.to_move == (person,)
    assert played_by(match, bots, 5).record() == end.record()


@pytest.mark.parametrize("moves", [0, 1, 3, 12, 29, 64])
@pytest.mark.parametrize(("game", "setup"), CASES)
def test_a_match_is_replayed_exactly_from_json(game, setup, moves):
    match = by_chance(started(game, **setup), Random(4), moves)
    again = match_from_record(json.loads(json.dumps(match.record())))
    assert again.record() == match.record()
    for seat in (None, *range(setup.get("seats", 2))):
        assert again.view(seat).as_json() == match.view(seat).as_json()
