"""The rules against a second reference, which knows only shuffled decks."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.trick_taking.play.positions import Moves, Place, State

RANKS = "CA C10 CK CQ CJ C9 C8"


def shuffled_games(players, hand, cards, known):
    """Yield, for every shuffle that fits `known`, what lies where after every step.

    A shuffle is the whole game: the first `hand` cards go to seat 0 in the order in which it
    plays them, the next ones to seat 1, and so on. All shuffles are equally likely.
    """
    for shuffle in permutations(range(cards)):
        dealt = {card: min(slot // hand, players) for slot, card in enumerate(shuffle)}
        if any(owner not in (None, dealt[card]) for card, owner in enumerate(known)):
            continue
        owner, place = dict(dealt), dict.fromkeys(range(cards), Place.HAND)
        history = [snapshot(owner, place)]
        for trick in range(hand):
            on_table = [shuffle[seat * hand + trick] for seat in range(players)]
            for card in on_table:
                place[card] = Place.TABLE
                history.append(snapshot(owner, place))
            for card in on_table:
                owner[card], place[card] = dealt[min(on_table)], Place.STACK
            history.append(snapshot(owner, place))
        yield history


def snapshot(owner, place):
    return tuple((owner[card], place[card]) for card in sorted(owner))


def reference_distributions(players, hand, cards, known):
    """Return the distribution over positions after every step, by counting shuffles."""
    games = list(shuffled_games(players, hand, cards, known))
    return [
        {position: Fraction(n, len(games)) for position, n in Counter(step).items()}
        for step in zip(*games, strict=True)
    ]


@pytest.mark.parametrize(
    ("players", "hand", "cards", "known"),
    [
        (2, 1, 2, {}),
        (2, 1, 4, {"skat": ["CK"]}),
        (2, 2, 4, {}),
        (2, 2, 5, {}),
        (2, 3, 6, {"0": ["C10"], "1": ["CA", "CJ"]}),
        (2, 2, 6, {"1": ["CQ"], "skat": ["CA"]}),
        (3, 1, 3, {}),
        (3, 1, 5, {"2": ["CJ"]}),
        (3, 2, 6, {}),
        (3, 2, 6, {"1": ["C10", "C9"]}),
        (3, 2, 7, {"0": ["CQ"], "skat": ["C8"]}),
    ],
)
def test_every_step_agrees_with_counting_shuffles(make_game, players, hand, cards, known):
    game = make_game(players, hand, " ".join(RANKS.split()[:cards]), known=known)
    reference = reference_distributions(players, hand, cards, game.known)
    assert [positions for _, positions in game.step_distributions()] == reference


@st.composite
def games(draw):
    """Decks of up to six cards in any order, any split into hands, any consistent knowledge."""
    players = draw(st.integers(2, 3))
    hand = draw(st.integers(1, 6 // players))
    deck = draw(st.permutations(RANKS.split()))
    deck = deck[: draw(st.integers(players * hand, 6))]
    slots = [str(seat) for seat in range(players) for _ in range(hand)]
    slots += ["skat"] * (len(deck) - len(slots))
    revealed = draw(st.lists(st.booleans(), min_size=len(deck), max_size=len(deck)))
    known = {}
    for slot, card, shown in zip(slots, draw(st.permutations(deck)), revealed, strict=True):
        if shown:
            known.setdefault(slot, []).append(card)
    party = draw(st.lists(st.integers(0, players - 1), min_size=1, max_size=players - 1))
    return {
        "players": players,
        "hand": hand,
        "deck": " ".join(deck),
        "known": known,
        "party": sorted(set(party)),
        "base_points": draw(st.integers(0, 60)),
    }


@given(description=games())
def test_exact_distribution_agrees_with_counting_shuffles(make_game, description):
    game = make_game(**description)
    points = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
    deck = description["deck"].split()
    distribution, wins, expected = Counter(), Fraction(0), Fraction(0)
    final = reference_distributions(game.players, game.hand, len(deck), game.known)[-1]
    in_play = description["base_points"] + sum(points[card[1:]] for card in deck)
    for position, probability in final.items():
        owners = [owner for owner, _ in position]
        distribution[sum(o << (i * game.owner_bits) for i, o in enumerate(owners))] += probability
        scored = description["base_points"] + sum(
            points[card[1:]]
            for card, o in zip(deck, owners, strict=True)
            if o in description["party"]
        )
        expected += probability * scored
        wins += probability * (2 * scored > in_play)
    assert game.exact_distribution() == dict(distribution)
    assert game.average("win") == wins
    assert game.average("points") == expected


def test_nine_cards_agree_with_counting_shuffles(nine_cards, make_game):
    """With one hand known: 3!·6! shuffles instead of 9!."""
    game = make_game(3, 3, nine_cards.deck, known={"0": ["H10", "HQ", "H7"]})
    outcomes = Counter()
    for mine in permutations((5, 6, 8)):
        for others in permutations((0, 1, 2, 3, 4, 7)):
            owners = [0] * 9
            for trick in zip(mine, others[:3], others[3:], strict=True):
                for card in trick:
                    owners[card] = trick.index(min(trick))
            outcomes[tuple(owners)] += 1
    assert {game.owners(o): p for o, p in game.exact_distribution().items()} == {
        owners: Fraction(n, 6 * 720) for owners, n in outcomes.items()
    }


def test_a_play_offers_only_cards_in_the_hand_of_the_seat(make_game):
    moves = Moves(make_game(2, 2, "CA C10 CK CQ"))
    state = moves.start((0, 0, 1, 1))
    assert [moves.position(after) for after in moves.plays(state)] == [
        ((0, Place.TABLE), (0, Place.HAND), (1, Place.HAND), (1, Place.HAND)),
        ((0, Place.HAND), (0, Place.TABLE), (1, Place.HAND), (1, Place.HAND)),
    ]


def test_the_strongest_card_takes_the_table_and_nothing_else(make_game):
    moves = Moves(make_game(2, 2, "CA C10 CK CQ"))
    state = State(leader=0, table=(2, 1), hands=(0, 0b0001), stacks=(0b1000, 0))
    assert moves.position(moves.take(state)) == (
        (1, Place.HAND),
        (1, Place.STACK),
        (1, Place.STACK),
        (0, Place.STACK),
    )
