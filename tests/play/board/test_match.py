"""Matches on quantum boards: played, drafted, looked at on machines, saved, and by bots."""

import json
from contextlib import suppress
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from compiler.errors import GameError
from games import named_game
from games.board.examples import FIG_10, FIVE
from games.board.game import board_toml
from games.board.rules.moves import Kind, Move, name_of, read_move
from games.board.rules.position import Position
from games.panels import Grid, Lines
from games.toml import game_from_toml
from play.board.bots import random_move
from play.board.match import BoardMatch
from play.match_log import Look, Looked, Seen
from play.measurement_panels import look_panels
from play.oracle import BackendOracle, ExactOracle, NoResultError
from play.playable import Bot, match_from_record, playables
from play.tournament import played_by
from play.trials import NotRunnableError
from play.view import Draft
from tests.games.board.boards import after
from tests.play.matches import played, started


@pytest.mark.parametrize(
    ("game", "moves", "options", "name"),
    [
        ("five-in-a-row", FIVE["appendix-b"], {}, "five-in-a-row:appendix-b"),
        ("weiqi", FIG_10, {"targets": "some", "captures": "x"}, "weiqi:fig10"),
    ],
)
def test_the_papers_games_are_played(game, moves, options, name):
    match = played(started(game, size=9, options=options), moves)
    assert match.fixed("match").exact_distribution() == named_game(name).exact_distribution()
    judge = match.program().judge
    assert judge.exact_distribution() == named_game(name).exact_distribution()
    again = match_from_record(match.record())
    assert again.record() == match.record()
    assert again.view(0).as_json() == match.view(0).as_json()
    assert not match.over
    assert match.points == (Fraction(1, 2), Fraction(1, 2))
    text = [line for panel in match.view(None).panels() if hasattr(panel, "lines")
            for line in panel.lines]  # fmt: skip
    assert any("√" in line for line in text)
    hidden = match.view(0).as_json(chances=False)
    assert "√" not in str(hidden)
    assert "probability" not in str(hidden)
    assert not any("√" in str(panel) for panel in match.view(0).panels(chances=False))


FULL = ("S+ A1 B1", "S+ A2 B2")
"""On 2 × 2: no point is empty in all four games, and two are in each."""


@pytest.mark.parametrize("bot", ["random", "threats", "quantum"])
def test_a_point_in_every_game_is_still_a_move(bot):
    match = played(started("five-in-a-row", size=2), FULL)
    assert not match.over
    (only,) = match.legal_moves(0)
    assert (only, match.position.board.games) == ("G A1 A1 B1 B1", 4)
    assert playables["five-in-a-row"].bots[bot]().move(match.view(0), Random(0)) == only
    after = match.play(0, only)
    (last,) = after.legal_moves(1)
    end = after.play(1, last)
    assert end.view(None).as_json()["end"] == "no point is left: a draw"
    assert (end.winners, list(end.legal_moves(0))) == ((0, 1), [])
    assert (after.result, "won" in end.result) == ("", False)


def test_matches_that_are_served_have_their_own_limits():
    """Also when they are read again."""
    kind = playables["five-in-a-row"]
    match = kind.start(kind.served({"options": {"scheme": "cqc", "size": "19"}}))
    pairs = ("A{0} C{0}", "E{0} G{0}")
    moves = [f"S+ {pair.format(row)}" for row in range(1, 15, 2) for pair in pairs]
    match = match_from_record(played(match, moves[:12]).record())
    assert match.position.board.games == 4096
    with pytest.raises(GameError, match="makes 8192 games, and 4096 are allowed"):
        match.play(0, moves[12])
    with pytest.raises(GameError, match="makes 128 games, and 64 are allowed"):
        played(kind.start(kind.served({})), moves)


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"seats": 3}, "seats = 3: must be 2"),
        ({"options": {"lines": "9"}}, "lines: unknown option; known: .*scheme, size$"),
        ({"most_exact": 65537}, "most_exact = 65537: must be a whole number from 1 to 65536"),
    ],
)
def test_bad_setups_are_refused(setup, why):
    with pytest.raises(GameError, match=why):
        started("weiqi", **setup)


KO = ["B3", "C3", "C1", "B2", "B1", "A3", "A1", "C2", "pass", "B3", "A2", "C2", "B2", "B3", "C3"]


@pytest.mark.parametrize("captures", ["all", "game", "x"])
def test_legal_moves_are_those_that_the_rules_allow(captures):
    """Each point of boards full of captures, one by one."""
    refused = 0
    for seed in range(12):
        random = Random(seed)
        match = started("weiqi", size=3, options={"captures": captures})
        while not match.over and len(match.log) < 30:
            (seat,) = match.to_move
            allowed = []
            for point in range(9):
                move = Move(Kind.PLACE, (point,)).written(3)
                with suppress(GameError):
                    match.play(seat, move)
                    allowed.append(move)
            refused += int(match.position.open_points.sum()) - len(allowed)
            assert list(match.legal_moves(seat)) == [*allowed, "pass"]
            move = random_move(match.position, random) if len(match.log) < 3 else None
            match = match.play(
                seat, random.choice(allowed or ["pass"]) if move is None else move.written(3)
            )
    assert refused


class Stubborn(Bot):
    """Plays what is never possible."""

    def move(self, view, random):
        return "X Z99"


def test_a_bot_that_errs_stops_no_match():
    match = played(started("weiqi", size=3), KO)
    assert played_by(match, {1: Stubborn()}, 0).log[-1].move == "pass"
    five = played_by(started("five-in-a-row", size=9), {0: Stubborn()}, 0)
    assert [entry.seat for entry in five.log] == [0]
    assert played_by(started("five-in-a-row", size=9), {0: Stubborn()}, 0).record() == five.record()


def test_threats_are_seen_in_the_game_where_they_are():
    """Black has four in one of two games only: white answers there, and black wins there."""
    kind = playables["five-in-a-row"]
    white = played(
        started("five-in-a-row", size=9), ["S+ C5 C9", "J1", "D5", "J3", "E5", "J5", "F5"]
    )
    bot = kind.bots["threats"]()
    assert bot.move(white.view(1), Random(0)) in ("X B5", "X G5")
    black = white.play(1, "A1")
    assert bot.move(black.view(0), Random(0)) in ("X B5", "X G5")
    won = black.play(0, bot.move(black.view(0), Random(0)))
    assert won.winners == (0,)
    assert won.position.end.reason == "black has five in a row in 1 of 2 games"


LOOK = Look(
    "aer:torino",
    7,
    1000,
    "mitigated",
    0.91,
    (
        Seen("black_has_five", "event", 0.25, 0.2, 0.3, 0.25),
        Seen("black_stones", "number", 1.01, 0.99, 1.03, 1.0),
        Seen("black_at_e5", "event", 0.48, 0.45, 0.51, 0.5),
        Seen("black_at_f5", "event", None, None, None, 0.5),
    ),
)


def begun(*moves, scheme="cqc", game="five-in-a-row"):
    return played(started(game, size=9, options={"scheme": scheme}), moves)


def test_a_board_on_a_machine_is_looked_at_after_every_move():
    asked = []

    def watch(match):
        asked.append(len(match.position.turns))
        return LOOK

    oracle = BackendOracle("aer:torino", 1, None, watch)
    bots = {1: playables["five-in-a-row"].bots["random"]()}
    match = begun()
    assert not match.unseen
    match = played_by(match.play(0, "S+ E5 F5"), bots, 1, oracle=oracle)
    assert asked == [1, 2]
    assert [isinstance(entry, Looked) for entry in match.log] == [False, True, False, True]
    assert match.last_look == LOOK
    assert match.play(0, "A1").last_look is None
    # On classical computers, and where nothing runs, nobody looks.
    exact = played_by(begun("S+ E5 F5"), bots, 1, oracle=ExactOracle(1))
    assert exact.last_look is None
    other = played_by(begun("S+ E5 F5", scheme="cwc"), bots, 1, oracle=oracle)
    assert other.last_look is None
    assert asked == [1, 2]


@pytest.mark.parametrize("error", [NotRunnableError, NoResultError])
def test_a_look_that_fails_says_why_and_the_match_goes_on(error):
    def watch(match):
        raise error("no\nmachine")

    match = played_by(begun("S+ E5 F5"), {}, 1, oracle=BackendOracle("mars", 1, None, watch))
    assert match.last_look == Look("mars", reason="no machine")
    assert look_panels(match, chances=True) == [
        Lines("The last look", ["not measured on mars: no machine"])
    ]
    assert match.to_move == (1,)


def test_a_record_keeps_what_was_seen():
    match = begun("S+ E5 F5").looked(LOOK).play(1, "A1").looked(Look("mars", reason="no"))
    again = match_from_record(json.loads(json.dumps(match.record())))
    assert again.log == match.log
    assert again.record() == match.record()


@pytest.mark.parametrize(
    "change",
    [
        {"fidelity": float("nan")},
        {"seen": [["black_stones", "number", 1, 1, 1, "1"]]},
        {"seen": [["x", "event", 0, 0, 0, 0]] * 2001},
    ],
)
def test_a_look_that_nobody_wrote_is_refused(change):
    record = begun("S+ E5 F5").looked(LOOK).record()
    record["log"][-1]["look"] |= change
    with pytest.raises(GameError, match=r"log\[1\]: look\."):
        match_from_record(record)


def test_what_was_measured_stands_beside_what_is_exact():
    match = begun("S+ E5 F5").looked(LOOK)
    table, board = look_panels(match, chances=True)
    assert isinstance(table, Grid)
    assert table.title == (
        "1,000 shots on aer:torino, job 7, readout errors undone, fidelity 0.910"
    )
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["P(black has five)", "0.250", "0.200 to 0.300", "0.250"],
        ["black stones", "1.010", "0.990 to 1.030", "1.000"],
    ]
    hidden, _ = look_panels(match, chances=False)
    assert hidden.columns == ["", "measured", "95 %"]
    assert all(len(row) == 3 for row in hidden.rows)
    drawn = {cell.text for row in board.rows for cell in row[1:]}
    assert drawn == {"·", "●48"}
    assert board.rows[4][5].text == "●48"


def test_the_moves_so_far_are_a_file():
    options = {"targets": "some", "captures": "x"}
    match = started("weiqi", size=9, options=options)
    with pytest.raises(GameError, match="no stone has been put yet"):
        match.file()
    game = named_game("weiqi:fig10")
    again = game_from_toml(board_toml(game), "again")
    assert (again.moves, again.size, again.options) == (game.moves, game.size, game.options)
    match = match.play(0, "S- C3 G4")
    assert game_from_toml(match.file(), "match").exact_distribution() == (
        match.fixed("match").exact_distribution()
    )


EVERY = "S+ A1 B1; X C3; X C1; S- A2 B3; X B2"


def draft(position: Position, *words: str) -> Draft:
    match = BoardMatch(position)
    found = match.view(match.to_move[0]).draft(words)
    assert found is not None
    return found


def allowed(position: Position, move: str) -> bool:
    try:
        position.after(read_move(move, position.board.size))
    except GameError:
        return False
    return True


@pytest.mark.parametrize(
    ("rules", "moves", "options"),
    [
        ("five", EVERY, {}),
        ("five", EVERY, {"targets": "some", "counter": "any"}),
        ("weiqi", EVERY, {}),
        ("weiqi", EVERY, {"targets": "some", "captures": "x", "counter": "empty"}),
        # Black may not take back at once, and three of the corners have no liberty.
        ("weiqi", "B1; C1; A2; D2; B3; C3; C2; B2", {}),
    ],
)
@pytest.mark.parametrize("sort", ["X", "S-", "E"])
def test_what_is_offered_is_what_the_rules_allow(rules, moves, options, sort):
    size = 4 if "D2" in moves else 3
    position = after(rules, size, moves, **options)
    names = [name_of(point, size) for point in range(size * size)]
    written = {"X": "X {}", "S-": "S- {} {}", "E": "E {}-{} {}-{}"}[sort]
    # The second stone of E after one first stone: all pairs of both would be too many.
    first: tuple[str, ...] = ()
    while sort == "E" and len(first) < 2:
        first = (*first, draft(position, sort, *first).legal[0])
    left = written.count("{}") - len(first)
    offered: list[tuple[str, ...]] = [first]
    for _ in range(left):
        offered = [
            (*chosen, name) for chosen in offered for name in draft(position, sort, *chosen).legal
        ]
    possible = {
        (*first, *rest)
        for rest in product(names, repeat=left)
        if allowed(position, written.format(*first, *rest))
    }
    assert {*offered} == possible != set()
    assert len(offered) == len(possible)
    one = min(possible)
    assert draft(position, sort, *one).move == written.format(*one)


def test_a_point_for_every_game_is_asked_game_by_game():
    position = after("five", 3, "S+ A1 B1")
    first = draft(position, "G")
    assert (first.layer, "B1" in first.legal, "A1" in first.legal) == (0, False, True)
    assert first.asked == "point 1 of 2, in the game ●B1"
    second = draft(position, "G", "A1")
    assert (second.layer, "A1" in second.legal, "B1" in second.legal) == (1, False, True)
    whole = draft(position, "G", "A1", "B1")
    assert (whole.move, whole.legal, whole.layer) == ("G A1 B1", (), None)
    assert position.after(read_move(whole.move, 3)).turns[-1].move.kind is Kind.GAME_WISE


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["Q"], "unknown kind of move 'Q': choose X, S"),
        (["S+", "A9", "B9", "C9"], "C9 cannot be chosen now"),
        (["G", "A9", "I1"], "'I1' is no point"),
    ],
)
def test_what_is_not_offered_is_refused(words, why):
    with pytest.raises(GameError, match=why):
        draft(after("five", 9, "S+ A1 B1; X C1"), *words)
