"""JSON that parsers, databases and encoders differ about: never the server's mistake."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2

from .attack import Siege, attack
from .serving import api

TEXTS = (
    '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\uffff"', '"' + "a" * 9000 + '"',
    "1e999", "-1e999", "NaN", "Infinity", "9" * 5000, "1" + "0" * 400 + ".5", "1e-999", "-0",
    "null", "true", "[]", "{}", "[" * 2000 + "]" * 2000, '{"a":' * 2000 + "1" + "}" * 2000,
    '{"a": 1, "a": 2}', '"1_0"', '" 1"', '"\\u0661"', "1.5", '"Infinity"', '"\\u202e"',
    '"game = \\"\\ud800\\""', '"a.' + "a." * 3000 + 'a = 1"', '"players = ' + "9" * 9000 + '"',
)  # fmt: skip
"""Values, as text of JSON."""
FIELDS = (
    "program", "game", "file", "backend", "target", "shots", "seed", "repeat", "tag", "method",
    "encoding", "objective", "any_input", "max_cost_usd", "unknown", "\ud800",
)  # fmt: skip
SANE: dict[str, Any] = {"program": "skat-4", "backend": "sparse", "method": "fast", "shots": 1}


@attack("hostile-json", "bodies that parsers, databases and encoders differ about")
def hostile_json(siege: Siege) -> Iterator[str]:
    """Put every text into every field, and into those of a file and a game."""
    bodies = [(name, text) for name in FIELDS for text in TEXTS]
    bodies += [(f"{outer}.{name}", text) for outer, name in
               (("file", "name"), ("file", "content"), ("game", "game"), ("game", "players"))
               for text in TEXTS]  # fmt: skip
    siege.chance.shuffle(bodies)
    with api(siege) as here:
        for field, text in bodies:
            if siege.over():
                return
            try:
                answer = here.post(_body(field, text))
            except httpx2.HTTPError as error:
                yield f"{field} = {text[:40]}: {type(error).__name__}"
                continue
            siege.tried[str(answer.status_code)] += 1
            if answer.status_code not in (202, 400, 413, 422, 503):
                yield f"{field} = {text[:40]}: {answer.status_code} {answer.text[:80]}"
            if answer.status_code >= 400 and answer.json().keys() != {"detail"}:
                yield f"{field} = {text[:40]}: refused with {answer.text[:80]}"
        if "Traceback" in here.log.read_text():
            yield "a traceback in the log"


def _body(field: str, text: str) -> bytes:
    outer, _, inner = field.partition(".")
    known = {name: json.dumps(value) for name, value in SANE.items()}
    if outer in ("file", "game"):
        del known["program"]
    if inner:
        beside = {"file": {"name": '"a.qasm"', "content": '"x"'}, "game": {}}[outer] | {inner: text}
        text = "{" + ", ".join(f'"{name}": {value}' for name, value in beside.items()) + "}"
    known[outer] = text
    pairs = (f"{json.dumps(name)}: {value}" for name, value in known.items())
    return ("{" + ", ".join(pairs) + "}").encode()
