"""Records of Skat games, and what their players know."""

from pathlib import Path
from re import search

import pytest
from attrs import evolve

from compiler.errors import InputError
from games.sources import Source
from games.trick_taking.play.positions import turn_of
from games.trick_taking.rules.rules import Card
from games.trick_taking.skat.records.checking import check
from games.trick_taking.skat.records.position import position_at
from games.trick_taking.skat.records.reading import read_records, records_of
from games.trick_taking.skat.records.record import Record, RecordError
from games.trick_taking.skat.records.scoring import check_records
from games.trick_taking.skat.values import Contract

FILE = Path(__file__).with_name("iss-games.sgf")
TEXT = FILE.read_text()


def test_all_games_agree_with_the_server():
    found = [(record, check(record)) for record in read_records(TEXT).records]
    assert [record.number for record, one in found if one is None] == [5, 13]
    for record, one in found:
        if one is None:
            assert (record.bid, record.declarer, record.said) == (0, None, None)
            continue
        assert one.agrees, record
        assert one.outcome.schneider == record.said.schneider
        assert bool(record.resigned) == record.said.resigned


def one(old, new, game=1):
    """Return the text of one game with something changed."""
    text = TEXT.splitlines()[game - 1]
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (one("GM[Skat]", "GM[Chess]"), r"game 1: GM\[Chess\] is not GM\[Skat\]"),
        (one("MV[", "MW["), r"game 1: has no MV"),
        (one("MV[", "MV[]MV["), r"game 1: MV\[…\] stands there twice"),
        (one("2 18 0 p", "0 18 0 p"), "token 5 .*, '0': wanted seat 2, whose turn it is to bid"),
        (one("R[passed]", "R[d:0 win v:18 m:1 bidok p:61 t:6 s:0 r:0]", 5), "all have passed"),
        (one("R[d:2 loss", "R[passed] Q[d:2 loss"), r"R\[passed\], but by its moves seat 2 plays"),
        (one("w HA.SK.", "w HA."), r"wanted 32 different cards \(31 of 31 are\)"),
        (one("1 p 2 18", "4 p 2 18"), "token 3 of its moves, '4': wanted a seat, 0, 1 or 2"),
        (one("w H8.CK 2 D", "w H8.HK 2 D"), "token 12 .*'H8.HK': wanted w and the skat"),
        (one("2 D.ST.H8", "2 X.ST.H8"), "token 14 of its moves, 'X.ST.H8': wanted a contract"),
        (one("2 D.ST.H8", "2 DH.ST.H8"), "wanted hand without the skat, or the skat without hand"),
        (one("2 D.ST.H8", "2 D.??.??", 1).replace("1 DK 2 HT", ""), "discarded are unknown"),
        (one("w HA.SK.SJ", "w ??.??.??"), "token 2 .*: wanted cards that are known"),
    ],
)
def test_malformed_records_name_the_token_and_its_place(text, why):
    file = read_records(f"{text}\n{TEXT}")
    assert len(file.records) == 14
    (unread,) = file.unread
    assert unread.number == 1
    assert search(why, unread.reason), unread.reason


def test_a_file_without_games_is_refused():
    for text in ("", "no game", ";", "(;)"):
        with pytest.raises(RecordError, match="no game: a record is written"):
            read_records(text)


OLDER = Path(__file__).with_name("iss-older-games.sgf")
"""Real games of 2007 and 2008, players renamed."""


def test_games_of_2007_and_2008_are_read():
    found = [(record, check(record)) for record in read_records(OLDER.read_text()).records]
    assert [
        (str(one.contract), one.matadors, one.settlement and one.settlement.value, one.agrees)
        for _, one in found
        if one is not None
    ] == [
        ("grand hand schneider schwarz ouvert", 1, 192, True),
        ("clubs hand schneider schwarz", 3, 108, True),
        ("grand", 1, None, None),
        ("null hand ouvert", 0, -118, True),
        ("clubs hand schneider schwarz ouvert", 1, -192, True),
    ]
    assert {record.number: (record.late, record.note) for record, _ in found if record.note} == {
        3: (2, "C left before a contract"),
        4: (1, "B left; card 1 is unknown"),
        7: (2, "C ran out of time before a contract"),
    }


def test_a_missing_bracket_between_games_loses_none():
    for old, new in (
        (" ;)", " "),
        ("(;", ""),
        ("] ;)\n", "]\n\n# a remark\n"),
        ("] ;)", " ;)"),
        ("CO[]", "CO[(;]"),
    ):
        assert len(read_records(TEXT.replace(old, new)).records) == 14


@pytest.mark.parametrize(
    ("old", "new", "agrees"),
    [
        (" r:0]", "]", True),
        (" m:-2 bidok p:59 t:4", "", True),
        ("R[d:2 loss v:-54 m:-2 bidok p:59 t:4 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0]", "", None),
        ("R[d:2 loss v:-54", "R[d:2 loss v:-52", False),
        ("P0[a]P1[b]P2[c]", "", True),
        ("CO[]", "CO[a \\[note\\] (;of) ours][another]", True),
        ("w H8.CK 2 D.ST.H8", "w ??.?? 2 D.??.??", True),
        ("2 D.ST.H8 0 SA", "2 D 2 ST.H8 0 SA", True),
        ("2 HT ]R", "2 HT w LE.0 w TI.1 ]R", True),
        ("0 SA 1 S7 2 DA", "0 SC 0 SA 1 SC.S7.DK 1 S7 2 DA", True),
    ],
)
def test_variants_of_a_record_are_read(old, new, agrees):
    (record,) = read_records(one(old, new)).records
    found = check(record)
    assert (found.outcome.points, found.settlement.value) == (59, -54)
    assert found.agrees is agrees


@pytest.mark.parametrize(
    ("moves", "declarer", "note"),
    [
        ("", None, "the moves end before a contract"),
        ("TI.1", None, "B ran out of time before a contract"),
        ("1 18 0 p 2 p 1 s w LE.1 w LE.2", 1, "B left; C left before a contract"),
        ("1 18 0 p 2 p 1 s w CA.HA 1 RE", 1, "the moves end before a contract"),
        ("1 p 2 p 0 p w TI.0", None, "A ran out of time"),
    ],
)
def test_a_game_that_ends_before_a_contract_is_read_so_far(moves, declarer, note):
    deal = TEXT.splitlines()[4].partition("MV[")[2].partition(" 1 p")[0]
    (record,) = read_records(f"(;GM[Skat]MV[{deal} {moves} ]R[d:-1 penalty v:0 l:2] ;)").records
    assert (record.declarer, record.contract, record.note) == (declarer, None, note)
    assert record.passed == moves.startswith("1 p 2 p 0 p")
    assert check(record) is None


def test_hand_is_implied_where_the_skat_was_not_taken():
    for said, contract in (
        ("C", "clubs hand"), ("N", "null hand"), ("NO", "null hand ouvert"),
        ("NOH", "null hand ouvert"), ("GS", "grand hand schneider"), ("DZ", HIGH[:-7]),
        ("DO", HIGH), ("DHOSZ", HIGH), ("DZSOH", HIGH), ("DHO.D7.D8", HIGH),
    ):  # fmt: skip
        text = OLDER.read_text().splitlines()[0].replace("0 GO 0 CJ 0 SC 1 RE 1 H9", f"0 {said}")
        (record,) = read_records(text).records
        assert str(record.contract) == contract


HIGH = "diamonds hand schneider schwarz ouvert"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_names_in_any_common_encoding_leave_the_moves_readable(encoding):
    content = TEXT.replace("P0[a]", "P0[Jürgen]").encode(encoding)
    file = records_of(Source("mine.sgf", content))
    assert len(file.records) == 14
    assert file.records[0].players[0] == "Jürgen"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (one("0 SA 1 S7", "1 SA 1 S7"), "card 1, 1 SA: it is seat 0's turn"),
        (one("0 SA 1 S7", "0 S7 1 S7"), "card 1, 0 S7: seat 0 does not hold it"),
        (one("1 S7 2 DA", "1 HT 2 DA"), "card 2, 1 H10: seat 1 does not hold it"),
        (one("0 SA 1 S7", "0 SA 1 SQ"), "card"),
        (one("D.ST.H8", "D.ST.CJ"), "CJ is discarded but not there"),
    ],
)
def test_moves_against_the_rules_are_told(text, why):
    (record,) = read_records(text).records
    with pytest.raises(RecordError, match=why):
        check(record)


def test_nothing_follows_from_a_game_that_breaks_off():
    (record,) = read_records(one(" 0 HA 1 SQ 0 SK 1 DK 2 HT ]R", " TI.1 ]R")).records
    assert record.late == 1
    found = check(record)
    assert (found.outcome, found.settlement, found.agrees) == (None, None, None)


@pytest.mark.parametrize(
    ("gives_up", "tricks", "score"),
    [("0 RE", 10, -46), ("1 RE 2 RE", 0, 23), ("1 RE 0 RE", 10, -46)],
)
def test_a_null_that_is_given_up_is_lost_by_who_gives_up(gives_up, tricks, score):
    deal = ("C7 C8 S7 S8 H7 H8 D7 D8 C9 S9 CA CT CK CQ CJ ST SK SQ SJ SA "
            "HA HT HK HQ HJ DA DT DK DQ DJ H9 D9").replace(" ", ".")  # fmt: skip
    said = "d:0 win v:23 m:0 bidok p:0 t:0 s:0 z:0 r:1"
    (record,) = read_records(
        f"(;GM[Skat]MV[w {deal} 1 18 0 y 1 p 2 p 0 s w H9.D9 0 N.H9.D9 {gives_up} ]R[{said}] ;)"
    ).records
    found = check(record)
    assert (found.outcome.tricks, found.settlement.value) == (tricks, score)
    assert found.agrees == (score > 0)


GRAND = TEXT.splitlines()[2]
"""A grand of seat 0, won with 92 points."""


@pytest.mark.parametrize(
    ("played", "gives_up", "points", "value"),
    [
        # After nine tricks seat 0 has 69 points, and keeps what it has won.
        (27, "0 RE", 69, 96),
        (27, "1 RE 2 RE", 92, 120),
        # After one trick nothing is decided, and who gives up loses.
        (3, "0 RE", 11, -240),
        (3, "1 RE 2 RE", 120, 144),
    ],
)
def test_a_game_that_points_have_decided_stays_so_whoever_gives_up(played, gives_up, points, value):
    tokens = GRAND[: GRAND.index(" ]R[")].split()
    kept = " ".join(tokens[: len(tokens) - 2 * (30 - played)])
    (record,) = read_records(f"{kept} {gives_up} {GRAND[GRAND.index(' ]R[') :]}").records
    assert len(record.plays) == played
    found = check(record)
    assert (found.outcome.points, found.settlement.value) == (points, value)


def test_games_that_cannot_be_read_are_listed():
    games = TEXT.splitlines()
    games[2] = games[2].replace("w HJ.", "w HX.")
    games[6] = games[6].replace("0 DA 1 D7", "0 DA 1 C7")
    found = check_records(Source("games.sgf", "\n".join(games).encode()))
    assert [(one.number, one.reason[:7]) for one in found.unread] == [
        (3, "game 3,"),
        (7, "game 7,"),
    ]
    assert len(found.games) == 12
    assert found.agrees


def test_a_file_of_which_no_game_can_be_read_is_refused():
    with pytest.raises(InputError, match=r"^go\.sgf: none of 2 games can be read: game 1: GM\[1\]"):
        check_records(Source("go.sgf", b"(;GM[1]FF[4];B[aa])(;GM[1];W[bb])"))


GAMES = read_records(Path(__file__).with_name("iss-games.sgf").read_text()).records
PLAYED = [record for record in GAMES if record.contract is not None][:5]


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
