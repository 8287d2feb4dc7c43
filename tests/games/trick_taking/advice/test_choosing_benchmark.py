"""The benchmark of both choices: what it judges them by."""

from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.advice.__main__ import measured
from benchmarks.advice.choosing import judged
from benchmarks.advice.positions import true_lie
from games.trick_taking.advice.compiled.layout import layout_of
from games.trick_taking.skat.records.position import position_at
from games.trick_taking.skat.records.reading import read_records

FILE = Path(__file__).parents[1] / "skat" / "iss-games.sgf"
RECORDS = read_records(FILE.read_text()).records
ASKED = {"hand": 3, "samples": 2, "playouts": 200, "seed": 5, "records": "", "seconds": 3600}


@pytest.mark.parametrize("number", [1, 2, 3, 11])
def test_before_the_last_trick_nothing_is_left_but_what_the_server_says(number):
    record = RECORDS[number - 1]
    position = position_at(record, 28)
    game, lie = position.game, true_lie(record, position)
    assert lie.count(3) == 2
    place = game.deck.index(position.played)
    assert judged(game, layout_of(game), [place], lie) == [record.said.points]


def test_as_many_positions_are_compared_as_there_are_deals():
    found = measured(Namespace(**ASKED, deals=3))
    assert found["positions"] == 3
    assert found["another_card"] >= found["worse"] + found["better"]
