"""The benchmark of both choices: what it judges them by, and that it goes on from its log."""

from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.advice.__main__ import measured
from benchmarks.advice.choosing import Log, judged
from benchmarks.advice.positions import true_lie
from compiler.errors import InputError
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


def test_a_measurement_goes_on_from_its_log(tmp_path):
    log = str(tmp_path / "choices.log")
    measured(Namespace(**ASKED, deals=3, log=log))
    with Path(log).open("a") as broken:
        broken.write('{"another": tr')
    on = measured(Namespace(**ASKED, deals=6, log=log))
    whole = measured(Namespace(**ASKED, deals=6, log=""))
    assert (on["of_them_from_the_log"], whole["of_them_from_the_log"]) == (3, 0)
    assert on["positions"] == 6
    assert {key: on[key] for key in list(on)[:11]} == {key: whole[key] for key in list(whole)[:11]}
    with pytest.raises(InputError, match="name another --log"):
        Log(log, Namespace(**ASKED | {"seed": 6}))
    (tmp_path / "other").write_text("no log\n")
    with pytest.raises(InputError, match="no log of this benchmark"):
        Log(str(tmp_path / "other"), Namespace(**ASKED))
