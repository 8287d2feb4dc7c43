"""The rules against the published counts and chances, and what is known of the toy."""

from fractions import Fraction


def test_distinct_positions_after_every_step(vector, game_of):
    distributions = game_of(vector).step_distributions()
    assert tuple(len(positions) for _, positions in distributions) == vector.counts


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
