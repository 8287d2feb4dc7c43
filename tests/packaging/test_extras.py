"""Each command works with the extras that it needs, and names the one that is missing."""

import json
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
    "run skat-4 -b sparse --shots 20 --method fast --processes 1": "",
    "targets": "",
    "backends": "",
    "gates update --suite SUITE": "",
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


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """The lines of stderr of each command."""
    folder = tmp_path_factory.mktemp("plain")
    suite = folder / "gates.toml"
    suite.write_text('programs = ["skat-4"]\ntargets = ["star"]\nmethods = ["fast"]\n')
    commands = [command.replace("SUITE", str(suite)).split() for command in CASES]
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, json.dumps(commands)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *parts, rest = ran.stderr.split("exit code ")
    codes = [part[0] for part in [*parts[1:], rest]]
    texts = [parts[0], *(part[2:] for part in parts[1:])]
    return dict(zip(CASES, zip(codes, texts, strict=True), strict=True))


@pytest.mark.parametrize(("command", "extra"), CASES.items())
def test_a_command_names_the_extra_that_it_needs(messages, command, extra):
    code, text = messages[command]
    if extra:
        assert code == "2", text
        assert text.splitlines()[-1].endswith(f"pip install 'stichwerk[{extra}]'")
    else:
        assert code == "0", text


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
