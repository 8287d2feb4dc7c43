"""Examples of the documentation do what their pages say."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli import main
from tools import metric_names, settings_table
from tools.lesson import FOLDER, notebook, pages
from tools.lesson import parts as lesson_parts
from workers.jobs.states import AGAIN, ON_THE_WAY, State, queue_of

DOCS = Path(__file__).parents[2] / "docs"
STEPS = [page.stem for page in pages()]

SAID = {"stichwerk advise skat-9": "Play HQ."}


def command(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *arguments = shlex.split(line)
    assert name == "stichwerk"
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert SAID[line] in capsys.readouterr().out


@pytest.mark.parametrize("step", STEPS)
def test_a_step(step, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    text = (FOLDER / f"{step}.md").read_text()
    names: dict[str, object] = {}
    ran = 0
    for kind, content in lesson_parts(text):
        if kind == "sh":
            for line in content.splitlines():
                command(line, capsys)
            ran += 1
        if kind == "pycon":
            test = doctest.DocTestParser().get_doctest(content, names, step, step, 0)
            told: list[str] = []
            runner = doctest.DocTestRunner(verbose=False)
            assert runner.run(test, out=told.append, clear_globs=False)[0] == 0, "".join(told)
            names = test.globs
            ran += 1
    assert ran >= 1


@pytest.mark.parametrize("step", STEPS)
def test_a_notebook_is_its_page(step):
    made = (FOLDER / f"{step}.ipynb").read_text()
    assert made == notebook((FOLDER / f"{step}.md").read_text()), "run python -m tools.lesson"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_ends_with_a_question_and_its_answer(step):
    *_, question, answer = (FOLDER / f"{step}.md").read_text().strip().split("\n\n")
    assert re.search(r"^\*\*Question:\*\* .+\?$", question, re.MULTILINE)
    assert re.fullmatch(r"\*\*Answer:\*\* .+\.", answer)


@pytest.mark.parametrize(
    ("page", "table"),
    [*metric_names.TABLES.items(), (settings_table.PAGE, settings_table.markdown)],
)
def test_the_tables_are_those_of_the_code(page, table):
    assert f".py -->\n{table()}\n<!-- end -->" in page.read_text()


def test_the_pages_name_all_metrics_and_no_others():
    from service.api.metrics import REQUESTS
    from workers.metrics.family import FAMILIES

    assert REQUESTS.name in FAMILIES
    assert set(FAMILIES) == {
        name
        for page in metric_names.TABLES
        for name in re.findall(r"`(stichwerk_\w+)", page.read_text())
    }


ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/python.md").read_text()
EXAMPLES = dict(re.findall(r"^## (\d+\. [^\n]+)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example(title, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", EXAMPLES[title], re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, title, "docs/python.md", 0)
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert (failed, tried > 3) == (0, True), "".join(told)


def test_the_example_of_devices_of_ones_own(monkeypatch):
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/devices.md").read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["compiled"].verified == "exact"


QUEUE = (DOCS / "queue.md").read_text()


def test_the_states_are_those_of_the_code():
    for state, following in (ON_THE_WAY | AGAIN).items():
        names = ", ".join(one for one in State if one in following)
        row = f"| {state} | {queue_of(state, local=False) or ''} | {names} |"
        assert row.replace("_", " ") in QUEUE


def test_every_command_of_the_queue_pages_exists():
    from service.cli.front.commands import COMMANDS

    pages = ("queue", "costs", "failures", "guarantees", "http-api", "providers", "sandboxes")
    text = "".join((DOCS / f"{page}.md").read_text() for page in pages)
    named = set(re.findall(r"stichwerk ([a-z]+)", text))
    assert named <= {words.partition(" ")[0] for words in COMMANDS}
    assert {"up", "submit", "job", "jobs", "result", "retry", "serve", "worker"} <= named


@pytest.mark.full
def test_the_pull_request_of_the_gates_page(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (block,) = re.findall(r"```sh\n(.*?)```", (DOCS / "gates.md").read_text(), re.DOTALL)
    codes = [int(code) for code in re.findall(r"# exit code (\d)", block)]
    command = f"{shlex.quote(sys.executable)} -P -m service gates"
    script = re.sub(r"stichwerk gates (\w+).*", rf"{command} \1 --cache kept; echo code $?", block)
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, check=False,
        capture_output=True, text=True)  # fmt: skip
    assert [int(code) for code in re.findall(r"^code (\d)", ran.stdout, re.MULTILINE)] == codes
    assert codes == [0, 2, 1, 0, 0]


def test_operators_in_plain_qiskit_take_the_gates_that_the_page_says():
    text = (ROOT / "docs/results.md").read_text()
    names: dict[str, object] = {}
    for code, gates in re.findall(r"```python\n(.*?)```\nThis gives (\d+) CX", text, re.DOTALL):
        exec(code, names)
        assert names["native"].count_ops()["cx"] == int(gates)
    assert names["circuit"].num_qubits == 65
