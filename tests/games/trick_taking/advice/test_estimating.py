"""Each card's chance by amplitude estimation: which circuits are asked, and for whom they speak."""

import pytest
from attrs import evolve

from compiler.amplification.event import Event
from compiler.errors import GameError
from compiler.words.estimator_names import EstimatorName
from games import DEFAULT_ENCODING, named_game
from games.commands import Estimated, Means, ReadyEstimate
from games.sources import Source, read_program
from games.toml import game_from_toml
from games.trick_taking.advice.adviser import advise
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.on_backends.estimating import estimated, ready, wish
from games.trick_taking.advice.panels import panels

FOUND = {"after-H10.toml": 0.5, "after-HQ.toml": 0.75, "after-H7.toml": 0.625}
"""The exact chances of the nine cards."""


@pytest.fixture
def nine():
    return evolve(named_game("skat-9"), first_card=None)


@pytest.fixture
def asked():
    """What the fake means were asked, in order."""
    return []


@pytest.fixture
def lines():
    return []


@pytest.fixture
def means(asked, lines):
    def estimate(one):
        asked.append(one)
        value = FOUND[one.run.name]
        return ReadyEstimate(
            lambda: Estimated(
                value, value - 0.02, value + 0.03, value != 0.625, 900, 7203, 300, 2, 3, 196, 281,
                ["exact"],
            ),
            lambda: 7,
        )  # fmt: skip

    return Means(lambda: 0.0, 2, lines.append, None, None, None, estimate)


def wanted(**given):
    options = {
        "shots": None, "error": None, "most_iterates": None, "queue": False, "tag": "",
        "max_cost": "",
    }  # fmt: skip
    return wish(backend="sparse", seed=3, estimator=EstimatorName.BAYESIAN, **{**options, **given})


def advice_on(game):
    return advise(game, Effort(1000, 500, 60.0, 1, 2, lambda: 0.0), lambda _: None)


def test_the_circuits_that_are_asked_have_the_exact_chances(nine, means, asked):
    found = ready(nine, wanted(error=0.02), means)
    assert [str(nine.deck[card]) for card in found] == [
        one.run.name.removeprefix("after-").removesuffix(".toml") for one in asked
    ]
    exact = {}
    for one in asked:
        source = Source(one.run.name, one.run.document.encode())
        exact[one.run.name] = Event(read_program(source, DEFAULT_ENCODING), one.observable)
        assert (one.error, one.most_iterates, one.run.shots, one.run.seed) == (0.02, 64, 100, 3)
    assert {name: one.probability for name, one in exact.items()} == FOUND


def test_what_is_found_is_told_of_the_side_whose_turn_it_is(nine, means, lines):
    for party, sign in (((0, 1), 1), ((1, 2), -1)):
        game = evolve(nine, party=party)
        advice = advice_on(game)
        assert advice.for_party == (sign == 1)
        measured = estimated(advice, wanted(), ready(game, wanted(), means), means)
        queen = next(card for card in advice.cards if str(game.deck[card]) == "HQ")
        one = measured.chances[queen]
        told = (0.75, 0.73, 0.78) if sign == 1 else (0.25, 0.22, 0.27)
        assert (one.value, one.low, one.high) == pytest.approx(told)
        assert f"HQ: P(win) on sparse {told[0]:.3f} ({told[1]:.3f} to {told[2]:.3f})" in lines[-3]
        assert not measured.reached


def test_a_wide_interval_is_named_for_people(nine, means):
    advice = advice_on(nine)
    measured = estimated(advice, wanted(), ready(nine, wanted(), means), means)
    titles = {panel.title: panel for panel in panels(advice, measured)}
    grid = titles["On sparse by bayesian amplitude estimation, error 0.01"]
    assert [[cell.text for cell in row] for row in grid.rows] == [
        [name, "900", "7,203", "300", "2", "3", "196", "281"] for name in ("HQ", "H7", "H10")
    ]
    wide = titles["Wider than was asked for"]
    assert list(wide.lines) == ["H7: the interval reaches 0.025 to either side, not 0.01."]


def test_a_card_that_ends_the_game_is_refused_before_anything_is_asked(means, asked):
    last = game_from_toml(
        'game = "skat"\nrules = "skat"\ntrump = "C"\nplayers = 2\nhand = 1\nleader = 1\n'
        'deck = ["CA", "CK", "SA", "H7"]\nthreshold = 23\ntable = ["CK"]\n'
        'known = { 0 = ["CA"] }\n[taken]\n0 = ["SA", "H7"]\n',
        "last",
    )
    with pytest.raises(GameError, match="CA ends the game, no circuit is needed"):
        ready(last, wanted(), means)
    assert asked == []
