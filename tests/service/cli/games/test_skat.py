"""The command `skat records` exits with what it answers."""

import json
from pathlib import Path

GAMES = Path(__file__).parents[3] / "games" / "trick_taking" / "skat" / "iss-games.sgf"


def test_records_that_say_otherwise_are_shown_and_the_answer_is_no(stichwerk, tmp_path):
    drawn = tmp_path / "list.png"
    done = stichwerk("skat", "records", str(GAMES), "--plot", str(drawn))
    assert done.code == 0
    # Seats are named as in every other table.
    assert "Seeger-Fabian: A 730, B 301, C -80" in done.out
    assert "│ 3     A           grand " in done.out
    assert drawn.read_bytes().startswith(b"\x89PNG")
    file = tmp_path / "games.sgf"
    file.write_text(GAMES.read_text().replace("v:-54", "v:-52"))
    done = stichwerk("skat", "records", str(file), "--json")
    assert done.code == 1
    answer = json.loads(done.out)
    assert answer["games"][0]["agrees"] is False
    assert "says otherwise" in stichwerk("skat", "records", str(file)).out
