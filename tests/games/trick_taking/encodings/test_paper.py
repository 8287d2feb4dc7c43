"""Programs in the papers' encoding, simulated operator by operator, against the rules."""

import numpy as np
import pytest

from compiler.measurement import final_measurements
from compiler.synthesis.operator import Operator
from compiler.verification.simulation.sparse import simulate_in_steps
from games import encoded
from games.trick_taking.play.positions import Place
from games.trick_taking.rules.setup import Deal, Play
from tests.games.trick_taking.encodings.distributions import assert_same


def segments(program):
    """Yield the parts of a program that end with an operator."""
    gates, _ = final_measurements(program)
    segment = gates.copy_empty_like()
    for item in gates.data:
        segment.append(item)
        if isinstance(item.operation, Operator):
            yield segment
            segment = gates.copy_empty_like()


def columns(program, state, register):
    """Return the bits of one register, shape (amplitudes, register size)."""
    qubits = [qubit for r in program.qregs if r.name == register for qubit in r]
    return state.bits[:, [program.find_bit(qubit).index for qubit in qubits]]


def cards(game, program, state):
    """Return owner, table and stack bits of every card, shape (amplitudes, cards) each."""
    bits = columns(program, state, "owner").reshape(len(state.amplitudes), -1, game.owner_bits)
    owners = bits @ (1 << np.arange(game.owner_bits))
    return owners, columns(program, state, "table"), columns(program, state, "stack")


def positions(game, program, state):
    """Return the distribution over positions when the cards' registers are measured."""
    owners, table, stack = cards(game, program, state)
    keys, places = np.unique(
        np.stack([owners, table + 2 * stack], axis=2), axis=0, return_inverse=True
    )
    sums = np.bincount(places.ravel(), np.abs(state.amplitudes) ** 2)
    return {
        tuple((int(owner), Place(int(place))) for owner, place in key): float(p)
        for key, p in zip(keys, sums, strict=True)
    }


def assert_plays_like_the_rules(game):
    """Check every step: positions, their probabilities, the table, the ancillas, the branches."""
    program = encoded(game, "paper").circuit
    branches = None
    exact = game.step_distributions()
    states = simulate_in_steps(segments(program))
    for (step, distribution), state in zip(exact, states, strict=True):
        assert_same(positions(game, program, state), distribution)
        assert_one_card_on_the_table(game, program, state, step)
        assert not columns(program, state, "work").any()
        branches = len(distribution) if isinstance(step, Deal) else branches
        branches *= step.hand if isinstance(step, Play) else 1
        assert len(state.amplitudes) == branches
        assert np.abs(state.amplitudes) == pytest.approx(branches**-0.5, abs=1e-9)


def assert_one_card_on_the_table(game, program, state, step):
    """Check that every seat that has played to the current trick has exactly one card there."""
    owners, table, stack = cards(game, program, state)
    lying = table & ~stack
    for seat in range(len(game.hands)):
        played = isinstance(step, Play) and seat <= step.seat
        assert (np.count_nonzero(lying & (owners == seat), axis=1) == played).all()


def test_every_step_of_the_vectors(program_vector, game_of):
    assert_plays_like_the_rules(game_of(program_vector))


@pytest.mark.parametrize(
    ("players", "hand", "deck", "known"),
    [
        (2, 1, "CA CK", {}),
        (2, 1, "CA C10 CK CQ", {"skat": ["C10"]}),
        (2, 2, "CA C10 CK CQ", {"0": ["CA", "CQ"]}),
        (2, 2, "CA C10 CK CQ CJ C9", {"1": ["CK"]}),
        (2, 3, "CA C10 CK CQ CJ C9", {}),
        (3, 2, "CA C10 CK CQ CJ C9 C8", {"skat": ["CA"], "2": ["C9"]}),
        (3, 3, "CJ SJ HJ S7 HA H10 HQ H8 H7", {"0": ["H10", "HQ", "H7"], "1": ["CJ", "HA"]}),
    ],
)
def test_every_step_of_games_with_known_cards(make_game, players, hand, deck, known):
    assert_plays_like_the_rules(make_game(players, hand, deck, known=known))


@pytest.mark.full
def test_every_step_of_nine_cards(nine_cards, game_of):
    assert_plays_like_the_rules(game_of(nine_cards))


def test_undecomposed_depth_of_the_toy(toy):
    program = encoded(toy, "paper").circuit
    depths = [
        item.operation.declared_depth
        for item in program.data
        if isinstance(item.operation, Operator)
    ]
    assert depths == [1, 30, 30, 15, 1, 1, 15]
    assert sum(depths) == 93
