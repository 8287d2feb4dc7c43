"""Each command works with the extras that it needs, and names the one that is missing."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from compiler.errors import EXTRAS, MissingExtraError

ROOT = Path(__file__).parents[2]
WITHOUT_EXTRAS = """
import json, sys
from importlib.machinery import PathFinder
from compiler.errors import EXTRAS

class Plain(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = any(f"{name}.".startswith(f"{extra}.") for extra in EXTRAS)
        return None if hidden else super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *context):
        every = super().find_distributions(*context)
        return (each for each in every if each.name not in ("mqt-qcec", "pytket-qiskit"))

sys.meta_path[sys.meta_path.index(PathFinder)] = Plain
from service.cli import main
for command in json.loads(sys.argv[1]):
    try:
        main(command)
    except SystemExit as ended:
        print(f"exit code {ended.code}", file=sys.stderr)
"""
"""A program that runs commands as if no extra were installed."""

CASES = {
    "run chsh -b sparse --shots 20 --method fast --processes 1": "",
    "targets": "",
    "backends": "",
    "gates update --suite SUITE --processes 1": "",
    "compile skat-4 -t heavy-hex:boston": "ibm",
    "run skat-4 -b aer:boston": "ibm",
    "run skat-4 -b ibm-fake:boston": "ibm",
    "run skat-4 -b ibm:boston": "ibm",
    "run skat-4 -b braket:garnet": "braket",
    "run skat-4 -b braket-local": "braket",
    "submit skat-4 -b aer": "service",
    "status": "service",
    "serve": "service",
    "report": "service",
    "crossover": "estimation",
    "peers --suite circuits": "peers",
}
"""The extra that a command asks for, empty if it needs none."""


def test_a_command_names_the_extra_that_it_needs(tmp_path):
    suite = tmp_path / "gates.toml"
    suite.write_text('programs = ["chsh"]\ntargets = ["star"]\nmethods = ["fast"]\n')
    commands = [command.replace("SUITE", str(suite)).split() for command in CASES]
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, json.dumps(commands)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *texts, last = re.split(r"^exit code (?=\d+$)", ran.stderr, flags=re.MULTILINE)
    codes = [text.split("\n")[0] for text in [*texts[1:], last]]
    assert dict(zip(CASES, codes, strict=True)) == {
        command: "2" if extra else "0" for command, extra in CASES.items()
    }
    for extra, text in zip(CASES.values(), texts, strict=True):
        if extra:
            assert text.rstrip().endswith(f"pip install 'stichwerk[{extra}]'")


def test_every_extra_named_in_messages_is_declared():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS.values()) <= set(declared["optional-dependencies"])


@pytest.mark.parametrize("module", ["mqt.qcec", "pytket.extensions.qiskit", "celery"])
def test_pythons_own_error_about_an_extra_is_recognised(module):
    error = MissingExtraError.of(ModuleNotFoundError(f"No module named {module!r}", name=module))
    assert error is not None


@pytest.mark.parametrize("module", ["pytket.circuit", "mqtx", "braketless"])
def test_other_missing_modules_are_no_extras(module):
    assert MissingExtraError.of(ModuleNotFoundError(name=module)) is None
