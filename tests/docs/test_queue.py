"""The page about the queue says what the code says."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "queue.md").read_text()


@pytest.fixture
def script(monkeypatch):
    """Return a function that imports a script of docs/ as `python -m tools.draw` would."""
    monkeypatch.syspath_prepend(str(DOCS))
    before = set(sys.modules)
    yield import_module
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == DOCS:
            del sys.modules[name]


def test_the_settings_are_those_of_the_code(script):
    found = re.search(r"<!-- settings: tools/setting_names.py -->\n(.*?)\n<!-- end -->", PAGE, re.S)
    assert found is not None
    assert found[1] == script("setting_names").markdown()


def test_the_states_are_those_of_the_code(script):
    drawn = script("draw").svg_of(script("job_states").job_states, "the states of a job")
    assert (DOCS / "queue" / "states.svg").read_text() == drawn


def test_every_command_of_the_page_is_one():
    from service.cli import COMMANDS

    named = set(re.findall(r"stichwerk ([a-z]+)", PAGE)) - {"token"}
    assert named <= set(COMMANDS)
    assert {"up", "submit", "job", "jobs", "result", "retry", "serve", "worker"} <= named
