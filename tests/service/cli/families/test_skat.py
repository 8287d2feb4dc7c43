"""The command `skat records` exits with what it answers."""

import json
from pathlib import Path

GAMES = Path(__file__).parents[3] / "games" / "trick_taking" / "skat" / "iss-games.sgf"


def test_records_that_say_otherwise_are_shown_and_the_answer_is_no(stichwerk, tmp_path):
    assert stichwerk("skat", "records", "--file", str(GAMES)).code == 0
    file = tmp_path / "games.sgf"
    file.write_text(GAMES.read_text().replace("v:-54", "v:-52"))
    done = stichwerk("skat", "records", "--file", str(file), "--json")
    assert done.code == 1
    assert json.loads(done.out)["games"][0]["agrees"] is False
    assert "says otherwise" in stichwerk("skat", "records", "--file", str(file)).out
