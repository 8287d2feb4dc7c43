"""The commands of the README run as written, from a fresh folder."""

import re
import shlex
from contextlib import nullcontext
from pathlib import Path

import pytest

from compiler.compilation import Listener
from service.cli import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
COMMANDS = [
    line.partition("#")[0].strip() for line in re.findall(r"^stichwerk [^\n]+", TEXT, re.MULTILINE)
]


def test_the_first_screen_has_three_commands():
    assert len(COMMANDS) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(tmp_path, monkeypatch, capsys, command):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    # Other processes would import everything first.
    monkeypatch.setattr("workers.parallel.Pool", lambda *_: nullcontext(Listener()))
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command)[1:])
    assert ended.value.code == 0
    assert capsys.readouterr().out


def test_the_readme_can_be_skimmed():
    assert len(TEXT.split()) <= 700
