"""What players of recorded games know, card by card."""

from pathlib import Path

import pytest
from attrs import evolve

from games.trick_taking.play.positions import turn_of
from games.trick_taking.rules.cards import Card
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.records.checking import check
from games.trick_taking.skat.records.position import position_at
from games.trick_taking.skat.records.reading import read_records
from games.trick_taking.skat.records.record import Record, RecordError
from games.trick_taking.skat.values import points_of

GAMES = read_records(Path(__file__).with_name("iss-games.sgf").read_text()).records
PLAYED = [record for record in GAMES if record.contract is not None]


def held(game, owner):
    cards = [c for c in game.hand_cards if game.known[c] == owner]
    return {str(game.deck[c]) for c in cards}


@pytest.mark.parametrize("record", PLAYED, ids=lambda record: f"game-{record.number}")
def test_players_know_what_is_true_and_their_own_cards_only(record):
    hands = [list(hand) for hand in record.hands]
    if not record.contract.hand:
        twelve = [*hands[record.declarer], *record.skat]
        hands[record.declarer] = [card for card in twelve if card not in record.discards]
    for move, (seat, card) in enumerate(record.plays, start=1):
        found = position_at(record, move)
        game = found.game
        assert (turn_of(game), found.played) == (seat, card)
        assert game.party == (record.declarer,)
        assert held(game, seat) == set(map(str, hands[seat]))
        for other in {0, 1, 2} - {seat}:
            assert not held(game, other)
            for owner, name, number in game.class_counts:
                if owner == other:
                    classes = [game.rules.class_of(c) for c in hands[other]]
                    assert number == classes.count(name) == 0
        knows_skat = seat == record.declarer and not record.contract.hand
        assert held(game, 3) == (set(map(str, record.discards)) if knows_skat else set())
        hands[seat].remove(card)


def test_points_so_far_are_those_the_game_ends_with():
    """Before the last card of a whole game the stacks and the open cards make the outcome."""
    for record in PLAYED:
        if len(record.plays) < 30 or record.contract.game == "null":
            continue
        game = position_at(record, 30).game
        stacks = {seat: [game.deck[c] for c in cards] for seat, cards in game.taken}
        last = [*(game.deck[c] for c in game.table), record.plays[29][1]]
        mine = points_of([*stacks.get(record.declarer, []), *record.discards])
        assert check(record).outcome.points in (mine, mine + points_of(last))


def test_a_bid_can_need_schneider_or_every_trick():
    """Diamonds with 1 are worth 18, schneider 27, schwarz 36."""
    record = evolve(GAMES[1], bid=27)
    first = next(m for m, (s, _) in enumerate(record.plays, 1) if s == record.declarer)
    assert position_at(evolve(record, bid=18), first).game.threshold == 61
    assert position_at(record, first).game.threshold == 90
    every = position_at(evolve(record, bid=36), first).game
    assert (every.threshold, set(every.points_of), every.skat_to) == (30, {1}, None)
    # The others do not know with how many the declarer plays.
    assert position_at(record, 1).game.threshold == 61
    over = position_at(evolve(record, bid=40), first)
    assert over.game.threshold == 61
    assert "overbid, the game is lost" in over.facts[0]


def test_a_null_ouvert_shows_the_declarer_and_needs_no_trick():
    """Seat 0 holds all clubs and two low spades; trumps and points have no meaning."""
    ranks = ("A", "10", "K", "Q", "J", "9", "8", "7")
    deck = [Card(suit, rank) for suit in "CSHD" for rank in ranks]
    hands = [[*deck[:8], *deck[14:16]], deck[8:14] + deck[16:20], deck[20:30]]
    record = Record(
        1, hands, deck[30:], 46, 0, Contract("null", ouvert=True), deck[30:],
        [(0, Card("S", "7")), (1, Card("S", "J")), (2, Card("D", "A"))],
    )  # fmt: skip
    second = position_at(record, 2).game
    assert held(second, 0) == {str(card) for card in hands[0]} - {"S7"}
    assert (second.rules.contract, second.skat_to, turn_of(second)) == ("null", None, 1)
    assert (2, "S", 0) not in second.class_counts
    assert position_at(record, 3).game.class_counts == ()


def test_what_a_record_does_not_have_is_told():
    with pytest.raises(RecordError, match="game 8, move 25: the record has moves 1 to 13"):
        position_at(GAMES[7], 25)
    with pytest.raises(RecordError, match="game 5: all have passed, no card was played"):
        position_at(GAMES[4], 1)
