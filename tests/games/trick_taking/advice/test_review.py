"""What the choices of a recorded game cost, against each card's advice alone."""

from pathlib import Path

import pytest
from attrs import evolve
from matplotlib.figure import Figure

from games.playing.panels import Grid
from games.trick_taking.advice.adviser import advise, choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.panels import panels
from games.trick_taking.advice.picture import picture
from games.trick_taking.advice.review import reviewed
from games.trick_taking.advice.source import stakes_of_record
from games.trick_taking.skat.records.position import position_at
from games.trick_taking.skat.records.reading import read_records
from service.results.games.advice import CardsAdvice

RECORDS = Path(__file__).parents[1] / "skat/iss-games.sgf"
EFFORT = Effort(playouts=100, deals=3, seconds=60.0, seed=1, threads=1, clock=lambda: 0.0)


@pytest.fixture(scope="module")
def record():
    return read_records(RECORDS.read_text()).records[0]


@pytest.fixture(scope="module")
def review(record):
    return reviewed(record, EFFORT, lambda _: None)


@pytest.fixture(scope="module")
def moves(review):
    return review.moves


def test_every_card_is_looked_at_by_who_played_it(record, moves):
    assert [(move.seat, move.position.played) for move in moves] == list(record.plays)
    for move in moves:
        assert (move.choice is None) == (len(choices_of(move.position.game)) == 1)
        assert move.by_declarer == (move.seat == record.declarer)


def test_costs_are_differences_of_what_each_card_s_advice_says(record, moves):
    signs = set()
    for number in (13, 22, 24):
        position = position_at(record, number)
        advice = advise(position.game, EFFORT, lambda _: None, stakes_of_record(position))
        names = [position.game.deck[card] for card in advice.cards]
        best, played = advice.by_open_cards[0], names.index(position.played)
        shares, values = advice.open_play.shares, advice.open_play.values
        choice = moves[number - 1].choice
        assert choice.chance_cost == pytest.approx(
            (shares.wins(best) - shares.wins(played)) / shares.deals
        )
        lost = values[best].value - values[played].value
        assert choice.value_cost == (
            lost if position.game.party == (move_seat(position),) else -lost
        )
        signs.add(advice.for_party)
    assert signs == {True, False}


def move_seat(position):
    return (position.game.leader + len(position.game.table)) % 3


def test_a_seat_s_total_is_the_sum_of_its_cards(record, review, moves):
    for total in review.totals:
        own = [move.choice for move in moves if move.seat == total.seat and move.choice]
        assert total.declares == (total.seat == record.declarer)
        assert total.choices == len(own)
        assert total.chance == pytest.approx(sum(one.chance_cost for one in own))
        assert total.value == pytest.approx(sum(one.value_cost for one in own))
    assert sum(total.choices for total in review.totals) == 24


def test_a_game_for_every_trick_counts_cards_and_calls_them_so(record):
    """What is shown are cards of tricks, as in `position_at` where schwarz is needed."""
    points = position_at(record, 22)
    cards = evolve(points.game, points_of=(1,) * 32, threshold=30, skat_to=None)
    position = evolve(points, game=cards)
    advice = advise(cards, EFFORT, lambda _: None)
    told = CardsAdvice.of(advice, 1, [], None, position)
    for card in told.cards:
        assert card.open_cards.points is None
        assert 0 <= card.open_cards.trick_cards.value <= 30
    (table,) = (panel for panel in panels(advice, None, position) if isinstance(panel, Grid))
    assert {"cards", "points"} & {name.removeprefix("party's ") for name in table.columns} == {
        "cards"
    }
    figure = Figure()
    picture(advice, None, figure)
    assert "cards; dashed: 30 win" in [axes.get_xlabel() for axes in figure.axes]
    told = CardsAdvice.of(advise(points.game, EFFORT, lambda _: None), 1, [], None, points)
    assert all(card.open_cards.trick_cards is None for card in told.cards)
    assert all(card.open_cards.points is not None for card in told.cards)
