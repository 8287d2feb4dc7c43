"""Typical mistakes: one line says where, what was meant, or what would be right."""

import pytest

SKAT = """game = "skat"
rules = "skat"
trump = "S"
players = 2
hand = 2
deck = ["SA", "SK", "HA", "H7"]
[known]
0 = ["SA", "HA"]
"""
FILES = {
    "card that is none": ('"SK"', '"SKK"', "line 6: deck: unknown card 'SKK': did you mean 'SK'?"),
    "card misspelt": ('"HA", "H7"', '"Hertz Ass", "H7"', "line 6: deck: unknown card 'Hertz Ass'"),
    "card of two meanings": ('"SK"', '"KB"', "line 6: deck: card 'KB' may be 'CJ' or 'DJ'"),
    "known card of no deck": ('["SA", "HA"]', '["D7"]', "line 8: known.0: card 'D7' is not in"),
    "seat 4": ("0 = [", "4 = [", "line 8: known.4: no such hand; seats are 0 to 1, or A to B"),
    "key misspelt": ("hand = 2", "hnad = 2", "line 5: hnad: unknown key in skat rules; did you m"),
    "trump misspelt": ("trump =", "trumpf =", "line 3: trumpf: unknown key in skat rules; did you"),
    "no kind of game": ('game = "skat"\n', "", "'game' is missing: say which kind, one of endless"),
    "trump of two meanings": ('"S"\n', '"K"\n', "line 3: trump = 'K': 'K' may be 'C' or 'D'"),
    "grand as trump": ('"S"\n', '"grand"\n', "line 3: trump = 'grand': write contract = 'grand'"),
    "grand as trump, written large": (
        'trump = "S"',
        'trump = "Grand"',
        "line 3: trump = 'Grand': write contract = 'grand'",
    ),
    "trump without rules": (
        'rules = "skat"\ntrump =',
        "trumpf =",
        "line 2: trumpf: unknown key in paper rules; did you mean 'trump'? Then add rules = \"skat",
    ),
    "hand as cards": (
        "players = 2\nhand = 2",
        'hand = ["SA", "HA"]',
        "line 4: hand: is how many tricks are",
    ),
}
COMMANDS = {
    "command": (("gmaes",), "Did you mean"),
    "command of a group": (("skat", "vlaue"), "Did you mean 'value'?"),
    "option": (("compile", "toy.toml", "--traget", "star"), "--target"),
    "game": (("games", "skta-9"), "unknown game 'skta-9'; did you mean 'skat-9'?"),
    "target": (("compile", "toy.toml", "-t", "strr"), "did you mean 'star'?"),
    "backend": (("run", "toy.toml", "-b", "spase"), "did you mean 'sparse'?"),
    "encoding": (("compile", "toy.toml", "--encoding", "papr"), "did you mean 'paper'?"),
    "method": (("compile", "toy.toml", "--method", "fsat"), "did you mean 'fast'?"),
    "objective": (("compile", "toy.toml", "--objective", "t_cuont"), "did you mean 't_count'?"),
    "device": (("fidelity", "toy.toml", "--device", "torno"), "did you mean 'torino'?"),
    "objective of a training": (
        ("train", "skat-4", "--objective", "equlibrium"),
        "did you mean 'equilibrium'?",
    ),
    "pass": (("compile", "toy.toml", "--without", "placment"), "did you mean 'placement'?"),
    "choice of a few": (
        ("estimate", "toy.toml", "--estimator", "bayes"),
        "Invalid value for '--estimator': did you mean 'bayesian'? See",
    ),
    "whole number": (("run", "toy.toml", "--shots", "1.5"), "'--shots': '1.5' is not a whole num"),
    "number": (("estimate", "toy.toml", "--error", "x"), "'--error': 'x' is not a number. See"),
    "small number": (("compile", "toy.toml", "--seed", "-1"), "'--seed': -1 is less than 0. See"),
    "large number": (("train", "toy.toml", "--steps", "99999"), "99999 is more than 20000. See"),
    "observable": (("estimate", "toy.toml", "--observable", "wni"), "did you mean 'win'?"),
    "contract": (("skat", "value", "--contract", "gran"), "did you mean 'grand'?"),
    "announcement": (("skat", "value", "--contract", "S hnad"), "did you mean 'hand'?"),
    "suit misspelt": (("skat", "value", "--contract", "Herzz"), "did you mean 'Herz'?"),
    "file misspelt": (("compile", "tooy.toml", "-t", "star"), "did you mean 'toy.toml'?"),
    "ending misspelt": (("games", "toy.tml"), "did you mean 'toy.toml'?"),
    "file without its option": (("new", "game", "my.toml"), "A file to write goes with --output."),
    "hand of nine": (("skat", "bid", "--hand", "CJ HJ CA C10 CQ C8 SA S10 HA"), "hand: 9 cards"),
    "hand with a card twice": (
        ("skat", "bid", "--hand", "CJ HJ CA C10 CQ C8 SA S10 HA ♣J"),
        "card CJ: named twice",
    ),
    "hand with no card": (("skat", "bid", "--hand", "CJ Joker"), "unknown card 'Joker'"),
}


@pytest.mark.parametrize(("old", "new", "said"), FILES.values(), ids=FILES)
def test_mistakes_in_files(folder, stichwerk, old, new, said):
    (folder / "my-game.toml").write_text(SKAT.replace(old, new, 1))
    done = stichwerk("games", "my-game.toml")
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.removeprefix("stichwerk: my-game.toml").lstrip(",: ").startswith(said)


def test_without_a_mistake_the_file_is_a_game(folder, stichwerk):
    (folder / "my-game.toml").write_text(SKAT)
    assert stichwerk("games", "my-game.toml").code == 0


@pytest.mark.parametrize(("arguments", "said"), COMMANDS.values(), ids=COMMANDS)
def test_mistakes_on_the_command_line(stichwerk, arguments, said):
    done = stichwerk(*arguments)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert said in line
