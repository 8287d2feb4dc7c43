"""Which kind of game a TOML document describes."""

import pytest

from compiler.errors import GameError
from games.toml import game_from_toml


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players = 2", "g.toml: 'game' is missing: say which kind, one of "),
        ("game = 3", "g.toml, line 1: game = 3: say which kind, one of "),
        ("game = 'poker'", "g.toml, line 1: game = 'poker': unknown kind of game 'poker'; known: "),
        ("game = 'skta'", "g.toml, line 1: game = 'skta': unknown kind of game 'skta'"),
        ("", "g.toml: 'game' is missing: say which kind"),
        ("game = ", "g.toml, line 1: not a TOML document: Invalid value"),
        ("game = 'skat'\ngame = 'skat'", "g.toml, line 2: not a TOML document"),
        ("[known\n", "g.toml, line 1: not a TOML document: "),
    ],
)
def test_documents_that_describe_no_game(text, message):
    with pytest.raises(GameError) as error:
        game_from_toml(text, "g.toml")
    assert str(error.value).startswith(message)
