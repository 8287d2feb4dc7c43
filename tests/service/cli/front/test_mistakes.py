"""Typical mistakes: one line says where, what was meant, or what would be right."""

import pytest

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
    "pass": (("compile", "toy.toml", "--without", "placment"), "did you mean 'placement'?"),
    "choice of a few": (
        ("estimate", "toy.toml", "--estimator", "bayes"),
        "Invalid value for '--estimator': did you mean 'bayesian'? See",
    ),
    "whole number": (("run", "toy.toml", "--shots", "1.5"), "'--shots': '1.5' is not a whole num"),
    "number": (("estimate", "toy.toml", "--error", "x"), "'--error': 'x' is not a number. See"),
    "small number": (("compile", "toy.toml", "--seed", "-1"), "'--seed': -1 is less than 0. See"),
    "large number": (("train", "toy.toml", "--steps", "99999"), "99999 is more than 20000. See"),
    "contract": (("skat", "value", "--contract", "gran"), "did you mean 'grand'?"),
    "file misspelt": (("compile", "tooy.toml", "-t", "star"), "did you mean 'toy.toml'?"),
    "file without its option": (("new", "game", "my.toml"), "A file to write goes with --output."),
}


@pytest.mark.parametrize(("arguments", "said"), COMMANDS.values(), ids=COMMANDS)
def test_mistakes_on_the_command_line(stichwerk, arguments, said):
    done = stichwerk(*arguments)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert said in line
