"""The examples of docs/python.md, run as they stand there; a heading is a test."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/python.md").read_text()
EXAMPLES = dict(re.findall(r"^## (\d+\. [^\n]+)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))


def test_there_are_ten():
    assert [int(title.partition(".")[0]) for title in EXAMPLES] == list(range(1, 11))
    assert all(">>> " in text for text in EXAMPLES.values())


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
