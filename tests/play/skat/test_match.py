"""Matches of Skat: whole games by random legal play, what is hidden, and the list."""

from random import Random

import pytest
from attrs import evolve

from compiler.errors import GameError
from games.toml import game_from_toml
from games.trick_taking.rules.rules import cards_of
from games.trick_taking.skat.progress import Progress, read_move
from games.trick_taking.skat.records.checking import check
from games.trick_taking.skat.records.reading import read_records
from games.trick_taking.skat.records.scoring import CheckedRecords
from games.trick_taking.skat.values import DECK, Contract
from play.playable import playables
from play.skat.bots import best_contract, highest_bid
from tests.play.matches import started


def by_chance(seed, games="3"):
    match, random = started("skat", seed=seed, options={"games": games}), Random(seed)
    while not match.over:
        (seat,) = match.to_move
        match = match.play(seat, random.choice(list(match.legal_moves(seat))))
    return match


def played_to_cards(*, declares=0, contract="C"):
    """Return a match in which a player has picked up the skat and announced a game."""
    match = started("skat", seed=4)
    calls = {0: ("pass", "pass", "18"), 1: ("18", "pass", "pass")}[declares]
    for call in calls:
        match = match.play(match.to_move[0], call)
    match = match.play(declares, "take")
    for _ in range(2):
        match = match.play(declares, match.view(declares).legal_moves[-1])
    return match.play(declares, contract)


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_by_chance_are_those_of_their_records(seed):
    match = by_chance(seed)
    file = read_records(playables["skat"].formats[".sgf"].write(match).decode())
    assert (len(file.records), file.unread) == (3, [])
    for game, record in zip(match.played, file.records, strict=True):
        checked = check(record)
        assert (record.bid, record.declarer) == (game.record.bid, game.record.declarer)
        assert list(record.plays) == list(game.record.plays)
        assert checked is None or (checked.agrees, checked.settlement) == (True, game.result[1])
    assert match.points == match.finished[-1].scores
    listed = CheckedRecords([(record, check(record)) for record in file.records], [])
    assert tuple(listed.scores()) == match.points
    assert started("skat", seed=seed).setup() == match.setup()


def test_who_leads_first_changes_from_game_to_game():
    match = by_chance(1, games="6")
    assert [game.record.players[0] for game in match.played] == [
        f"player {number % 3}" for number in range(6)
    ]


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
@pytest.mark.parametrize("start", [lambda: started("skat"), lambda: played_to_cards(declares=1)])
def test_a_view_does_not_depend_on_what_others_hold(seat, start):
    """Two others exchange their cards; nothing that a seat sees changes."""
    match = start()
    record = match.now.record
    others = [place for place in range(3) if place not in (seat, record.declarer)][:2]
    if len(others) == 2:
        hands = list(record.hands)
        hands[others[0]], hands[others[1]] = hands[others[1]], hands[others[0]]
        other = evolve(match, now=evolve(match.now, record=evolve(record, hands=hands)))
        assert match.view(seat).as_json() == other.view(seat).as_json()
        assert match.view(seat).panels() == other.view(seat).panels()


def test_an_ouvert_game_is_seen_by_all():
    match = played_to_cards(contract="null ouvert")
    assert match.view(0).shown == ()
    assert match.view(1).shown == match.view(None).shown == match.view(0).hand


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("weg", "pass"), ("PASSE", "pass"), ("ja", "hold"), ("aufnehmen", "take"), ("20", "20"),
        ("Kreuz Bube", "CJ"), ("♥10", "H10"), ("Pik", "spades"), ("Null Ouvert", "null ouvert"),
        ("grand hand", "grand hand"),
    ],
)  # fmt: skip
def test_moves_are_read_in_english_and_german(written, move):
    assert read_move(written) == move
    assert started("skat").canonical(written) == move


@pytest.mark.parametrize("move", ["19", "hold", "take", "CJ", "clubs", "hm", ""])
def test_what_is_not_possible_is_refused(move):
    match = started("skat")
    with pytest.raises(GameError):
        match.play(1, move)
    with pytest.raises(GameError):
        match.play(0, "18")


def test_a_higher_bid_than_the_next_one_may_be_made():
    assert started("skat").play(1, "33").view(0).bid == 33


def test_suit_is_followed_and_a_lost_null_ends_at_once():
    hands = [cards_of("CA C7 SA S7 HA H7 DA D7 CK SK"), cards_of("C8 C9 S8 S9 H8 H9 D8 D9 C10 S10")]
    rest = [card for card in DECK if card not in [*hands[0], *hands[1]]]
    skat, null = rest[10:], Contract("null")
    record = evolve(Progress.dealt(1, Random(0)).record, hands=[*hands, rest[:10]], skat=skat)
    record = evolve(record, bid=18, declarer=0, contract=null, discards=skat)
    game = Progress(record, ("p", "p", "18"), taken=True)
    game = game.after("CA")
    assert game.moves() == ["C8", "C9", "C10"]
    game = game.after("C8")
    game = game.after(game.moves()[0])
    assert game.over and not game.result[1].won


def test_hands_are_bid_by_trumps_and_aces():
    weak = cards_of("C9 C8 S9 S8 H9 H8 D9 D8 CK SQ")
    strong = cards_of("CJ SJ HJ C10 CK C9 C8 SA HA D7")
    assert highest_bid(weak) == 0
    assert highest_bid(strong) == 96
    assert best_contract((*strong, *cards_of("CA DA")), 18) == Contract("C")


def test_bots_play_a_game_to_its_end():
    match, bot = started("skat", seed=1, options={"games": "1"}), playables["skat"].bots["advise"]()
    while not match.over:
        (seat,) = match.to_move
        match = match.play(seat, bot.move(match.view(seat), Random(len(match.log))))
    assert match.now.record.contract is not None


def test_advice_on_a_bid_and_on_a_card():
    start = started("skat", seed=4)
    assert not start.view(0).advises and not start.view(0).advice()
    assert any(panel.title == "Bidding" for panel in start.view(1).advice())
    match = played_to_cards()
    titles = [panel.title for panel in match.view(0).advice()]
    assert "Trained play" in titles and any("Cards, the best first" in title for title in titles)


def test_a_position_is_saved_as_a_game():
    match = played_to_cards()
    game = game_from_toml(match.file(), "position.toml")
    assert (game.rules.contract, game.hand, game.party) == ("C", 10, (0,))
    with pytest.raises(GameError):
        started("skat").file()
    with pytest.raises(GameError):
        playables["skat"].formats[".sgf"].write(match)
