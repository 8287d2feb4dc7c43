"""Stakes of a contract."""

from pathlib import Path
from random import Random
from statistics import mean

import numpy as np
import pytest
from attrs import evolve
from matplotlib.figure import Figure

from compiler.errors import GameError, InputError
from games import named_game
from games.panels import Grid
from games.trick_taking.advice.adviser import advise, choices_of
from games.trick_taking.advice.compiled.layout import bit_order, integers
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import open_play
from games.trick_taking.advice.panels import panels
from games.trick_taking.advice.picture import picture
from games.trick_taking.advice.shares import mean_of
from games.trick_taking.advice.source import Announced
from games.trick_taking.advice.stakes import Stakes, stakes_of, tops_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.enumeration import deals_of
from games.trick_taking.rules.rules import NULL, POINTS, Rules
from games.trick_taking.skat.records.checking import taker
from games.trick_taking.skat.records.position import position_at
from games.trick_taking.skat.records.reading import read_records
from games.trick_taking.skat.values import DECK, Contract, Outcome, matadors, points_of, settled
from service.results.games.advice import CardsAdvice

RECORDS = Path(__file__).parents[1] / "skat/iss-games.sgf"
EFFORT = Effort(playouts=1, deals=500, seconds=60.0, seed=1, threads=1, clock=lambda: 0.0)
CONTRACTS = [
    (Contract("S"), 18),
    (Contract("H", hand=True), 40),
    (Contract("grand", hand=True, schneider=True), 18),
    (Contract("C", True, True, True), 59),
    (Contract("D"), 33),
    (Contract("null", ouvert=True), 46),
]


def best_value(stakes, tops, declarer, hands, table, leader, points, tricks):
    """Return what a deal counts if all play for that: every play is tried, every end settled."""
    if not table and not any(hands[:3]):
        return settled(stakes.contract, tops, Outcome(points, tricks), stakes.bid).value
    if len(table) == 3:
        won = taker(stakes.contract, [((leader + n) % 3, card) for n, card in enumerate(table)])
        if won == declarer:
            points, tricks = points + points_of(table), tricks + 1
        return best_value(stakes, tops, declarer, hands, [], won, points, tricks)
    seat, class_of = (leader + len(table)) % 3, stakes.contract.rules.class_of
    follow = [card for card in hands[seat] if table and class_of(card) == class_of(table[0])]
    found = [
        best_value(stakes, tops, declarer, after(hands, seat, card), [*table, card], leader,
                   points, tricks)
        for card in follow or hands[seat]
    ]  # fmt: skip
    return (max if seat == declarer else min)(found)


def after(hands, seat, card):
    return [[c for c in hand if (s, c) != (seat, card)] for s, hand in enumerate(hands)]


def plain_value(game, stakes, deal, card):
    """Return what one deal of a position counts once a card of it was played."""
    (declarer,), seat = game.party, (game.leader + len(game.table)) % 3
    hands = [[DECK[c] for c in game.hand_cards if deal[c] == owner] for owner in range(4)]
    tops = 0
    if stakes.contract.game != NULL:
        tops = stakes.matadors or matadors(
            [*hands[declarer], *hands[3], *stakes.played], stakes.contract.game
        )
    stack = [DECK[c] for s, cards in game.taken for c in cards if s == declarer]
    return best_value(
        stakes, tops, declarer, after(hands, seat, DECK[card]),
        [*(DECK[c] for c in game.table), DECK[card]], game.leader,
        points_of(stack + hands[3]), len(stack) // 3,
    )  # fmt: skip


def late_position(random, contract):
    """Return a game of Skat of which few tricks are left, all cards known."""
    cards = random.sample(range(32), 32)
    owners, left = [0] * 32, random.choice((1, 2, 3))
    stacks = {seat: [] for seat in range(3)}
    # Often one side has nearly all tricks, so that schneider and schwarz are at stake.
    sides = random.choice(((0, 1, 2), (0,), (1, 2), (0, 0, 0, 1)))
    for place, card in enumerate(cards):
        owners[card] = 3 if place < 2 else (place - 2) % 3
    for trick in range(10 - left):
        seat = random.choice(sides)
        for card in cards[2 + 3 * trick : 5 + 3 * trick]:
            stacks[seat].append(card)
            owners[card] = seat
    null = contract.game == NULL
    return TrickTakingGame(
        name="late",
        players=3,
        hand=left,
        deck=DECK,
        points_of=tuple(POINTS[card.rank] for card in DECK),
        known=tuple(owners),
        party=(0,),
        threshold=0 if null else 61,
        rules=Rules(contract.game),
        leader=random.randrange(3),
        taken=tuple((seat, tuple(stack)) for seat, stack in stacks.items() if stack),
        skat_to=None if null else 0,
    )


@pytest.mark.parametrize(("contract", "bid"), CONTRACTS)
def test_values_are_those_of_trying_every_play(contract, bid):
    random, seen = Random(5), set()
    for _ in range(25):
        game = late_position(random, contract)
        if contract.schwarz:
            # As records have it: every card a point, and all of them needed.
            game = evolve(game, points_of=(1,) * 32, threshold=30, skat_to=None)
        stakes = Stakes(contract, bid, matadors=random.choice((-2, 1, 3)))
        cards = choices_of(game)
        found = open_play(game, cards, EFFORT, stakes).values
        expected = [plain_value(game, stakes, game.known, card) for card in cards]
        assert [one.value for one in found] == expected
        seen |= set(expected)
    assert len(seen) > 1


@pytest.mark.parametrize(("number", "move"), [(1, 22), (4, 25)])
def test_a_record_is_counted_by_its_contract_and_each_deal_s_matadors(number, move):
    recorded = position_at(read_records(RECORDS.read_text()).records[number - 1], move)
    stakes, cards = (
        Stakes(recorded.contract, recorded.bid, recorded.laid),
        choices_of(recorded.game),
    )
    found = open_play(recorded.game, cards, EFFORT, stakes)
    deals = list(deals_of(recorded.game).all())
    assert found.shares.complete
    assert len(deals) == found.consistent
    for card, value in zip(cards, found.values, strict=True):
        assert value.value == pytest.approx(
            mean(plain_value(recorded.game, stakes, deal, card) for deal in deals)
        )
        assert value.low == value.high == value.value


def test_a_game_file_says_its_contract():
    """Clubs hand with one: 36, schneider 48, schwarz 60; with two: 48.

    A declarer who does not know the skat has not taken it up.
    """
    game = named_game("skat-32:known")
    stakes = stakes_of(game, None, 18, 0)
    assert (stakes.contract, stakes.bid, stakes.matadors) == (Contract("C", hand=True), 18, None)
    assert stakes.values(1) == (-120, -96, -72, 36, 48, 60)
    assert stakes_of(game, Contract("C", hand=True), 18, 2).values(2)[3] == 48


@pytest.mark.parametrize(
    ("skat", "hand"), [((), False), (("C7",), False), (("C7",), True), (("C7", "DK"), True)]
)
def test_a_declarer_knows_both_cards_of_a_skat_that_was_taken_up_and_no_other(skat, hand):
    game = _with_skat(skat)
    with pytest.raises(GameError):
        stakes_of(game, Contract("C", hand=hand), 18, 0)


@pytest.mark.parametrize(("skat", "hand"), [((), True), (("C7", "DK"), False)])
def test_without_a_contract_the_skat_tells_if_it_is_a_hand_game(skat, hand):
    assert stakes_of(_with_skat(skat), None, 18, 0).contract == Contract("C", hand=hand)


def _with_skat(skat):
    """Return the game of 32 cards whose declarer knows these cards of the skat."""
    game = named_game("skat-32:known")
    places = {str(card): place for place, card in enumerate(game.deck)}
    known = list(game.known)
    for name in skat:
        assert known[places[name]] is None
        known[places[name]] = game.players
    return evolve(game, known=tuple(known))


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("skat-32:paper:known", {}, "paper rules know no contract"),
        ("skat-9", {}, "all 32 cards in the deck"),
        ("skat-32:known", {"party": (0, 1)}, "a game has one declarer"),
        ("skat-32:known", {"skat_to": None}, "the skat's points are the declarer's"),
        ("skat-32:known", {"points_of": (1,) * 32}, "other points than those of Skat"),
    ],
)
def test_it_is_said_why_no_value_is_told(name, change, reason):
    game = evolve(named_game(name), **change)
    assert reason in stakes_of(game, None, 18, 0)
    with pytest.raises(InputError, match="no game value"):
        Announced("", 1, 0).stakes(game)


def test_the_skat_s_cards_count_among_the_matadors():
    """Seat 0 holds CJ and HJ: with one, or with three if SJ lies in the skat, with DJ with four."""
    game = named_game("skat-32:known")
    bit = {str(game.deck[card]): place for place, card in enumerate(bit_order(game))}
    held = sum(1 << bit[name] for name in ("CJ", "HJ"))
    skats = [("S7", "H7"), ("SJ", "H7"), ("SJ", "DJ")]
    deals = np.array([[held, 0, 0, sum(1 << bit[name] for name in skat)] for skat in skats])
    assert tops_of(game, stakes_of(game, None, 18, 0), deals) == [1, 3, 4]


@pytest.mark.parametrize(
    ("announced", "reason"),
    [
        (Announced("grand", 0, 0), "contract grand: skat-32:known plays clubs"),
        (Announced("", 0, 19), "bid 19: must be the value of a game"),
        (Announced("S loud", 0, 0), "write one of C, S, H, D"),
    ],
)
def test_what_is_no_contract_of_the_game_is_refused(announced, reason):
    with pytest.raises(InputError, match=reason):
        announced.stakes(named_game("skat-32:known"))


def test_deals_that_all_come_to_the_same_leave_an_interval():
    """Of 10 of 10 the share may be 0.025^(1/10) = 0.6915, and the others come to the worst."""
    alike, others = integers([22] * 10), 1 - 0.025 ** (1 / 10)
    found = mean_of(alike, complete=False, bounds=(-66, 44))
    assert (found.low, found.high) == pytest.approx((22 - others * 88, 22 + others * 22))
    assert mean_of(alike, complete=True, bounds=(-66, 44)).low == 22


SMALL_EFFORT = Effort(playouts=100, deals=3, seconds=60.0, seed=1, threads=1, clock=lambda: 0.0)


@pytest.fixture(scope="module")
def record():
    return read_records(RECORDS.read_text()).records[0]


def test_a_game_for_every_trick_counts_cards_and_calls_them_so(record):
    """What is shown are cards of tricks, as in `position_at` where schwarz is needed."""
    points = position_at(record, 22)
    cards = evolve(points.game, points_of=(1,) * 32, threshold=30, skat_to=None)
    position = evolve(points, game=cards)
    advice = advise(cards, SMALL_EFFORT, lambda _: None)
    told = CardsAdvice.of(advice, 1, [], None, position)
    for card in told.cards:
        assert card.open_cards.points is None
        assert 0 <= card.open_cards.trick_cards.value <= 30
    (table,) = (panel for panel in panels(advice, None, position) if isinstance(panel, Grid))
    assert {"cards", "points"} & {name.removeprefix("party's ") for name in table.columns} == {
        "cards"
    }
    figure = Figure()
    picture(advice, None, figure)
    assert "cards; dashed: 30 win" in [axes.get_xlabel() for axes in figure.axes]
    told = CardsAdvice.of(advise(points.game, SMALL_EFFORT, lambda _: None), 1, [], None, points)
    assert all(card.open_cards.trick_cards is None for card in told.cards)
    assert all(card.open_cards.points is not None for card in told.cards)
