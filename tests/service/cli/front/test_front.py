"""The front of the command line: the first page, global options, and what shells complete."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from service.cli.front.application import all_commands
from service.cli.front.commands import PANELS
from service.cli.front.schema import RESULTS, schema

COMMAND = Path(sys.executable).with_name("stichwerk")


def completions(line: str) -> list[str]:
    """Return what bash is told to complete a line with, at its last word."""
    words = line.split(" ")
    done = subprocess.run(
        [COMMAND], check=True, capture_output=True, text=True,
        env=os.environ | {"_STICHWERK_COMPLETE": "complete_bash", "COMP_WORDS": line,
                          "COMP_CWORD": str(len(words) - 1)},
    )  # fmt: skip
    return done.stdout.split()


def test_the_version(stichwerk):
    done = stichwerk("--version")
    assert (done.code, done.out) == (0, f"stichwerk {version('stichwerk')}\n")


def test_no_color_is_said_before_any_command(stichwerk, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    plain = stichwerk("skat", "value", "--contract", "S")
    done = stichwerk("--no-color", "skat", "value", "--contract", "S")
    assert os.environ["NO_COLOR"]
    assert (done.code, done.out) == (0, plain.out)


@pytest.mark.parametrize(
    ("variable", "coloured"), [("", True), ("1", False)], ids=["colours", "no colours"]
)
def test_a_terminal_is_told_colours_unless_it_says_not_to(monkeypatch, variable, coloured):
    from service.cli.output import printing

    monkeypatch.setenv("NO_COLOR", variable)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert printing.coloured() is coloured


@pytest.mark.parametrize(
    ("line", "word"),
    [("stichwerk adv", "advise"), ("stichwerk run skat-4 -b aer:bos", "aer:boston"),
     *(pytest.param(*case, marks=pytest.mark.full) for case in (
         ("stichwerk compile --tar", "--target"),
         ("stichwerk skat val", "value"), ("stichwerk --vers", "--version"),
         ("stichwerk compile skat-4 -t square:mi", "square:miami"),
         ("stichwerk fidelity toy --device bos", "boston")))],
)  # fmt: skip
def test_bash_completes_commands_and_options(line, word):
    assert word in completions(line)


def test_the_page_of_commands_has_the_groups_of_help():
    page = (Path(__file__).parents[4] / "docs" / "commands.md").read_text()
    _, *groups = re.split(r"^\| \*\*(.+)\*\* \| \|$", page.partition("## ")[0], flags=re.MULTILINE)
    assert groups[::2] == list(PANELS)
    for commands, rows in zip(PANELS.values(), groups[1::2], strict=True):
        named = re.findall(r"`(?:stichwerk )?([^`]+)`", rows)
        assert [words for words in commands
                if not any(f"{name} ".startswith(f"{words} ") for name in named)] == []  # fmt: skip


def test_every_command_with_json_has_a_schema():
    assert set(RESULTS) == {
        words for words, command in all_commands().items()
        if any("--json" in one.opts for one in command.params)
    }  # fmt: skip


def test_schemas_are_listed_and_printed(stichwerk, answer_of):
    assert [row["command"] for row in answer_of("schema")["schemas"]] == sorted(RESULTS)
    done = stichwerk("schema", "gates", "check")
    assert json.loads(done.out) == schema("gates check")
    assert "gates check" in stichwerk("schema").out
    done = stichwerk("schema", "compil")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'compile'?" in done.err
