"""The lesson: its five pages do what they say, and its notebooks are made from them."""

import doctest
import shlex

import pytest

from service.cli import main
from tools.lesson import FOLDER, notebook, pages, parts

STEPS = [page.stem for page in pages()]

SAID = {"stichwerk advise skat-9": "Play HQ."}


def test_there_are_five_and_all_are_listed():
    assert [step[0] for step in STEPS] == list("12345")
    listed = (FOLDER / "README.md").read_text()
    assert all(f"({step}.md)" in listed and f"({step}.ipynb)" in listed for step in STEPS)


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
    for kind, content in parts(text):
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
