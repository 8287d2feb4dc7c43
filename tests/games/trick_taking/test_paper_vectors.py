"""The rules against the published counts and chances, and what is known of the toy."""

from fractions import Fraction

import pytest

from games import games
from games.trick_taking.rules.steps import Deal, Play, Trick


def test_distinct_positions_after_every_step(vector, game_of):
    distributions = game_of(vector).step_distributions()
    assert tuple(len(positions) for _, positions in distributions) == vector.counts


def test_probabilities_after_every_step_add_up_to_one(vector, game_of):
    for _, positions in game_of(vector).step_distributions():
        assert sum(positions.values()) == 1
        assert min(positions.values()) > 0


def test_chance_of_the_party(vector, game_of):
    assert game_of(vector).average("win") == vector.p_win


def test_nine_cards(nine_cards, game_of):
    game = game_of(nine_cards)
    distributions = game.step_distributions()
    assert tuple(len(positions) for _, positions in distributions) == nine_cards.counts
    won = sum(
        probability
        for position, probability in distributions[-1][1].items()
        if sum(p for p, (owner, _) in zip(game.points_of, position, strict=True) if owner == 2)
        >= 16
    )
    assert won == nine_cards.p_win == Fraction(17, 63)
    assert game.threshold == 16
    assert sum(game.points_of) == 30


def test_steps_of_three_players_and_two_tricks(make_game):
    game = make_game(3, 2, "CA C10 CK CQ CJ C9")
    assert game.steps() == (
        Deal(),
        *(Play(0, 2, 0), Play(1, 2, 0), Play(2, 2, 0), Trick(0)),
        *(Play(0, 1, 1), Play(1, 1, 1), Play(2, 1, 1), Trick(1)),
    )
    assert [step.title for step in game.steps()][:5] == [
        "deal",
        "A plays 1 of 2",
        "B plays 1 of 2",
        "C plays 1 of 2",
        "trick 1",
    ]


def test_toy_by_name_is_the_toy_of_the_file(toy):
    named = games["skat-4"]()
    assert named.name == "skat-4"
    assert named.deck == toy.deck
    assert named.points_of == toy.points_of == (11, 10, 4, 3)
    assert named.threshold == toy.threshold == 15
    assert dict(named.exact_distribution()) == dict(toy.exact_distribution())
    assert named.title == "2 players, 2 cards each, paper rules"


def test_toy_chance_and_expected_points(toy):
    assert toy.average("win") == Fraction(5, 12)
    assert toy.average("points") == 14


def test_toy_final_distribution_with_owners_named(toy):
    assert {toy.describe(o): p for o, p in toy.exact_distribution().items()} == {
        "AAAA": Fraction(1, 4),
        "BBBB": Fraction(1, 4),
        "AABB": Fraction(1, 12),
        "ABAB": Fraction(1, 12),
        "ABBA": Fraction(1, 12),
        "BAAB": Fraction(1, 12),
        "BABA": Fraction(1, 12),
        "BBAA": Fraction(1, 12),
    }


def test_toy_favourable_outcomes_with_owners_named(toy):
    favourable = {o for o in toy.exact_distribution() if toy.is_win(o)}
    assert {toy.describe(outcome) for outcome in favourable} == {"AAAA", "AABB", "ABAB"}
    assert {toy.owners(outcome) for outcome in favourable} == {
        (0, 0, 0, 0),
        (0, 0, 1, 1),
        (0, 1, 0, 1),
    }
    assert {toy.points(outcome) for outcome in favourable} == {28, 21, 15}


@pytest.mark.parametrize("party", [[0], [1]])
def test_toy_is_fair_and_a_draw_wins_nobody(make_game, party):
    game = make_game(2, 2, "CA C10 CK CQ", party=party)
    assert game.average("win") == Fraction(5, 12)
    drawn = {o: p for o, p in game.exact_distribution().items() if game.points(o) == 14}
    assert {game.describe(o) for o in drawn} == {"ABBA", "BAAB"}
    assert sum(drawn.values()) == Fraction(1, 6)


def test_stacks_of_a_party_count_together(make_game):
    assert make_game(3, 1, "CA C10 CK", party=[0, 1]).average("win") == Fraction(2, 3)


def test_base_points_count_for_the_party(make_game):
    """Twelve of the toy's points are missing; only BBAA and BBBB have fewer."""
    game = make_game(2, 2, "CA C10 CK CQ", base_points=48, threshold=60)
    assert game.average("points") == 62
    assert game.average("win") == Fraction(2, 3)


def test_known_hand_leaves_only_the_other_deals(make_game):
    game = make_game(2, 2, "CA C10 CK CQ", known={"0": ["CA", "C10"]})
    assert [len(p) for _, p in game.step_distributions()] == [1, 2, 4, 4, 4, 4, 1]
    assert game.exact_distribution() == {0: Fraction(1)}


def test_known_skat_card_stays_there(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ", known={"skat": ["CA"]}, points={"J": 0})
    assert len(game.step_distributions()[0][1]) == 6
    assert {game.owners(o)[0] for o in game.exact_distribution()} == {2}
    assert game.skat == 1
    assert game.hands == (2, 2, 1)
    assert game.owner_bits == 2
    assert game.title == "2 players, 2 cards each and 1 in the skat, paper rules"
