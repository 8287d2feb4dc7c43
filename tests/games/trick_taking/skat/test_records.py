"""Real games: what follows from their moves is what the server says; malformed ones are told."""

from pathlib import Path

import pytest

from games.sources import Source
from games.trick_taking.skat.records.checking import check
from games.trick_taking.skat.records.command import records
from games.trick_taking.skat.records.reading import read_records, records_of
from games.trick_taking.skat.records.record import RecordError

FILE = Path(__file__).with_name("iss-games.sgf")
TEXT = FILE.read_text()


def test_all_games_agree_with_the_server():
    found = [(record, check(record)) for record in read_records(TEXT)]
    assert [record.number for record, one in found if one is None] == [5, 13]
    for record, one in found:
        if one is None:
            assert (record.bid, record.declarer, record.said) == (0, None, None)
            continue
        assert one.agrees, record
        assert one.outcome.schneider == record.said.schneider
        assert bool(record.resigned) == record.said.resigned


def test_a_game_as_it_was_recorded():
    record = read_records(TEXT)[1]
    assert (record.bid, record.declarer, str(record.contract)) == (36, 2, "diamonds")
    assert [str(card) for card in record.discards] == ["D9", "DQ"]
    assert len(record.plays) == 30
    assert [str(card) for card in record.skat] == ["DK", "HK"]


def one(old, new, game=1):
    """Return the text of one game with something changed."""
    text = TEXT.splitlines()[game - 1]
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", r"no game: a record is written \(;GM\[Skat\]…MV\[…\]R\[…\];\)"),
        (one("GM[Skat]", "GM[Chess]"), r"game 1: GM\[Chess\] is not GM\[Skat\]"),
        (one("MV[", "MW["), r"game 1: has no MV"),
        (one("CO[]", "CO[]CO[]"), "game 1, line 1, at 'CO.*: CO stands there twice"),
        (TEXT.replace(";)", "", 1), "game 1, line 2, at '.;GM.*: must be a property"),
        (TEXT.rstrip()[:-1], "game 14, line 14, at 'the end': must be a property"),
        (TEXT[1:], "game 1, line 1, at ';?GM.*: must begin with"),
        (one("2 18 0 p", "0 18 0 p"), "token 5 .*, '0': wanted seat 2, whose turn it is to bid"),
        (one("2 18 0 p", "2 19 0 p"), "'19': wanted a bid above 0 that is the value of a game"),
        (one("2 18", "2 " + "9" * 5000), "wanted a bid above 0 that is the value of a game"),
        (one("R[passed]", "R[d:0 win v:18 m:1 bidok p:61 t:6 s:0 r:0]", 5), "all have passed"),
        (one("R[d:2 loss", "R[passed] Q[d:2 loss"), r"R\[passed\], but by its moves seat 2 plays"),
        (
            one("w HA.", "w HX."),
            r"token 2 of its moves, 'HX.*': wanted cards such as SJ",
        ),
        (
            one("w HA.SK", "w HA.HA"),
            r"token 2 .*: wanted 32 different cards \(31 of 32",
        ),
        (one("w HA.SK.", "w HA."), r"wanted 32 different cards \(31 of 31 are\)"),
        (one("1 p 2 18", "4 p 2 18"), "token 3 of its moves, '4': wanted a seat, 0, 1 or 2"),
        (one("2 18 0 p", "2 18 0 17"), "token 8 of its moves, '17': wanted y or p"),
        (
            one("w H8.CK 2 D", "w H8.HK 2 D"),
            "token 12 .*'H8.HK': wanted w and the skat",
        ),
        (one("2 D.ST.H8", "2 X.ST.H8"), "token 14 of its moves, 'X.ST.H8': wanted a contract"),
        (one("2 D.ST.H8", "2 DH.ST.H8"), "wanted hand without the skat, or the skat without hand"),
        (one("0 SA 1 S7", "0 SA 1 1"), "token 18 of its moves, '1': wanted cards such as SJ"),
        (one("R[d:2 ", "R["), r"R\[loss.*: wanted passed, or d, v, m, p, t, s and r"),
    ],
)
def test_malformed_records_name_the_token_and_its_place(text, why):
    with pytest.raises(RecordError, match=why):
        read_records(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (one("0 SA 1 S7", "1 SA 1 S7"), "card 1, 1 SA: it is seat 0's turn"),
        (one("0 SA 1 S7", "0 S7 1 S7"), "card 1, 0 S7: seat 0 does not hold it"),
        (one("1 S7 2 DA", "1 HT 2 DA"), "card 2, 1 H10: seat 1 does not hold it"),
        (one("0 SA 1 S7", "0 SA 1 SQ"), "card"),
        (one("D.ST.H8", "D.ST.CJ"), "CJ is laid away but not there"),
    ],
)
def test_moves_against_the_rules_are_told(text, why):
    (record,) = read_records(text)
    with pytest.raises(RecordError, match=why):
        check(record)


def test_a_revoke_is_told():
    (record,) = read_records(one("0 H7 1 C8 2 CK", "0 H7 1 HQ 2 CK"))
    with pytest.raises(RecordError, match=r"does not hold|must play"):
        check(record)


def test_nothing_follows_from_a_game_that_breaks_off():
    (record,) = read_records(one(" 0 HA 1 SQ 0 SK 1 DK 2 HT ]R", " TI.1 ]R"))
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
    )
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
    (record,) = read_records(f"{kept} {gives_up} {GRAND[GRAND.index(' ]R[') :]}")
    assert len(record.plays) == played
    found = check(record)
    assert (found.outcome.points, found.settlement.value) == (points, value)


@pytest.mark.parametrize(("bid", "value"), [(23, 23), (24, -2 * 81)])
def test_an_overbid_null_counts_by_the_cards_of_its_declarer(bid, value):
    """Of seat 0's games diamonds are the cheapest, without eight: 9 times 9."""
    deal = ("C7 C8 S7 S8 H7 H8 D7 D8 C9 S9 CA CT CK CQ CJ ST SK SQ SJ SA "
            "HA HT HK HQ HJ DA DT DK DQ DJ H9 D9").replace(" ", ".")  # fmt: skip
    said = "d:0 win v:23 m:0 bidok p:0 t:0 s:0 z:0 r:1"
    (record,) = read_records(
        f"(;GM[Skat]MV[w {deal} 1 {bid} 0 y 1 p 2 p 0 s w H9.D9 0 N.H9.D9 1 RE 2 RE ]R[{said}] ;)"
    )
    assert check(record).settlement.value == value


def test_the_command_compares_them():
    answer = records(source=Source(FILE.name, FILE.read_bytes())).document
    assert [game.get("agrees") for game in answer["games"]].count(True) == 12
    assert answer["seeger_fabian"] == [730, 301, -80]
    assert records(source=Source(FILE.name, FILE.read_bytes())).yes


def test_the_answer_is_no_if_the_server_says_otherwise():
    otherwise = TEXT.replace("v:-54", "v:-52")
    answer = records(source=Source("games.sgf", otherwise.encode()))
    assert [game.get("agrees") for game in answer.document["games"]].count(False) == 1
    assert not answer.yes


def test_what_is_wrong_with_a_file_begins_with_its_name():
    with pytest.raises(RecordError, match=r"^mine\.sgf: no game: a record is written"):
        records_of(Source("mine.sgf", b""))
