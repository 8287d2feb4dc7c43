"""The page about the queue says what the code says."""

import re
from pathlib import Path

from tools import draw, job_states, setting_names

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "queue.md").read_text()


def test_the_settings_are_those_of_the_code():
    found = re.search(r"<!-- settings: tools/setting_names.py -->\n(.*?)\n<!-- end -->", PAGE, re.S)
    assert found is not None
    assert found[1] == setting_names.markdown()


def test_the_states_are_those_of_the_code():
    drawn = draw.svg_of(job_states.job_states, "the states of a job")
    assert (DOCS / "queue" / "states.svg").read_text() == drawn


def test_every_command_of_the_page_is_one():
    from service.cli.front.commands import COMMANDS

    named = set(re.findall(r"stichwerk ([a-z]+)", PAGE))
    assert named <= {words.partition(" ")[0] for words in COMMANDS}
    assert {"up", "submit", "job", "jobs", "result", "retry", "serve", "worker"} <= named
