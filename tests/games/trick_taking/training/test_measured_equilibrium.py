"""Equilibria from counts, against exact counterfactual values and the linear program."""

import numpy as np
import pytest
from attrs import evolve

from games import named_game
from games.sources import Source, read_game
from games.training import CircuitRun
from games.trick_taking.training.backend_learning import (
    Backend,
    circuit_count,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.equilibrium import asked_of, worth
from games.trick_taking.training.learning import Task, gains
from games.trick_taking.training.shifts import exact_measure
from games.trick_taking.training.tree import reaches, slopes, softmax, tree_of
from games.trick_taking.weighted.encoding import layout_of
from tests.games.trick_taking.training.sequence_form import value_of
from tests.games.trick_taking.training.test_training import SUITED, THREE_CARDS, WITH_SKAT

TOY, NINE = named_game("skat-4"), named_game("skat-9")
KNOWN = evolve(SUITED, known=(0, 1, 1, None, None, None))
SHOTS = 1000


def weights(tree, seed=3):
    return softmax(tree, np.random.default_rng(seed).normal(0, 2, tree.choices))


def sampling(layout, seed, shots=SHOTS, illegal=0.0):
    """Return a backend that draws shots from what the tree says, some of them illegal."""
    random = np.random.default_rng(seed)
    ends, nodes = list(layout.ends), list(layout.ends.values())
    beyond = 1 << layout.bits

    def run(documents):
        counted = []
        for text in documents:
            chances = read_game(Source("weighted.toml", text.encode())).chances
            exact = reaches(layout.tree, chances)[-1][nodes]
            drawn = random.multinomial(shots, [*(exact * (1 - illegal)), illegal])
            bits = (*ends, beyond)
            counts = {key: int(n) for key, n in zip(bits, drawn, strict=True) if n}
            counted.append(CircuitRun(len(counted) + 1, counts, 0))
        return counted

    return Backend(layout, "drawn", shots, run, lambda _: None)


@pytest.mark.parametrize("game", [TOY, KNOWN, NINE], ids=lambda game: game.title)
def test_shifts_of_even_coins_tell_what_each_card_is_worth(game):
    tree = tree_of(game)
    layout, chances = layout_of(tree), weights(tree)
    for seat in range(game.players):
        own = tree.seats == seat
        asked = asked_of(layout, seat, chances)
        found = worth(layout, seat, chances, exact_measure(layout)(asked))
        expected = slopes(tree, chances, np.where(own, 1.0, chances))
        open_ = own & (tree.sizes[tree.owners] > 1)
        assert np.abs(found - expected)[open_].max() < 1e-12
        assert expected[open_].max() > 0.01
        # One bit of the play is decided for certain: the two circuits of a pair share no card.
        for up, down in zip(asked[::2], asked[1::2], strict=True):
            apart = open_ & (np.abs(up - down) > 0.4)
            assert apart.any()


@pytest.mark.parametrize("illegal", [0.0, 0.2])
@pytest.mark.parametrize(
    ("game", "steps"),
    [
        (TOY, 20),
        (KNOWN, 20),
        pytest.param(SUITED, 20, marks=pytest.mark.full),
        pytest.param(THREE_CARDS, 20, marks=pytest.mark.full),
        pytest.param(WITH_SKAT, 30, marks=pytest.mark.full),
    ],
    ids=lambda one: getattr(one, "title", one),
)
def test_counts_lead_to_the_value_of_the_linear_program(game, steps, illegal):
    layout = layout_of(tree_of(game))
    task = Task("equilibrium", seat=0, steps=steps)
    looks, learned = learn_on(sampling(layout, 1, illegal=illegal), task)
    assert learned.circuits == circuit_count(layout, task)
    last, exact = looks[-1], value_of(game)
    left = gains(layout.tree, last.chances)
    assert last.won == pytest.approx(exact, abs=0.015)
    # What is exact: the value lies between these.
    assert exact - 1e-9 <= last.won + left[game.party[0]] <= exact + 0.03
    end = learned.training[-1]
    # Four standard deviations, of which 1.96 make an interval.
    assert abs(end.measured - end.p_win) < 4 / 1.96 * (end.high - end.low) / 2
    assert learned.legal_fraction == pytest.approx(1 - illegal, abs=0.02)
    begun = gains(layout.tree, looks[0].chances)
    assert sum(left) < sum(begun) / 4


def test_exact_measurements_lead_to_where_three_seats_gain_nothing():
    layout = layout_of(tree_of(NINE))
    looks, _ = learn_exactly(layout, Task("equilibrium", seat=0, steps=12))
    assert looks[-1].won == pytest.approx(11 / 12, abs=1e-3)
    assert max(gains(layout.tree, looks[-1].chances)) < 1e-3


def test_an_equilibrium_goes_on_from_weights():
    layout = layout_of(tree_of(TOY))
    start = weights(layout.tree)
    looks, _ = learn_exactly(layout, Task("equilibrium", seat=0, steps=1, start=start))
    assert np.array_equal(looks[0].chances, start)
    # The first seat's first weights are those of the start.
    own = (layout.tree.seats == 0) & (layout.tree.sizes[layout.tree.owners] > 1)
    assert np.allclose(looks[-1].chances[own], start[own], atol=1e-12)
