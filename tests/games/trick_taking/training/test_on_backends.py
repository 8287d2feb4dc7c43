"""Gradients of P(win) that circuits measure, against those of the tree."""

from itertools import count

import numpy as np
import pytest
from attrs import evolve

from compiler.verification.program import outcome_distribution, program_state
from games import encoded, named_game
from games.sources import Source, read_game
from games.training import CircuitRun
from games.trick_taking.training.backend_learning import Backend, learn_exactly, learn_on
from games.trick_taking.training.learning import Task
from games.trick_taking.training.shifts import angles_of, gradient, shifted, thetas, turned
from games.trick_taking.training.tree import slopes, softmax, tree_of
from games.trick_taking.weighted.encoding import layout_of
from games.trick_taking.weighted.game import WeightedGame
from tests.games.trick_taking.training.test_training import SUITED

TOY, NINE = named_game("skat-4"), named_game("skat-9")
KNOWN = evolve(SUITED, known=(0, 1, 1, None, None, None))


def weights(tree, seed=4):
    return softmax(tree, np.random.default_rng(seed).normal(0, 1, tree.choices))


def circuit_of(game, chances):
    return encoded(WeightedGame("shifted", game, tuple(chances.tolist()))).circuit


def measured(circuit):
    return outcome_distribution(circuit, program_state(circuit))


def exact_slopes(tree, angles, values, chances):
    """Return dP/dθ by the chain rule: dP/dp of the tree, and p = Π of cos² and sin² of θ/2."""
    worth = slopes(tree, chances, chances)
    found = []
    for one, theta in zip(angles, values, strict=True):
        zero, there = (slice(r.start, r.stop) for r in (one.zero, one.one))
        # d log cos²(θ/2) / dθ = -tan(θ/2), d log sin²(θ/2) / dθ = cot(θ/2)
        found.append(
            -np.tan(theta / 2) * (worth[zero] @ chances[zero])
            + (worth[there] @ chances[there]) / np.tan(theta / 2)
        )
    return np.array(found)


@pytest.mark.parametrize(
    ("game", "seat"), [(TOY, 1), (KNOWN, 0), (NINE, 2)], ids=lambda one: getattr(one, "name", one)
)
def test_shifted_circuits_give_the_gradient_of_the_tree(game, seat):
    tree = tree_of(game)
    layout, chances = layout_of(tree), weights(tree)
    angles = angles_of(layout, seat)
    values = thetas(angles, chances)
    assert np.allclose(turned(angles, values, chances), chances, atol=1e-12)

    def measure(chances):
        found = measured(circuit_of(game, chances))
        return {bits: p for bits, p in found.items() if bits in layout.ends}

    got, _ = gradient(layout, angles, [measure(one) for one in shifted(angles, values, chances)])
    expected = exact_slopes(tree, angles, values, chances)
    assert np.abs(got - expected).max() < 1e-9
    assert np.abs(expected).max() > 0.01


def test_a_backend_that_measures_exactly_trains_as_the_tree_does():
    """A third of its shots are illegal, and change nothing."""
    shots, jobs = 3_000_000, count(1)

    def run(documents):
        return [run_file(text) for text in documents]

    def run_file(text):
        program = encoded(read_game(Source("weighted.toml", text.encode())))
        found = measured(program.circuit)
        counts = {bits: round(p * shots * 2 / 3) for bits, p in found.items()}
        return CircuitRun(next(jobs), counts | {0: shots // 3}, 16)

    layout = layout_of(tree_of(TOY))
    task = Task("best-response", seat=1, steps=4)
    looks, learned = learn_on(Backend(layout, "exact:one", shots, run, lambda _: None), task)
    expected, _ = learn_exactly(layout, task)
    assert [one.won for one in looks] == pytest.approx([one.won for one in expected], abs=1e-4)
    assert [one.measured for one in looks] == pytest.approx([one.won for one in looks], abs=1e-5)
    assert expected[0].won == pytest.approx(5 / 12, abs=1e-12)
    assert expected[-1].won < 0.35
    # One look at first, then two shifts of one bit and a look for each step.
    assert (learned.circuits, learned.jobs, learned.two_qubit_gates) == (13, (1, 13), 16)
    assert learned.legal_fraction == pytest.approx(2 / 3, abs=1e-5)
