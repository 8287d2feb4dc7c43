"""Every published schema is one, and what commands print is what theirs say.

The answers of commands that take long are held to theirs where these commands are tested.
"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from service.cli import COMMANDS
from service.schemas.published import schema, schema_files, version_of
from tests.service.schemas_check import hold_to_schema

FAST = ("--method", "fast", "--processes", "1")
DEVICE = Path(__file__).parents[4] / "examples/devices"


@pytest.mark.parametrize("command", schema_files())
def test_a_schema_is_one_of_a_command(command):
    found = schema(command)
    Draft202012Validator.check_schema(found)
    assert command.split()[0] in COMMANDS
    assert found["$id"] == f"urn:stichwerk:schema:{command.replace(' ', '-')}:{version_of(found)}"


def test_schemas_are_listed_and_printed(stichwerk, answer_of):
    listed = answer_of("schema")["schemas"]
    assert [row["command"] for row in listed] == list(schema_files())
    asked = "compile run bench games targets backends jobs job result advise estimate train peers"
    assert {*asked.split(), "gates check"} <= set(schema_files())
    done = stichwerk("schema", "gates", "check")
    assert json.loads(done.out) == schema("gates check")
    assert "gates check" in stichwerk("schema").out
    done = stichwerk("schema", "compil")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'compile'?" in done.err


def test_lists_are_what_their_schemas_say(answer_of):
    for command in ("games", "targets", "backends"):
        hold_to_schema(command, answer_of(command))
    hold_to_schema("games", answer_of("games", "toy.toml"))
    device = DEVICE / "square-nine.toml"
    hold_to_schema("targets", answer_of("targets", str(device)))


def test_what_is_compiled_and_run_is_what_its_schema_says(stichwerk, answer_of):
    hold_to_schema("compile", answer_of("compile", "toy.toml", *FAST))
    run = ("run", "ghz2.qasm", "--backend", "sparse", "--shots", "20", *FAST)
    hold_to_schema("run", answer_of(*run))
    hold_to_schema("result", json.loads(stichwerk("result", "1").out))
    hold_to_schema("job", answer_of("job", "1"))
    hold_to_schema("jobs", answer_of("jobs"))
    hold_to_schema("records prune", answer_of("records", "prune", "--dry-run"))
    submitted = ("submit", "ghz2.qasm", "--backend", "sparse", "--method", "fast")
    assert stichwerk(*submitted).code == 0
    hold_to_schema("job", answer_of("job", "2"))
    hold_to_schema("jobs", answer_of("jobs"))


def test_the_gate_answers_what_its_schema_says(folder, stichwerk, answer_of):
    suite = 'programs = ["ghz2.qasm"]\ntargets = ["star"]\nmethods = ["fast"]\n'
    (folder / "gates.toml").write_text(suite)
    kept = ("--cache", "cache", "--processes", "1")
    assert stichwerk("gates", "update", *kept).code == 0
    hold_to_schema("gates check", answer_of("gates", "check", *kept))
