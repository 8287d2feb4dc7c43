"""Every command with `--json` has a schema, which `schema` prints."""

import json

import pytest
from jsonschema import Draft202012Validator

from service.cli.front.application import all_commands
from service.results.published import schema, schema_names, version_of


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
