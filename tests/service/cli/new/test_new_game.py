"""The wizard that writes a game file."""

import io

import pytest

from games.toml import game_from_toml

HAND = "CJ SJ SA S10 SK S9 HA H10 DA D7"


@pytest.fixture
def typed(monkeypatch):
    """Return a function that types lines."""
    return lambda *lines: monkeypatch.setattr(
        "sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines))
    )


def written(folder, name="my-game.toml"):
    return game_from_toml((folder / name).read_text(), name)


def test_all_questions_are_answered(folder, stichwerk, typed):
    typed("Pik", "", "", "", "", "", HAND, "")
    done = stichwerk("new", "game")
    assert (done.code, done.out) == (0, "")
    game = written(folder)
    assert (game.rules.contract, game.players, game.hand, game.skat) == ("S", 3, 10, 2)
    assert (game.party, game.leader, game.threshold, game.skat_to) == ((0,), 0, 61, 0)
    assert [str(c) for c, owner in zip(game.deck, game.known, strict=True) if owner == 0] == [
        str(c) for c in game.deck if str(c) in HAND.split()
    ]
    assert stichwerk("games", "my-game.toml").code == 0


def test_questions_are_asked_again_until_the_answer_fits(folder, stichwerk, typed):
    typed(
        "grnd",
        "Hertz",
        "Herz",
        "CA CK SA S10 HA HK",
        "5",
        "2",
        "",
        "b",
        "Z",
        "b",
        "KB",
        "HA HK SA",
        "30",
    )
    done = stichwerk("new", "game", "-o", "small.toml")
    assert done.code == 0, done.err
    for said in ("did you mean 'grand'?", "did you mean 'Herz'?",
                 "players = 5: must be a whole number from 2 to 3",
                 "leader = 'Z': must be a whole number from 0 to 1",
                 "card 'KB' may be 'CJ' or 'DJ'"):  # fmt: skip
        assert said in done.err
    game = written(folder, "small.toml")
    assert (game.players, game.hand, game.skat, game.leader) == (2, 3, 0, 1)
    assert (game.party, game.threshold) == ((1,), 30)
    assert game.known == (None, None, 1, None, 1, 1)


def test_the_end_of_the_input_leaves_no_file(folder, stichwerk, typed):
    typed("C", "")
    done = stichwerk("new", "game")
    assert done.code == 2
    assert done.err.splitlines()[-1] == (
        "stichwerk: the input ends at 'players'; nothing was written"
    )
    assert not (folder / "my-game.toml").exists()


def test_nothing_is_overwritten_unasked(folder, stichwerk, typed):
    done = stichwerk("new", "game", "-o", "toy.toml")
    assert (done.code, done.err) == (
        2, "stichwerk: game 'toy.toml': is there already; --force overwrites it\n"
    )  # fmt: skip
    typed(*[""] * 8)
    assert stichwerk("new", "game", "-o", "toy.toml", "--force").code == 0
    assert len(written(folder, "toy.toml").deck) == 32
