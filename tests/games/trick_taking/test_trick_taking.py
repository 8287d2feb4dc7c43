"""Games of the papers: vectors, playouts and the showcase."""

from fractions import Fraction
from math import sqrt

import pytest
from attrs import evolve

from compiler.errors import GameError, GameTooLargeError
from games import named_game
from games.toml import game_from_toml
from games.trick_taking.advice.open_play import deals_won
from games.trick_taking.play.enumeration import MAX_POSITIONS, MAX_STATES, PathCount, most_states
from games.trick_taking.playouts import playouts_of
from tests.games.trick_taking.second_rules import naive_best


def test_distinct_positions_after_every_step(vector, game_of):
    distributions = game_of(vector).step_distributions()
    assert tuple(len(positions) for _, positions in distributions) == vector.counts


def test_chance_of_the_party(vector, game_of):
    assert game_of(vector).average("win") == vector.p_win


def test_base_points_count_for_the_party(make_game):
    """Twelve of the toy's points are missing; only BBAA and BBBB have fewer."""
    game = make_game(2, 2, "CA C10 CK CQ", base_points=48, threshold=60)
    assert game.average("points") == 62
    assert game.average("win") == Fraction(2, 3)


GAMES = 100_000


@pytest.mark.parametrize("name", ["skat-4", "skat-9:H7"])
def test_the_share_of_games_won_is_the_exact_probability(name):
    game = named_game(name)
    exact = float(game.average("win"))
    won = playouts_of(game)(GAMES, 7) / GAMES
    assert abs(won - exact) < 4 * sqrt(exact * (1 - exact) / GAMES)


def test_a_null_game_is_won_without_a_trick():
    game = named_game("skat-32:null:known")
    assert playouts_of(game)(2000, 0) < 60
    nobody = evolve(game, party=())
    assert playouts_of(nobody)(10, 0) == 10


def test_a_threshold_that_is_reached_before_the_first_card_is_always_won():
    game = evolve(named_game("skat-4"), threshold=5, base_points=7)
    assert playouts_of(game)(100, 0) == 100


def test_games_of_other_kinds_have_none():
    assert playouts_of(named_game("weiqi:fig10")) is None


def dealt(game, declarer):
    """Return the deal in which seat 2 holds the named cards."""
    return tuple(
        0 if known == 0 else 2 if str(card) in declarer.split() else 1
        for card, known in zip(game.deck, game.known, strict=True)
    )


@pytest.mark.parametrize(
    ("first", "won_paths", "p_win", "won_deals", "points"),
    [
        ("H10", 48, Fraction(1, 2), 6, {"CJ SJ H8": 69, "HJ S7 HA": 57}),
        ("HQ", 72, Fraction(3, 4), 11, {"CJ SJ H8": 62, "HJ S7 HA": 64}),
        ("H7", 60, Fraction(5, 8), 9, {"CJ SJ H8": 59, "HJ S7 HA": 67}),
    ],
)
def test_card_qualities(first, won_paths, p_win, won_deals, points):
    game = named_game(f"skat-9:{first}")
    assert game.deal_count == 12
    assert game.paths() == PathCount(total=96, won=won_paths)
    assert game.average("win") == p_win
    assert game.average("points") == 63
    assert deals_won(game) == won_deals
    for declarer, best in points.items():
        assert naive_best(game, dealt(game, declarer)) == best


def test_the_file_of_the_showcase_is_the_built_in_game(request):
    path = request.config.rootpath / "examples" / "showcase.toml"
    game = game_from_toml(path.read_text(), "skat-9")
    assert game == named_game("skat-9")
    assert game.title == "3 players, 3 cards each, skat rules, trump S, HQ first"


@pytest.mark.parametrize(
    ("words", "deals", "title"),
    [
        (":known", 42_678_636, "skat rules, trump C"),
        (":paper", 2_753_294_408_504_640, "paper rules"),
        (":null", 2_753_294_408_504_640, "skat rules, null"),
    ],
)
def test_all_32_cards(words, deals, title):
    game = named_game("skat-32" + words)
    assert game.name == "skat-32" + words
    assert game.deal_count == deals
    assert game.title == f"3 players, 10 cards each and 2 in the skat, {title}"
    assert sum(game.points_of) == 120
    assert len(set(game.deck)) == 32
    assert game.hands == (10, 10, 10, 2)


def test_games_too_large_are_refused_before_they_are_enumerated():
    game = named_game("skat-32:known")
    for refused in (
        game.exact_distribution,
        game.paths,
        lambda: game.average("win"),
        game.step_distributions,
    ):
        with pytest.raises(GameTooLargeError, match="skat-32:known: 42,678,636 deals and up to"):
            refused()
    with pytest.raises(GameTooLargeError, match="too many to solve"):
        deals_won(game)


def test_a_game_at_the_limit_is_refused_by_its_steps_but_not_by_its_outcomes(make_game):
    """Positions of all steps are held together, those of one step are not."""
    deck = "CJ SJ HJ S7 HA H10 HQ H8 H7 CA C10 DK"
    known = {"0": ["H10", "HQ", "H7", "C10"]}
    game = make_game(3, 4, deck, rules="skat", trump="S", known=known)
    assert MAX_POSITIONS < most_states(game) < MAX_STATES
    assert sum(game.exact_distribution().values()) == 1
    with pytest.raises(GameTooLargeError, match="70 deals and up to"):
        game.step_distributions()


def test_points_of_the_skat_count_for_who_is_said_to_get_them(make_game):
    keys = {"rules": "skat", "trump": "C", "threshold": 11}
    nobodys = make_game(2, 1, "C9 C8 HA", known={"skat": ["HA"]}, **keys)
    mine = make_game(2, 1, "C9 C8 HA", known={"skat": ["HA"]}, skat_to=0, **keys)
    others = make_game(2, 1, "C9 C8 HA", known={"skat": ["HA"]}, skat_to=1, **keys)
    assert [game.average("points") for game in (nobodys, mine, others)] == [0, 11, 0]
    assert [game.scoring_owners for game in (nobodys, mine, others)] == [(0,), (0, 2), (0,)]
    assert naive_best(mine, (0, 1, 2)) == 11


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("skat-9:CJ", "skat-9:CJ: you hold H10, HQ, H7; lead one of them"),
        ("skat-32:ramsch", "skat-32:ramsch: unknown word 'ramsch'; known: C, S, H, D, grand"),
        ("skat-32:S:paper", "skat-32:S:paper: give at most one of C, S, H, D, grand, null, paper"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(GameError) as error:
        named_game(spec)
    assert str(error.value).startswith(message)


def test_bit_i_b_plus_j_of_an_outcome_is_bit_j_of_the_owner_of_card_i(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ")
    assert game.owner_bits == 2
    assert game.outcome((1, 0, 2, 0, 1)) == 0b01_00_10_00_01
    assert game.owners(0b01_00_10_00_01) == (1, 0, 2, 0, 1)


def test_labels_name_seats_skat_and_owners_that_do_not_exist(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ")
    assert game.describe(game.outcome((0, 1, 2, 3, 0))) == "AB-?A"
