"""The command line accepts every command of README and docs, and runs those of the pages."""

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException

from compiler.compilation import Listener
from compiler.errors import InputError
from service.cli import main
from service.cli.front.application import all_commands
from service.cli.front.failures import failure

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"""(?:^|[("';|&]\s*|=\S* |: )(?:\.venv/bin/)?stichwerk (?=[a-z])(.*)""")
SHELL = ("", "sh", "yaml", "toml")
PLACEHOLDERS = {"N": "1", "P": "1", "S": "1"}
ANSATZ = """OPENQASM 3.0; include "stdgates.inc";
input float[64] theta; input float[64] phi;
qubit[2] q; bit[2] c; ry(theta) q[0]; rz(phi) q[1]; cx q[0], q[1]; c = measure q;
"""
NOT_RUN = {
    "spends money": r"^(?!submit).*\b(ibm|braket):",
    "needs a service": r"^(up|serve|job|result|cancel|retry|status)\b|--job\b|--quarantined",
    "needs `make peers`": r"^peers\b",
    "has a placeholder": r"\b(ENCODING|DEVICE)\b",
    "runs in another test": r"^gates\b",
    "takes more than a CPU minute": r"^(fidelity|score)\b|--estimator bayesian"
    r"|--observable points|^advise .*--backend|^train .*--backend|skat-9 .*sparse",
    "needs moves that were played": r"--save (round\.toml|evening\.sgf)|^games game",
    "needs files of the reader": r"(theirs|boston|garnet|values)\.json|records evening|generic/",
}
"""Commands of pages that do not run in a test, by the reason."""


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


def test_modules_tests_and_make_targets_of_all_pages_exist():
    text = "\n".join(page.read_text() for page in PAGES)
    modules = set(re.findall(r"python -m ([a-z_.0-9]+)", text)) - {"build", "pytest", "venv"}
    folders = [ROOT / module.replace(".", "/") for module in modules]
    assert [
        folder
        for folder in folders
        if not any(path.is_file() for path in (folder.with_suffix(".py"), folder / "__main__.py"))
    ] == []
    text = text.replace((ROOT / "docs/extending.md").read_text(), "")  # its files are examples
    paths = {
        path
        for path in re.findall(r"(?<![\w/.])[a-z]+/[a-z_0-9/]+\.py\b", text)
        if (ROOT / path.partition("/")[0]).is_dir()
    }
    assert [path for path in paths if not (ROOT / path).exists()] == []
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    targets = set(re.findall(r"`make ([a-z-]+)", text))
    assert targets - rules == set()
    assert min(map(len, (modules, paths, targets))) > 9


def commands_to_run(page: Path) -> list[str]:
    """Return the complete commands of a page that a test can run."""
    return [
        line
        for line, is_whole in lines(page.read_text())
        if is_whole and not any(re.search(pattern, line) for pattern in NOT_RUN.values())
    ]


RUN_PAGES = {
    str(page.relative_to(ROOT)): found
    for page in PAGES
    if page.parent.name != "lesson" and (found := commands_to_run(page))  # it has its own test
}


@pytest.mark.full
@pytest.mark.parametrize("page", RUN_PAGES)
def test_the_commands_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "my-device.toml").symlink_to(ROOT / "examples/devices/square-nine.toml")
    (tmp_path / "circuit.qasm").symlink_to(ROOT / "examples/ghz.qasm")
    (tmp_path / "ansatz.qasm").write_text(ANSATZ)
    (tmp_path / "counts.json").write_text('{"0000": 0.5, "1111": 0.5}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STICHWERK_DATABASE", raising=False)
    # Other processes would import everything first.
    monkeypatch.setattr("workers.parallel.Pool", lambda *_: nullcontext(Listener()))
    failed = []
    for line in RUN_PAGES[page]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
        with pytest.raises(SystemExit) as ended:
            main(words(line))
        if ended.value.code:
            failed.append(f"{line}: {ended.value.code}: {capsys.readouterr().err[-500:]}")
    assert failed == []
