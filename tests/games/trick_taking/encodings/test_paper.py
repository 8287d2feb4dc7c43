"""Programs in the papers' encoding, simulated operator by operator, against the rules."""

from collections import defaultdict
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from compiler.measurement import final_measurements
from compiler.synthesis.operator import Operator
from compiler.verification.program import outcome_distribution, program_state
from compiler.verification.simulation.sparse import simulate_in_steps
from games import encoded
from games.trick_taking.operators import CardPlay, TrickTaking, UniformDeal
from games.trick_taking.play.positions import Place
from games.trick_taking.rules.steps import Deal, Play
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


@pytest.mark.full
def test_final_distribution_of_nine_cards(nine_cards, game_of):
    """All 9! shuffles, each a deal and an order of play, against the whole program."""
    game = game_of(nine_cards)
    program = encoded(game, "paper").circuit
    state = program_state(program)
    assert len(state.amplitudes) == factorial(9)
    got = outcome_distribution(program, state)
    shuffles = np.array(list(permutations(range(9)))).reshape(-1, 3, 3)
    outcomes = np.zeros(len(shuffles), dtype=int)
    for trick in range(3):
        winners = shuffles[:, :, trick].argmin(axis=1)
        for seat in range(3):
            outcomes |= winners << 2 * shuffles[:, seat, trick]
    keys, counts = np.unique(outcomes, return_counts=True)
    assert len(keys) == 2187
    assert_same(got, {int(key): n / factorial(9) for key, n in zip(keys, counts, strict=True)})
    won = sum(p for outcome, p in got.items() if game.is_win(outcome))
    assert won == pytest.approx(17 / 63, abs=1e-9)


def test_registers_of_the_toy(toy):
    program = encoded(toy, "paper").circuit
    assert program.name == "game"
    assert program.num_qubits == 17
    assert {register.name: register.size for register in program.qregs} == {
        "owner": 4,
        "table": 4,
        "stack": 4,
        "work": 1,
        "prior_1": 4,
    }
    assert {register.name: register.size for register in program.cregs} == {"owner": 4}


def test_operators_of_the_toy_in_order(toy):
    operators = [
        i.operation for i in encoded(toy, "paper").circuit.data if isinstance(i.operation, Operator)
    ]
    assert [type(operator) for operator in operators] == [
        *(UniformDeal, CardPlay, CardPlay, TrickTaking),
        *(CardPlay, CardPlay, TrickTaking),
    ]
    assert [operator.label for operator in operators if operator.name == "card_play"] == [
        *("CP2 A", "CP2 B", "CP1 A", "CP1 B"),
    ]


def test_undecomposed_depth_of_the_toy(toy):
    program = encoded(toy, "paper").circuit
    depths = [
        item.operation.declared_depth
        for item in program.data
        if isinstance(item.operation, Operator)
    ]
    assert depths == [1, 30, 30, 15, 1, 1, 15]
    assert sum(depths) == 93


def test_toy_has_24_orthogonal_branches_which_differ_in_their_history(toy):
    program = encoded(toy, "paper").circuit
    state = program_state(program)
    assert np.abs(state.amplitudes) ** 2 == pytest.approx([1 / 24] * 24, abs=1e-9)
    by_outcome = defaultdict(set)
    stacks = columns(program, state, "prior_1")
    for owners, history in zip(columns(program, state, "owner"), stacks, strict=True):
        by_outcome[tuple(owners)].add(tuple(history))
    assert len(by_outcome) == 8
    assert stacks.sum(axis=1).tolist() == [2] * 24


def test_owner_register_is_measured_in_order(toy):
    program = encoded(toy, "paper").circuit
    _, measured = final_measurements(program)
    owner = next(register for register in program.qregs if register.name == "owner")
    assert measured == {i: program.find_bit(qubit).index for i, qubit in enumerate(owner)}
