"""Chance of each card on a backend: the circuits, and the side that they speak for."""

import pytest
from attrs import evolve

from compiler.amplification.event import Event
from compiler.errors import GameError
from compiler.words.estimator_names import EstimatorName
from games import DEFAULT_ENCODING, named_game
from games.sources import read_program
from games.toml import game_from_toml
from games.training import CircuitRun
from games.trick_taking.advice.adviser import advise, choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.measuring import CardEstimate, Measured, game_after, measured
from games.trick_taking.advice.panels import panels
from games.trick_taking.advice.shares import Estimate

CHANCES = {"after-H10.toml": 0.5, "after-HQ.toml": 0.75, "after-H7.toml": 0.625}
"""The exact chances of the nine cards."""


@pytest.fixture
def nine():
    return evolve(named_game("skat-9"), first_card=None)


def advice_on(game):
    return advise(game, Effort(1000, 500, 60.0, 1, 2, lambda: 0.0), lambda _: None)


def test_the_circuits_have_the_exact_chances(nine):
    sources = [game_after(nine, card) for card in choices_of(nine)]
    programs = [read_program(source, DEFAULT_ENCODING) for source in sources]
    exact = [Event(program, "win").probability for program in programs]
    assert dict(zip([source.name for source in sources], exact, strict=True)) == CHANCES


def run(source):
    value = CHANCES[source.name]
    win = {"measured": value, "low": value - 0.02, "high": value + 0.03, "exact": value}
    return CircuitRun(7, {}, 196, {"win": win})


@pytest.mark.parametrize(
    ("party", "chance"), [((0, 1), (0.75, 0.73, 0.78)), ((1, 2), (0.25, 0.22, 0.27))]
)
def test_chances_are_those_of_the_side_whose_turn_it_is(nine, party, chance):
    lines = []
    advice = advice_on(evolve(nine, party=party))
    found = measured(advice, "sparse", 100, run, lines.append)
    queen = next(card for card in advice.cards if str(advice.game.deck[card]) == "HQ")
    one = found.chances[queen]
    assert (one.value, one.low, one.high) == pytest.approx(chance)
    assert (found.jobs[queen], found.two_qubit_gates[queen], found.reached) == (7, 196, True)
    assert any(line.startswith(f"HQ: P(win) on sparse {chance[0]:.3f}") for line in lines)


def test_the_effort_of_estimates_is_shown(nine):
    advice = advice_on(nine)
    chances = dict.fromkeys(advice.cards, Estimate(0.625, 0.605, 0.655))
    gates = dict.fromkeys(advice.cards, 196)
    wide, *others = advice.cards
    estimates = {
        card: CardEstimate(card != wide, 900, 7203, 300, 2, 3, 281, ("exact",))
        for card in (wide, *others)
    }
    found = Measured("sparse", 100, chances, {}, gates, EstimatorName.BAYESIAN, 0.01, estimates)
    assert not found.reached
    titles = {panel.title: panel for panel in panels(advice, found)}
    grid = titles["On sparse by bayesian amplitude estimation, error 0.01"]
    assert [[cell.text for cell in row] for row in grid.rows] == [
        [name, "900", "7,203", "300", "2", "3", "196", "281"] for name in ("HQ", "H7", "H10")
    ]
    assert len(titles["Wider than requested"].lines) == 1


def test_a_card_that_ends_the_game_is_refused():
    last = game_from_toml(
        'game = "skat"\nrules = "skat"\ntrump = "C"\nplayers = 2\nhand = 1\nleader = 1\n'
        'deck = ["CA", "CK", "SA", "H7"]\nthreshold = 23\ntable = ["CK"]\n'
        'known = { 0 = ["CA"] }\n[taken]\n0 = ["SA", "H7"]\n',
        "last",
    )
    (card,) = choices_of(last)
    with pytest.raises(GameError, match="CA ends the game, no circuit is needed"):
        game_after(last, card)
