"""The command line accepts every command of README and docs; other tests run them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException

from compiler.errors import InputError
from service.cli.front.application import all_commands
from service.cli.front.failures import failure

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"""(?:^|[("';|&]\s*|=\S* |: )(?:\.venv/bin/)?stichwerk (?=[a-z])(.*)""")
SHELL = ("", "sh", "yaml", "toml")
PLACEHOLDERS = {"N": "1", "P": "1", "S": "1"}


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words after `stichwerk`, and whether they are a complete command."""
    for _, language, block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines() if language in SHELL else ():
            if (call := CALL.search(re.sub(r"(^|\s)#.*", "", line))) is not None:
                yield call[1], "…" not in call[1]
    for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", text)):
        if (call := CALL.search(span)) is not None:
            yield call[1], False


def words(line: str) -> list[str]:
    """Return the arguments of a command in a line of a shell."""
    reader = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    reader.whitespace_split, reader.commenters = True, ""
    result = []
    for word in reader:
        if not word.strip("();<>|&"):
            break
        result.append(PLACEHOLDERS.get(word, word))
    return [word for word in result if word != "…"]


def problem(line: str, commands: dict[str, Any], *, is_whole: bool) -> str:
    """Return the message of the command line, empty if it accepts the command."""
    given = words(line)
    name = next((n for k in (2, 1) if (n := " ".join(given[:k])) in commands), "")
    if not name:
        is_group = any(command.startswith(f"{given[0]} ") for command in commands)
        return "" if is_group and not is_whole else "unknown command"
    arguments = given[len(name.split()) :]
    try:
        with commands[name].make_context(name, arguments):
            return ""
    except (TyperException, InputError) as error:
        is_partial = type(error).__name__ == "MissingParameter" or "requires an argument" in str(
            error
        )
        return "" if is_partial and not is_whole else failure(error).message


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """All commands, in a folder with the files that the pages name."""
    (tmp_path / "build/site/html").mkdir(parents=True)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "my-device.toml").symlink_to(ROOT / "examples/devices/square-nine.toml")
    monkeypatch.chdir(tmp_path)
    return all_commands()


def test_the_command_line_accepts_the_commands_of_all_pages(commands):
    found = [(page, *line) for page in PAGES for line in lines(page.read_text())]
    refused = [
        f"{page.relative_to(ROOT)}: stichwerk {line}: {why}"
        for page, line, is_whole in found
        if (why := problem(line, commands, is_whole=is_whole))
    ]
    assert refused == []
    assert len(found) > 400


def test_wrong_commands_are_refused(commands):
    assert problem("compile skat-4 --target star", commands, is_whole=True) == ""
    assert problem("jobs --tag x | jq .", commands, is_whole=True) == ""
    for line in ("compile skat-4 --tarket star", "compile", "run a --shots x", "replya x"):
        assert problem(line, commands, is_whole=True)
