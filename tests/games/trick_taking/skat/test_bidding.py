"""Bids: scores by hand, hands that cannot lose, and one deal as the solver of cards has it."""

from fractions import Fraction

import pytest
from attrs import evolve

from compiler.errors import GameError
from games.trick_taking.advice.compiled.deals import generator
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import NOT_ENOUGH
from games.trick_taking.rules.rules import Card
from games.trick_taking.skat.bidding.advice import Bidding, try_contracts
from games.trick_taking.skat.bidding.offers import (
    Hand,
    Offer,
    Sample,
    announcements,
    discards,
    worth_telling,
)
from games.trick_taking.skat.bidding.panels import bid_panels
from games.trick_taking.skat.bidding.sampling import Bidder, Table
from games.trick_taking.skat.values import (
    LOST,
    LOST_SCHNEIDER,
    WON,
    WON_SCHNEIDER,
    WON_SCHWARZ,
    Contract,
)

SURE = "CJ SJ HJ DJ CA C10 CK CQ C9 C8"
"""Ten of the eleven trumps of clubs."""
LOW = "C7 C8 C9 S7 S8 S9 H7 H8 H9 D7"
"""In a null, whoever does not lead never takes a trick with these."""
SMALL = Effort(playouts=40, deals=3, seconds=0, seed=1, threads=2, clock=lambda: 0.0)
ENOUGH = evolve(SMALL, deals=14)
"""Deals of which all that are won tell that a contract pays."""


def cards(text):
    return tuple(map(Card.parse, text.split()))


def offer(contract, samples):
    """Return an offer of samples: matadors, and whether it is won or the level that it ends on."""
    levels = [(tops, (LOST, WON)[won] if isinstance(won, bool) else won) for tops, won in samples]
    return Offer(contract, tuple(Sample(tops, 0.5, level) for tops, level in levels))


def bidding(hand, offers):
    return Bidding(hand, 1, 18, 0, offers)


def test_no_bid_is_recommended_that_the_interval_does_not_support():
    """Clubs with four are 110 or −170; as many as 40 deals won tell, one tells nothing."""
    hand = Hand(cards(SURE))
    one, many = (offer(Contract("C"), [(4, True)] * deals) for deals in (1, 40))
    assert one.score(18).value == 110
    assert one.score(18).low < 0
    assert (one.highest_bid(), many.highest_bid()) == (0, 60)
    found = bidding(hand, [one]).recommendation
    assert (found.supported, found.highest_bid, found.plays) == (False, 0, False)
    assert bidding(hand, [one]).messages()[0].startswith(NOT_ENOUGH)
    found = bidding(hand, [many]).recommendation
    assert (found.supported, found.highest_bid, found.plays) == (True, 60, True)
    (_, contracts, _) = bid_panels(bidding(hand, [one]))
    assert "each from 1 deal (a small sample)" in contracts.title


def test_passing_is_recommended_only_if_no_contract_can_pay():
    hand = Hand(cards(SURE))
    lost = [offer(Contract(game), [(1, False)] * 40) for game in ("C", "S")]
    found = bidding(hand, lost).recommendation
    assert (found.supported, found.highest_bid, found.plays) == (True, 0, False)
    unclear = [*lost, offer(Contract("H"), [(1, True)] * 14 + [(1, False)] * 10)]
    found = bidding(hand, unclear).recommendation
    assert (found.supported, found.highest_bid, found.plays) == (False, 0, False)


def test_a_contract_is_recommended_if_it_beats_each_other_game_in_the_same_deals():
    hand = Hand(cards(SURE), cards("C7 HA"))
    wins, loses = [(1, True)] * 40, [(1, False)] * 40
    clubs, spades = offer(Contract("C"), wins), offer(Contract("S"), loses)
    assert bidding(hand, [clubs, spades]).recommendation.supported
    assert not bidding(hand, [clubs, offer(Contract("S"), wins)]).recommendation.supported
    few = [offer(Contract("C"), wins[:1]), offer(Contract("S"), loses[:1])]
    assert not bidding(hand, few).recommendation.supported


def test_scores_are_those_of_seeger_and_fabian():
    """Spades with one: 22 + 50, or −44 − 50; without three: 44 + 50, or −88 − 50."""
    spades = offer(Contract("S"), [(1, True), (1, True), (1, False), (-3, True)])
    assert spades.score(18).value == Fraction(72 + 72 - 94 + 94, 4)
    assert spades.values == (22, 44)
    # At 23 the game with one is overbid and counts as 33, lost.
    assert spades.score(23).value == Fraction(3 * (-66 - 50) + 94, 4)
    assert spades.highest_bid() == 0
    assert evolve(spades, samples=spades.samples * 100).highest_bid() == 22
    null = offer(Contract("null", hand=True), [(0, True), (0, False)])
    assert null.score(35).value == Fraction(35 + 50 - 70 - 50, 2)
    assert offer(Contract("null"), [(0, True)] * 40).highest_bid() == 23
    assert offer(Contract("C"), [(1, False)]).highest_bid() == 0


def test_schneider_and_schwarz_count_as_they_fall():
    """Clubs hand with two: 48; won schneider 60, schwarz 72; lost schneider −120."""
    hand = Contract("C", hand=True)
    samples = [(2, True), (2, WON_SCHNEIDER), (2, WON_SCHWARZ), (2, False), (2, LOST_SCHNEIDER)]
    clubs = offer(hand, samples)
    assert clubs.score(18).value == pytest.approx((98 + 110 + 122 - 146 - 170) / 5)
    assert clubs.values == (48, 72)
    assert (clubs.reach(WON_SCHNEIDER).value, clubs.reach(WON_SCHWARZ).value) == (2 / 5, 1 / 5)
    # Announced it is two steps, 72, and with schwarz three; lost if not reached.
    announced = offer(Contract("C", hand=True, schneider=True), samples)
    assert announced.score(18).value == pytest.approx((122 + 134 - 3 * 194) / 5)
    assert announced.open_cards.value == 2 / 5
    assert announced.superposed is None
    ouvert = offer(Contract("C", True, True, True, True), samples)
    # With two, hand, schneider and schwarz, both announced, ouvert: 12 · 9.
    assert ouvert.score(18).value == pytest.approx((158 - 4 * 266) / 5)


def test_contracts_do_not_remember_one_another(monkeypatch):
    """What was found out in one contract, whose cards have other bits, means nothing in another."""
    hand = Hand(cards("CJ HJ CA C10 CQ C8 SA S10 HA D7"), cards("C7 DK"))
    monkeypatch.setattr("games.trick_taking.skat.bidding.sampling.SCREENED_ONCE", 100)
    effort = evolve(SMALL, deals=1, threads=1)
    found = Bidder(hand, 0, effort, lambda _: None).offers()
    for name in ("wins_open", "level_open"):
        search = getattr(Table, name)
        monkeypatch.setattr(
            Table, name, lambda *given, search=search: search(*given[:-1], new_memory(1 << 14))
        )
    assert Bidder(hand, 0, effort, lambda _: None).offers() == found


def test_deals_that_are_cut_do_not_count():
    ticks = iter(range(10_000))
    some = evolve(SMALL, threads=1, deals=50, seconds=60, clock=lambda: float(next(ticks)))
    said = []
    offers = Bidder(Hand(cards(SURE), ()), 0, some, said.append).offers()
    (number,) = {len(one.samples) for one in offers}
    assert 1 <= number < 50
    assert said[-1] == (f"{number} skats" if number > 1 else "1 skat")
    # What there is so far, at most once in a tenth of the seconds.
    assert len(said) <= 11


def test_a_null_that_cannot_take_a_trick_is_won():
    offers = Bidder(Hand(cards(LOW)), 1, ENOUGH, lambda _: None).offers()
    (null,) = (one for one in offers if str(one.contract) == "null hand")
    assert null.open_cards.value == null.superposed == 1
    assert null.highest_bid() == 35
    (ouvert,) = (one for one in offers if str(one.contract) == "null hand ouvert")
    assert ouvert.highest_bid() == 59
    assert {len(one.samples) for one in offers} == {ENOUGH.deals}
    # With the skat five games, null and its ouvert; from the hand five with four steps each.
    assert len(offers) == 7 + 5 * 4 + 2


def test_all_discards_are_tried_and_useless_ones_come_last():
    """An eleventh trump and an ace are kept before two sevens."""
    ways = discards(cards(SURE + " S7 H7"))
    assert len(ways) == len({away for _, away in ways}) == 66
    table = Table("C", 0)
    (best,) = table.best_discard(ways, 20, 1, 1, lambda: False)
    assert table.superposed(best, 50, generator(0, 0)) == 50
    null = Table("null", 0)
    (best, *_) = null.best_discard(discards(cards(LOW + " DA DK")), 60, 1, 3, lambda: False)
    assert set(map(str, best[1])) == {"DA", "DK"}


@pytest.mark.parametrize(
    ("hand", "skat", "number", "reason"),
    [
        ("CJ SJ", "", 18, "hand: 2 cards; name 10"),
        (SURE, "C7", 18, "skat: 1 cards; name 2"),
        (SURE.replace("C8", "CJ"), "", 18, "card CJ: named twice"),
        (SURE.replace("C8", "X8"), "", 18, "unknown card 'X8'"),
        (SURE, "", 19, "bid 19: must be the value of a game"),
    ],
)
def test_what_is_no_hand_or_no_bid_is_refused(hand, skat, number, reason):
    with pytest.raises(GameError, match=reason):
        try_contracts(Hand.parse(hand, skat), 1, number, SMALL, lambda _: None)


def test_announcements_are_told_where_they_bring_more():
    hand = Contract("S", hand=True)

    def told(samples, bid=18):
        offers = [offer(one, samples) for one in announcements(hand)]
        return [str(one.contract) for one in worth_telling(offers, bid)]

    assert told([(1, True)] * 5) == ["spades hand"]
    assert told([(1, WON_SCHNEIDER)] * 5) == ["spades hand", "spades hand schneider"]
    assert told([(1, WON_SCHWARZ)] * 5)[-1] == "spades hand schneider schwarz ouvert"
    null = [offer(one, [(0, True)] * 3) for one in announcements(Contract("null"))]
    assert [str(one.contract) for one in worth_telling(null, 18)] == ["null", "null ouvert"]
    lost = [offer(one, [(0, False)] * 3) for one in announcements(Contract("null"))]
    assert [str(one.contract) for one in worth_telling(lost, 18)] == ["null"]
    assert announcements(Contract("S")) == [Contract("S")]
