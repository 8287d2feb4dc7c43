"""Every command with `--json` has a schema, which `schema` prints."""

import json

from service.cli.front.application import all_commands
from service.cli.front.schema import RESULTS, schema


def test_every_command_with_json_has_a_schema():
    assert set(RESULTS) == {
        words for words, command in all_commands().items()
        if any("--json" in one.opts for one in command.params)
    }  # fmt: skip


def test_schemas_are_listed_and_printed(stichwerk, answer_of):
    assert [row["command"] for row in answer_of("schema")["schemas"]] == sorted(RESULTS)
    done = stichwerk("schema", "gates", "check")
    assert json.loads(done.out) == schema("gates check")
    assert "gates check" in stichwerk("schema").out
    done = stichwerk("schema", "compil")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'compile'?" in done.err
