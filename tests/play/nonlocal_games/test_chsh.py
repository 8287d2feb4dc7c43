"""CHSH played by hand, by bots, and measured."""

import pytest

from compiler.errors import GameError
from play.oracle import ExactOracle
from play.playable import playables
from tests.play.matches import measured_by


def answered(rules, rounds="200"):
    """Return a match whose rounds with fixed answers are played by the rules of both."""
    match = playables["chsh"].start({"seed": 1, "options": {"rounds": rounds}})
    for seat, rule in enumerate(rules):
        match = match.play(seat, rule)
    return match


def test_classical_rules_win_three_quarters_and_measurements_more():
    match = answered(("always 0", "always 0"))
    for seat in range(2):
        match = match.play(seat, "always measure")
    match = measured_by(ExactOracle(1), match)
    assert match.over
    assert match.winners == (0, 1)
    rates = [wins / 200 for wins in match.wins]
    # Four standard deviations of 200 rounds around the exact values.
    assert abs(rates[0] - 0.75) < 0.13
    assert abs(rates[1] - 0.8536) < 0.1


def test_no_classical_rules_win_always():
    for rule in ("always 0", "always 1", "always the question"):
        for other in ("always 0", "always 1", "always the question"):
            match = answered((rule, other), rounds="40")
            assert (match.phase, match.wins[0] < 40) == (1, True)


def test_a_seat_sees_its_own_question_only_and_answers_stay_hidden():
    match = playables["chsh"].start({"seed": 3})
    before = match.view(1).as_json()
    after = match.play(0, "1")
    assert after.to_move == (1,)
    assert after.view(1).as_json() == {**before, "to_move": [1]}
    assert match.view(0).as_json()["own_question"] == match.questions[0]
    assert match.view(None).as_json()["own_question"] is None


def test_a_round_is_a_program_with_the_questions_of_the_referee():
    match = playables["chsh"].start({"options": {"rounds": "1"}})
    match = match.play(0, "0").play(1, "0")
    assert match.phase == 1
    match = match.play(0, "measure").play(1, "measure")
    assert match.awaited == match.program().circuit.num_clbits == 2
    assert sum(match.chances().values()) == 1


@pytest.mark.parametrize("setup", [{"options": {"rounds": "0"}}, {"options": {"bits": "1"}}])
def test_wrong_setups_are_refused(setup):
    with pytest.raises(GameError):
        playables["chsh"].start(setup)


@pytest.mark.parametrize("move", ["2", "measure", "always"])
def test_wrong_moves_are_refused(move):
    with pytest.raises(GameError):
        playables["chsh"].start({}).play(0, move)
