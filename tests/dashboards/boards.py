"""The generated dashboards, read from their files."""

import json
import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from tests.dashboards.rule_files import ROOT

FOLDER = ROOT / "dashboards" / "grafana"
BOARDS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))
}

VARIABLE = re.compile(r"\$\{?(?!__)(\w+)")
OWN_METRIC = re.compile(r"(?<![:\w])stichwerk_\w+(?![:\w])")
RECORDED = re.compile(r"\b\w+:stichwerk_\w+:\w+")


@frozen(eq=False)
class Question:
    """What one panel or variable asks its data source.

    Args:
        board: the dashboard's uid.
        panel: the panel's title, or the variable's name.
        ref_id: of the query within the panel; empty for variables.
        text: in PromQL, or SQL.
        target: the query as it is in the file; for variables the variable.
    """

    board: str
    panel: str
    ref_id: str
    text: str
    target: dict[str, Any]

    @property
    def sql(self) -> bool:
        """Return whether it is one to PostgreSQL."""
        return "postgresql" in self.target["datasource"]["type"]

    def __str__(self) -> str:
        return f"{self.board}: {self.panel} {self.ref_id}".strip()


def panels(board: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a dashboard's panels without its headings."""
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def questions() -> Iterator[Question]:
    """Return what all panels ask."""
    for uid, board in BOARDS.items():
        for panel in panels(board):
            for target in panel["targets"]:
                text = target.get("expr") or target["rawSql"]
                yield Question(uid, panel["title"], target["refId"], text, target)


def choices() -> Iterator[Question]:
    """Return what the variables with a query ask."""
    for uid, board in BOARDS.items():
        for variable in board["templating"]["list"]:
            if variable["type"] == "query":
                yield Question(uid, variable["name"], "", variable["query"], variable)


def metrics_in(expression: str) -> set[str]:
    """Return the metrics of ours that PromQL names; histograms without their suffixes."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in OWN_METRIC.findall(expression)}


def recorded_in(expression: str) -> set[str]:
    """Return the recorded series that PromQL names."""
    return set(RECORDED.findall(expression))
