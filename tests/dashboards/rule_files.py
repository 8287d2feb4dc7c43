"""The rules and their cases, read from their files."""

from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "dashboards" / "rules").glob("*.yml"))
CASES = sorted((Path(__file__).parent / "rules").glob("*.yml"))


@frozen
class Rule:
    """One recording or alert rule.

    Args:
        name: of the series that it records, or of the alert.
        kind: `record` or `alert`.
        expression: in PromQL.
        fields: the rule as it is in the file.
    """

    name: str
    kind: str
    expression: str
    fields: dict[str, Any]


def rules() -> list[Rule]:
    """Return every rule, in the order of the files."""
    found = []
    for path in RULES:
        for group in yaml.safe_load(path.read_text())["groups"]:
            for fields in group["rules"]:
                kind = "record" if "record" in fields else "alert"
                found.append(Rule(fields[kind], kind, fields["expr"], fields))
    return found


def alerts() -> list[Rule]:
    """Return every alert."""
    return [rule for rule in rules() if rule.kind == "alert"]


def cases() -> list[dict[str, Any]]:
    """Return every case that promtool plays."""
    return [case for path in CASES for case in yaml.safe_load(path.read_text())["tests"]]
