"""Decoding of measured lists: what is no game is no outcome, and never an error."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from games import encodings, named_game
from games.trick_taking.encodings.card_codes import card_codes
from tests.compiler.many_inputs import final_state
from tests.games.trick_taking.second_rules import described_games

LISTS, WITH_WIN = encodings["lists"], encodings["lists-win"]
SPECS = ("skat-4", "skat-9", "skat-32", "skat-32:paper", "skat-32:null", "skat-32:grand:known")


@pytest.mark.parametrize("encoding", [LISTS, WITH_WIN], ids=["lists", "lists-win"])
@pytest.mark.parametrize("spec", SPECS)
def test_random_bits_are_no_outcome(spec, encoding):
    """Of cards in any order few are in a legal one: none of these, or an owner for every card."""
    game, random = named_game(spec), Random(5)
    size = encoding.program(game).num_clbits
    codes = card_codes(game)
    for _ in range(100):
        garbage = random.getrandbits(size)
        if spec.startswith("skat-32"):
            assert encoding.outcome(game, garbage) is None
        else:
            outcome = encoding.outcome(game, garbage)
            assert outcome is None or outcome in game.exact_distribution()
        shuffled = random.sample(codes.codes, len(codes.codes))
        cards = sum(code << i * codes.width for i, code in enumerate(shuffled))
        outcome = encoding.outcome(game, cards | garbage >> len(codes.codes) * codes.width
                                   << len(codes.codes) * codes.width)  # fmt: skip
        assert outcome is None or all(o < len(game.hands) for o in game.owners(outcome))


@given(keys=described_games(), data=st.data())
def test_bits_of_any_game_decode_to_an_outcome_or_nothing(make_game, keys, data):
    game = make_game(**keys)
    encoding = data.draw(st.sampled_from([LISTS, WITH_WIN]))
    if encoding.supports(game):
        size = encoding.program(game).num_clbits
        for _ in range(5):
            outcome = encoding.outcome(game, data.draw(st.integers(0, (1 << size) - 1)))
            assert outcome is None or outcome in game.exact_distribution()


def test_codes_of_no_card_are_no_deal():
    game = named_game("skat-9")
    codes = card_codes(game)
    free = next(code for code in range(1 << codes.width) if code not in codes.codes)
    program = LISTS.program(game)
    unitary, _ = final_measurements(program)
    measured = next(iter(outcome_distribution(program, final_state(unitary))))
    assert LISTS.outcome(game, measured) is not None
    assert LISTS.outcome(game, measured >> codes.width << codes.width | free) is None
