"""Every published schema is one, and what commands print is what theirs say.

The answers of commands that take long are held to theirs where these commands are tested.
"""

import json

import pytest
from jsonschema import Draft202012Validator

from service.cli.front.application import all_commands
from service.results.published import schema, schema_names, version_of
from tests.service.schemas_check import hold_to_schema

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")
TEN = "CJ HJ CA C10 CQ C8 SA S10 HA D7"


@pytest.mark.parametrize("command", schema_names())
def test_a_schema_is_one_of_a_command(command):
    found = schema(command)
    Draft202012Validator.check_schema(found)
    assert found["$id"] == f"urn:stichwerk:schema:{command.replace(' ', '-')}:{version_of(found)}"


def test_every_command_with_json_has_a_schema():
    assert set(schema_names()) == {
        words for words, command in all_commands().items()
        if any("--json" in one.opts for one in command.params)
    }  # fmt: skip


def test_schemas_are_listed_and_printed(stichwerk, answer_of):
    answer = answer_of("schema")
    listed = answer["schemas"]
    assert [row["command"] for row in listed] == schema_names()
    asked = "compile run bench games targets backends jobs job result advise estimate train peers"
    assert {*asked.split(), "gates check"} <= set(schema_names())
    done = stichwerk("schema", "gates", "check")
    assert json.loads(done.out) == schema("gates check")
    assert "gates check" in stichwerk("schema").out
    done = stichwerk("schema", "compil")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'compile'?" in done.err


def test_what_is_compiled_and_run_is_what_its_schema_says(stichwerk, answer_of):
    hold_to_schema("compile", answer_of("compile", "toy.toml", *FAST))
    run = ("run", "ghz2.qasm", "--backend", "sparse", "--shots", "20", *FAST)
    hold_to_schema("run", answer_of(*run))
    hold_to_schema("result", json.loads(stichwerk("result", "1").out))
    hold_to_schema("job", answer_of("job", "1"))
    hold_to_schema("jobs", answer_of("jobs"))
    hold_to_schema("records prune", answer_of("records", "prune", "--dry-run"))
    hold_to_schema("rescore", answer_of("rescore", "1"))
    submitted = ("submit", "ghz2.qasm", "--backend", "sparse", "--method", "fast")
    hold_to_schema("submit", answer_of(*submitted))
    hold_to_schema("job", answer_of("job", "2"))
    hold_to_schema("jobs", answer_of("jobs"))
    hold_to_schema("cancel", answer_of("cancel", "2"))
    hold_to_schema("retry", answer_of("retry", "2"))
    hold_to_schema("restored", answer_of("restored"))


def test_what_families_answer_is_what_their_schemas_say(answer_of):
    value = ("skat", "value", "--contract")
    hold_to_schema("skat value", answer_of(*value, "S hand", "--matadors", "2"))
    hold_to_schema("skat value", answer_of(*value, "null"))
    hold_to_schema("skat bid", answer_of("skat", "bid", "--hand", TEN, "--seconds", "1"))
    hold_to_schema(
        "endless evaluate", answer_of("endless", "evaluate", "--start", "00", "--gates", "X1 I")
    )
    few = ("--games", "endless-fun:three", "--trajectories", "10")
    hold_to_schema("qudits compare", answer_of("qudits", "compare", *few))
    hold_to_schema("qudits export", answer_of("qudits", "export"))
