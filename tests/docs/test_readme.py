"""The commands of the README run as written, from a fresh folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
COMMANDS = [
    line.partition("#")[0].strip() for line in re.findall(r"^stichwerk [^\n]+", TEXT, re.MULTILINE)
]


def test_the_first_screen_has_three_commands():
    assert len(COMMANDS) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(tmp_path, command):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "service", *shlex.split(command)[1:]],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


def test_the_readme_can_be_skimmed():
    assert len(TEXT.split()) <= 700
