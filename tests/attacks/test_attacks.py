"""The attacks find what they should, and nothing in the program as it is."""

from itertools import islice

import pytest
from attrs import fields

from service.cli.front.commands import COMMANDS
from workers.settings import PREFIX, Settings

from .command_line import Siege, cases, command_line
from .commands.calling import Ended
from .commands.judging import faults
from .commands.tree import commands, variables

SEED = 2
TRIES = 12
ROUND = 10_000
"""Cases in which every parameter has had its turn."""


def test_every_option_is_attacked():
    known = {command.words: command.parameters for command in commands()}
    assert {" ".join(words) for words in known} == set(COMMANDS)
    assert ("token", "create") in known
    retry = {one.spelling or one.metavar: one.kind for one in known[("retry",)]}
    assert retry["[ID...]"] is str
    assert retry["--max-cost"] is str
    assert retry["--json"] is bool
    assert {one.spelling: one.kind for one in known[("serve",)]}["--port"] is int
    tried = {(case.command.words, word.partition("=")[0])
             for case in islice(cases(Siege(SEED)), ROUND) for word in case.arguments}  # fmt: skip
    missing = [
        (words, one.spelling)
        for words, parameters in known.items()
        for one in parameters
        if one.spelling and (words, one.spelling) not in tried
    ]
    assert missing == []


def test_every_setting_is_attacked():
    known = variables()
    assert {PREFIX + one.name.upper() for one in fields(Settings)} < set(known)
    assert f"{PREFIX}PRICES" in known


def ended(code: int | None, err: str = "", out: str = "", changed: tuple[str, ...] = ()) -> Ended:
    return Ended(code, out, err, changed)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (ended(None), "hangs"),
        (ended(-11), "ends with -11"),
        (ended(3, err="stichwerk: x\n"), "ends with 3"),
        (ended(1, err="Traceback (most recent call last):\n  x\nKeyError: 1\n"), "KeyError: 1"),
        (ended(0, err="Exception ignored in: <x>\nOSError\n"), "shows a traceback"),
        (ended(1, err="stichwerk: internal error: KeyError: 1\n"), "internal error"),
        (ended(1, err="stichwerk: not enough memory for this\n"), "not enough memory"),
        (ended(2, err=""), "does not say in one line"),
        (ended(2, err="Usage: x\nstichwerk: y\nTry --help\n"), "does not say in one line"),
        (ended(2, err="stichwerk: x\nstichwerk: y\n"), "does not say in one line"),
        (ended(2, err="stichwerk: " + "x" * 5000), "says what was wrong in 5,011 characters"),
        (ended(2, err="stichwerk: \x1b[2J"), "sends control characters"),
        (ended(2, err="stichwerk: gone.toml: None\n"), "gives no reason"),
        (ended(2, err="stichwerk: x\n", out="half an ans"), "writes to stdout"),
        (ended(2, err="stichwerk: x\n", changed=("new.sqlite",)), "has changed new.sqlite"),
    ],
)
def test_what_is_a_fault(bad, fault):
    (found,) = faults(bad)
    assert fault in found


def test_the_command_line_holds():
    siege = Siege(SEED, seconds=400, most=TRIES)
    assert list(command_line(siege)) == []
    assert siege.tried["refused"] > siege.tried.total() / 2
