"""Training against the linear program of the sequence form."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from attrs import evolve
from scipy.optimize import linprog

from compiler.errors import GameTooLargeError
from games import named_game
from games.sources import Source, read_game
from games.training import CircuitRun
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.play.positions import Moves
from games.trick_taking.rules.rules import POINTS, Card, Rules
from games.trick_taking.training.backend_learning import (
    Backend,
    circuit_count,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.learning import (
    Task,
    best_response,
    gains,
    learn_equilibrium,
    learn_response,
)
from games.trick_taking.training.shifts import asked_of, exact_measure, worth
from games.trick_taking.training.tree import (
    exact_value,
    reaches,
    slopes,
    softmax,
    softmax_slope,
    tree_of,
    uniform,
    value,
    where_it_matters,
)
from games.trick_taking.weighted.encoding import layout_of


def value_of(game):
    """Return the P(win) that the party can be sure of, which is all that its opponent leaves."""
    moves, deals = Moves(game), list(Dealing(game).all())
    rows = [{(): 0}, {(): 0}]
    parents = [{}, {}]
    payoff = defaultdict(float)

    def walk(state, seen, last):
        if len(state.table) == 2:
            return walk(moves.take(state), seen, last)
        if not any(state.hands[:2]):
            won = game.is_win(game.outcome(tuple(owner for owner, _ in moves.position(state))))
            payoff[last] += won / len(deals)
            return None
        seat = moves.seat(state)
        sees = (state.hands[seat], seen)
        parents[seat][sees] = last[seat]
        for after in moves.plays(state):
            card = after.table[-1]
            row = rows[seat].setdefault((*sees, card), len(rows[seat]))
            walk(after, (*seen, card), (row, last[1]) if seat == 0 else (last[0], row))
        return None

    for deal in deals:
        walk(moves.start(deal), (), (0, 0))
    matrix = np.zeros((len(rows[0]), len(rows[1])))
    for (mine, theirs), won in payoff.items():
        matrix[mine, theirs] = won
    if game.party == (1,):
        matrix = matrix.T
    ours, others = (0, 1) if game.party == (0,) else (1, 0)
    own, given = plan(rows[ours], parents[ours])
    against, start = plan(rows[others], parents[others])
    # Largest start·v with matrixᵀ x ≥ againstᵀ v for plans x.
    found = linprog(
        np.concatenate((np.zeros(own.shape[1]), -start)),
        A_ub=np.hstack((-matrix.T, against.T)),
        b_ub=np.zeros(against.shape[1]),
        A_eq=np.hstack((own, np.zeros((own.shape[0], start.size)))),
        b_eq=given,
        bounds=[(0, None)] * own.shape[1] + [(None, None)] * start.size,
    )
    assert found.success
    return -found.fun


def plan(rows, parents):
    """Return E and e of the plans E x = e: what follows a sequence adds up to its probability."""
    sets = {sees: number for number, sees in enumerate(parents, start=1)}
    matrix = np.zeros((len(sets) + 1, len(rows)))
    matrix[0, 0] = 1
    for sees, number in sets.items():
        matrix[number, parents[sees]] = -1
    for sequence, row in rows.items():
        if sequence:
            matrix[sets[sequence[:-1]], row] = 1
    return matrix, np.eye(len(sets) + 1)[0]


def two_seats(names, contract, threshold, party=(0,), skat=0):
    deck = tuple(map(Card.parse, names.split()))
    return TrickTakingGame(
        name="small",
        players=2,
        hand=(len(deck) - skat) // 2,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=(None,) * len(deck),
        party=party,
        threshold=threshold,
        rules=Rules(contract),
    )


THREE_CARDS = two_seats("CA C10 CK CQ CJ C9", None, 16)
SUITED = two_seats("CJ SA S10 HA HK H7", "S", 20)
WITH_SKAT = two_seats("CA C10 SA SK HQ H10 H7", "grand", 24, party=(1,), skat=1)
SMALL = [named_game("skat-4"), THREE_CARDS, SUITED, WITH_SKAT]


def silent(line):
    pass


def won(game):
    return sum(p for outcome, p in game.exact_distribution().items() if game.is_win(outcome))


@pytest.mark.parametrize("game", [*SMALL, named_game("skat-9:H7")], ids=lambda game: game.title)
def test_equal_weights_are_the_papers_card_plays(game):
    tree = tree_of(game)
    equal = [Fraction(1, int(tree.sizes[owner])) for owner in tree.owners]
    exact = exact_value(tree, equal)
    assert value(tree, uniform(tree)) == pytest.approx(float(exact), abs=1e-12)
    if game.first_card is None:
        assert exact == won(game)
        return
    first = tree.information[0]
    lead = first.first + first.cards.index(game.first_card)
    for choice in range(first.first, first.first + len(first.cards)):
        equal[choice] = Fraction(int(choice == lead))
    assert exact_value(tree, equal) == won(game) == Fraction(5, 8)


def test_slopes_are_those_of_the_value():
    tree = tree_of(SUITED)
    parameters = np.random.default_rng(1).normal(size=tree.choices)
    chances = softmax(tree, parameters)
    found = softmax_slope(tree, chances, slopes(tree, chances, chances))
    assert np.abs(found).max() > 1e-3
    for choice in range(0, tree.choices, 7):
        step = np.zeros(tree.choices)
        step[choice] = 1e-5
        up, down = (value(tree, softmax(tree, parameters + s)) for s in (step, -step))
        assert found[choice] == pytest.approx((up - down) / 2e-5, abs=1e-9)


@pytest.mark.parametrize("seat", [0, 1])
def test_best_response_is_the_best_of_all_plans(seat):
    tree = tree_of(named_game("skat-4"))
    chances = softmax(tree, np.random.default_rng(2).normal(size=tree.choices))
    free = [one for one in tree.information if one.seat == seat and len(one.cards) > 1]
    values = []
    for plan in product((0, 1), repeat=len(free)):
        tried = chances.copy()
        for one, card in zip(free, plan, strict=True):
            tried[one.first : one.first + 2] = (1 - card, card)
        values.append(value(tree, tried))
    best = max(values) if seat == 0 else min(values)
    answered = best_response(tree, chances, seat)
    assert value(tree, answered) == pytest.approx(best, abs=1e-12)
    others = tree.seats != seat
    assert (answered[others] == chances[others]).all()


@pytest.mark.parametrize("game", SMALL[::2], ids=lambda game: game.title)
def test_equilibrium_has_the_value_of_the_linear_program(game):
    tree = tree_of(game)
    look = learn_equilibrium(tree, 700, 0, silent)[-1]
    assert look.won == pytest.approx(value_of(game), abs=1e-6)
    assert max(look.gains) < 1e-6
    assert min(look.gains) > -1e-12


def test_a_training_goes_on_from_weights_against_those_of_the_others():
    tree = tree_of(named_game("skat-9"))
    first = learn_response(tree, 2, 40, 0, silent)[-1].chances
    # Whoever goes on begins where the other ended, and loses nothing of it.
    on = learn_response(tree, 2, 40, 0, silent, start=first)
    assert on[0].chances == pytest.approx(first, abs=1e-8)
    assert on[-1].won < on[0].won
    # Now seat 0 answers seat 2, which keeps its weights.
    answer = learn_response(tree, 0, 200, 0, silent, start=first)[-1]
    assert (answer.chances[tree.seats != 0] == first[tree.seats != 0]).all()
    best = value(tree, best_response(tree, first, 0))
    assert answer.won == pytest.approx(best, abs=1e-3)
    assert answer.won > value(tree, first)


def test_large_games_are_refused():
    with pytest.raises(GameTooLargeError, match="1,680 deals with up to 216 ways"):
        tree_of(named_game("skat-9:paper"))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", SMALL[2:], ids=lambda game: game.title)
def test_weights_that_win_nothing_are_left_equal(game, seat):
    tree = tree_of(game)
    chances = softmax(tree, np.random.default_rng(8).normal(0, 1, tree.choices))
    trained = best_response(tree, chances, seat)
    leaner = where_it_matters(tree, trained, seat)
    assert value(tree, leaner) == pytest.approx(value(tree, trained), abs=1e-12)
    assert np.array_equal(leaner[tree.seats != seat], chances[tree.seats != seat])
    changed = tree.sums((leaner != trained).astype(float)) > 0
    assert 0 < changed.sum() < (tree.seats == seat).sum()
    assert np.array_equal(leaner[changed], uniform(tree)[changed])


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


@pytest.mark.parametrize("game", [KNOWN, NINE], ids=lambda game: game.title)
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


@pytest.mark.parametrize(
    ("game", "illegal"), [(TOY, 0.0), (KNOWN, 0.2)], ids=lambda one: getattr(one, "title", one)
)
def test_counts_lead_to_the_value_of_the_linear_program(game, illegal):
    layout = layout_of(tree_of(game))
    task = Task("equilibrium", seat=0, steps=20)
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
