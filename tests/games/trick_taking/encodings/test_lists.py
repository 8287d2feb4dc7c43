"""Programs on lists: every deal and every play as often as the rules say, and who has won."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from scipy.stats import binomtest

from compiler.errors import VerificationError
from compiler.measurement import final_measurements
from compiler.synthesis.method import predictions
from compiler.synthesis.operator import Operator
from games import encoded, encodings, named_game
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.list_decoding import EXCHANGES, played_game
from games.trick_taking.play.dealing import Dealing
from tests.compiler.many_inputs import final_state, games_as_written
from tests.games.trick_taking.encodings.distributions import (
    TOLERANCE,
    measured_bits,
    read,
)
from tests.games.trick_taking.second_rules import described_games
from tests.games.trick_taking.verification.test_played_games import segmented

NAMES = ("lists", "lists-win")


def paths(game):
    """Return the probability of every deal with every sequence of legal plays."""
    found = {}

    def go_on(deal, plays, hands, lead, table, probability):
        if len(table) == game.players:
            lead = (lead + game.winner(table)) % game.players if game.winner_leads else 0
            table = []
        seat = (lead + len(table)) % game.players
        if not hands[seat]:
            found[deal, plays] = probability
            return
        legal = game.legal(hands[seat], table[0] if table else None)
        if game.first_card is not None and not plays:
            legal = (game.first_card,)
        for card in legal:
            left = [[c for c in hand if c != card] for hand in hands]
            chance = probability / len(legal)
            go_on(deal, (*plays, card), left, lead, [*table, card], chance)

    for deal in Dealing(game).all():
        hands = [[c for c in game.hand_cards if deal[c] == s] for s in range(game.players)]
        go_on(deal, (), hands, game.leader, list(game.table), Fraction(1, game.deal_count))
    return found


def path_distribution(game, bits):
    """Return the distribution over deals and plays that a program without a score measures."""
    found = Counter()
    for measured, p in bits.items():
        try:
            played = played_game(
                game, card_codes(game), measured, scored=False, exchanges=EXCHANGES[game.players]
            )
        except VerificationError:
            found[None] += p
        else:
            found[played.deal, played.plays] += p
    return found


@settings(max_examples=15)
@given(keys=described_games(most_cards=6))
def test_every_path_has_its_probability(make_game, keys):
    """Outcomes merge paths; this compares deal by deal and play by play."""
    game = make_game(**keys)
    if encodings["lists"].supports(game):
        found = path_distribution(game, measured_bits(encodings["lists"].program(game)))
        assert found == pytest.approx({k: float(p) for k, p in paths(game).items()}, abs=TOLERANCE)


@pytest.mark.parametrize("encoding", NAMES[:2])
def test_nine_cards_that_nobody_knows_are_won_as_often_as_the_rules_say(encoding):
    """Their state has millions of amplitudes, so games of it are drawn."""
    game = read("skat-9.toml")
    measured = games_as_written(segmented(encodings[encoding].program(game)), 400, seed=3)
    found = [encodings[encoding].outcome(game, bits) for bits in measured]
    assert None not in found
    won = sum(map(game.is_win, found))
    assert binomtest(won, 400, float(game.average("win"))).pvalue > 0.01


def figures(name, encoding):
    program = encodings[encoding].program(named_game(name))
    gates = sum(min(predictions(item.operation).values())
                for item in program.data if isinstance(item.operation, Operator))  # fmt: skip
    return program.num_qubits, gates


FIGURES = {
    "skat-4": [(16, 82), (29, 362)],
    "skat-9": [(59, 686), (72, 1565)],
    "skat-32": [(433, 15614), (447, 18894)],
    "skat-32:known": [(363, 11564), (377, 14844)],
    "skat-32:paper": [(357, 9081), (414, 15561)],
    "skat-32:null": [(399, 13373), (409, 13743)],
    "skat-32:grand": [(466, 19436), (479, 22716)],
}
"""Qubits and predicted two-qubit gates in each encoding."""


@pytest.mark.parametrize("name", FIGURES)
def test_qubits_and_gates(name):
    assert [figures(name, encoding) for encoding in NAMES] == FIGURES[name]


@pytest.mark.parametrize("name", NAMES)
def test_operators_of_large_games_end_at_barriers(name):
    program = encodings[name].program(named_game("skat-32"))
    kinds = [item.operation.name if not isinstance(item.operation, Operator) else "operator"
             for item in program.data]  # fmt: skip
    for place, kind in enumerate(kinds):
        if kind == "operator":
            assert kinds[place + 1] == "barrier"
    assert "barrier" not in encodings[name].program(named_game("skat-9")).count_ops()


def test_work_qubits_are_clean_in_the_end():
    """What is lent as an ancilla comes back, or is written to later as history."""
    program = encodings["lists-win"].program(named_game("skat-9"))
    unitary, _ = final_measurements(program)
    (work,) = [register for register in program.qregs if register.name == "work"]
    state = final_state(unitary)
    assert not state.bits[:, [program.find_bit(qubit).index for qubit in work]].any()


WHOLE = ("skat-32", "skat-32:paper", "skat-32:null", "skat-32:grand")


SIXTEEN = "CJ SJ HJ SA S10 S9 S7 HA H10 HK H8 CA CK C8 D10 D7"


def test_games_of_sixteen_cards_are_legal(make_game):
    known = {"0": ["CJ", "S7", "H10", "CK", "D7"]}
    require_legal(make_game(3, 5, SIXTEEN, rules="skat", trump="S", known=known))


@pytest.mark.full
@pytest.mark.parametrize("name", WHOLE)
def test_whole_games_are_legal(name):
    require_legal(named_game(name))


def require_legal(game):
    encoding = encodings["lists-win"]
    measured = games_as_written(segmented(encoding.program(game)), 2, seed=1)
    assert None not in [encoding.outcome(game, bits) for bits in measured]
    assert len(set(measured)) == 2


@pytest.mark.full
@pytest.mark.parametrize("encoding", NAMES)
@pytest.mark.parametrize("name", [*WHOLE, "skat-32:known", "skat-32:grand:known"])
def test_many_whole_games_are_legal(name, encoding):
    game = named_game(name)
    measured = games_as_written(encoded(game, encoding).circuit, 200, seed=2)
    assert None not in [encodings[encoding].outcome(game, bits) for bits in measured]
    assert len(set(measured)) == 200
