"""Lists of cards: dealt, played, decoded and valued."""

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import GameError
from compiler.judge import Kind
from compiler.measurement import final_measurements
from games import encoded, encodings, encodings_of, named_game
from games.trick_taking.encodings.levels import Levels
from games.trick_taking.encodings.list_dealing import deal_plan
from games.trick_taking.encodings.lists import open_levels
from games.trick_taking.operators.levels import Schneider
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.skat.values import Contract, Outcome, settled
from tests.compiler.many_inputs import final_state, verify
from tests.games.trick_taking.encodings.distributions import assert_distribution_of_the_rules
from tests.games.trick_taking.second_rules import described_games

LISTS = encodings["lists"]
NAMES = ("lists", "lists-win")
SPADES = {"rules": "skat", "trump": "S"}


REFUSED = {
    "one class each": {"1": {"T": 2}, "2": {"H": 1}},
    "two of four classes of one": {"1": {"T": 2}, "0": {"H": 1}},
}


@pytest.mark.parametrize("counts", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("name", NAMES)
def test_deals_that_cannot_be_dealt_owner_by_owner_are_refused(make_game, name, counts):
    """How many of the cards are neither trumps nor hearts decides what seats may draw."""
    game = make_game(3, 3, "CJ SJ HJ CA HA H10 C10 H8 H7", class_counts=counts, **SPADES)
    assert not encodings[name].supports(game)
    assert name not in encodings_of(game)
    with pytest.raises(GameError, match="class counts that cannot be dealt owner by owner"):
        encodings[name].program(game)


@given(keys=described_games())
def test_plans_are_true_of_every_deal(make_game, keys):
    game = make_game(**keys)
    plan = deal_plan(game)
    if plan is None:
        with pytest.raises(GameError):
            LISTS.program(game)
        return
    assert sorted(plan.order) == sorted(set(plan.order))
    certain = [plan.needs[owner] is not None for owner in plan.order]
    assert certain == sorted(certain, reverse=True)
    for deal in Dealing(game).all():
        for owner, needs in plan.needs.items():
            counts = {name: sum(deal[card] == owner for card in cards)
                      for name, cards in plan.groups.items()}  # fmt: skip
            assert needs is None or needs == counts
            assert owner in plan.order or not any(counts.values())


DECODED, WITH_WIN = encodings["lists"], encodings["lists-win"]


@given(keys=described_games(), data=st.data())
def test_bits_of_any_game_decode_to_an_outcome_or_nothing(make_game, keys, data):
    game = make_game(**keys)
    encoding = data.draw(st.sampled_from([DECODED, WITH_WIN]))
    if encoding.supports(game):
        size = encoding.program(game).num_clbits
        for _ in range(5):
            outcome = encoding.outcome(game, data.draw(st.integers(0, (1 << size) - 1)))
            assert outcome is None or outcome in game.exact_distribution()


NAME = "lists-value"


@pytest.mark.parametrize("size", [2, 4])
def test_schneider_of_any_threshold(size):
    for threshold in range(2, (2 << size - 1) + 2):
        assert verify(Schneider(size, threshold)) == 1 << size


@pytest.mark.parametrize("first", [None, 0, 1])
def test_tricks_from_before_count_as_one_side(make_game, first):
    """With all tricks from before on one side it is still open if there is a schwarz."""
    taken = {} if first is None else {str(first): ["SA", "S10"]}
    deck = "CA C10 CK CQ SA S10" if taken else "CA C10 CK CQ"
    game = make_game(2, 2, deck, rules="skat", trump="C", taken=taken)
    assert "schwarz" in open_levels(game)
    assert_distribution_of_the_rules(game, NAME)


@pytest.mark.full
@pytest.mark.parametrize("name", ["skat-32", "skat-32:grand"])
def test_levels_are_those_of_the_skat_order(name):
    """Random final owners, trick by trick, against `settled`, as declarer and as defenders."""
    game, random = named_game(name), Random(4)
    seen = set()
    for _ in range(300):
        taking = random.choice([(0,), (1,), (0, 0, 0, 0, 1), (0, 1, 1, 1, 1), (0, 1, 2)])
        order = random.sample(range(32), 32)
        tricks = [(random.choice(taking), order[3 * i : 3 * i + 3]) for i in range(10)]
        owners = [game.players] * 32
        for seat, cards in tricks:
            for card in cards:
                owners[card] = seat
        outcome = game.outcome(tuple(owners))
        ended = Outcome(game.points(outcome), sum(seat == 0 for seat, _ in tricks))
        contract = Contract(game.rules.contract or "")
        wanted = settled(contract, 1, ended, 18)
        levels = Levels(game)
        found = (levels.schneider(outcome), levels.schwarz(outcome), game.is_win(outcome))
        assert (levels.value(outcome), found) == (
            wanted.value,
            (ended.schneider, ended.schwarz, wanted.won),
        )
        seen.add(found)
        others = evolve(game, party=(1, 2), threshold=60, skat_to=None)
        assert others.points(outcome) == 120 - ended.points
        assert Levels(others).value(outcome) == wanted.value
    assert len(seen) >= 5


def test_value_of_a_null():
    game = named_game("skat-32:null")
    won = game.outcome((1,) * 32)
    lost = game.outcome((0,) + (1,) * 31)
    assert [Levels(game).value(outcome) for outcome in (won, lost)] == [23, -46]
    assert open_levels(game) == ()


def test_expectations_of_the_toy_and_the_showcase():
    """The toy by hand: 5/12 won; the showcase's declarer wins a quarter, for 22 or -44."""
    for name, exact in {
        "skat-4": {"win": (5, 12), "points": 14, "schneider": (2, 3), "schwarz": (1, 2),
                   "value": (-25, 12)},
        "skat-9": {"win": (3, 4), "points": 63, "schneider": 0, "schwarz": 0, "value": (-55, 2)},
    }.items():  # fmt: skip
        judge = encoded(named_game(name), NAME).judge
        distribution = judge.exact_distribution()
        found = {one.name: one.average(distribution) for one in judge.observables}
        assert found == {
            key: Fraction(*value) if isinstance(value, tuple) else value
            for key, value in exact.items()
        }
    assert [one.kind for one in judge.observables] == [
        Kind.EVENT, Kind.NUMBER, Kind.EVENT, Kind.EVENT, Kind.NUMBER,
    ]  # fmt: skip


def test_work_qubits_are_clean_in_the_end():
    """What is lent as an ancilla comes back, or is written to later as history."""
    program = encodings["lists-win"].program(named_game("skat-9"))
    unitary, _ = final_measurements(program)
    (work,) = [register for register in program.qregs if register.name == "work"]
    state = final_state(unitary)
    assert not state.bits[:, [program.find_bit(qubit).index for qubit in work]].any()
