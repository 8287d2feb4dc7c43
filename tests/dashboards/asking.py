"""Asks what Grafana would ask, with its variables filled in, and judges the answers."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from tests.dashboards.boards import BOARDS, Question, panels
from tests.servers.prometheus import PrometheusServer

WINDOWS = {"$__rate_interval": "10m", "$__range": "10m"}
"""Longer than any test: all that has been counted is within."""

LABEL_VALUES = re.compile(r"label_values\((.+), (\w+)\)")
LEGEND = re.compile(r"\{\{(\w+)\}\}")
SELECTOR = re.compile(r"[\w:]+\{[^{}]*\}|\b(?:[a-z]+:)?stichwerk_[\w:]+(?!\{)")


@frozen
class Series:
    """One series of an answer: its labels, and its newest value."""

    labels: Mapping[str, str]
    value: float


def filled(text: str, values: Mapping[str, Sequence[str]] = {}) -> str:
    """Return PromQL with Grafana's variables filled in; variables without values are `.*`."""
    for name, window in WINDOWS.items():
        text = text.replace(name, window)
    return re.sub(
        r"\$(\w+)", lambda found: "|".join(map(re.escape, values.get(found[1], ()))) or ".*", text
    )


def answer(prometheus: PrometheusServer, question: Question) -> list[Series]:
    """Return what a panel is given: of ranges the newest value that is a number."""
    expression = filled(question.text)
    if question.target.get("instant"):
        return [
            Series(one["metric"], float(one["value"][1])) for one in prometheus.query(expression)
        ]
    end = prometheus.now()
    found = prometheus.ask(
        "query_range", query=expression, start=str(end - 60), end=str(end), step="5"
    )["result"]
    return [Series(one["metric"], _newest(one["values"])) for one in found]


def _newest(values: Sequence[tuple[float, str]]) -> float:
    numbers = [number for _, text in values if math.isfinite(number := float(text))]
    return numbers[-1] if numbers else math.nan


def choices_of(prometheus: PrometheusServer, variable: Question) -> list[str]:
    """Return the values that a variable offers, as Grafana finds them."""
    found = LABEL_VALUES.fullmatch(variable.text)
    assert found is not None, variable.text
    series, label = found.groups()
    values: list[str] = prometheus.ask(f"label/{label}/values", **{"match[]": filled(series)})
    return values


def labels_wanted(panel: Mapping[str, Any]) -> set[str]:
    """Return the labels that a panel shows; empty ones are none to Prometheus."""
    legends = [target.get("legendFormat", "") for target in panel["targets"]]
    wanted = set(LEGEND.findall(" ".join(legends)))
    for transformation in panel.get("transformations", ()):
        options = transformation["options"]
        if transformation["id"] == "organize":
            wanted |= {name for name in options["indexByName"] if not name.startswith("Value")}
        elif transformation["id"] == "groupingToMatrix":
            wanted |= {options["rowField"], options["columnField"]}
    return wanted


def unit_of(panel: Mapping[str, Any], ref_id: str) -> str:
    """Return the unit of a query's values, which in a table is its column's."""
    defaults: str = panel["fieldConfig"]["defaults"]["unit"]
    for transformation in panel.get("transformations", ()):
        column = transformation["options"].get("renameByName", {}).get(f"Value #{ref_id}")
        for override in panel["fieldConfig"].get("overrides", ()):
            if override["matcher"]["options"] == column:
                units = [one["value"] for one in override["properties"] if one["id"] == "unit"]
                return str(units[0])
    return defaults


def plausible(question: Question, unit: str, value: float, now: float) -> bool:
    """Tell whether a value can be what it is said to be, in a test of some minutes."""
    if "fidelity_change" in question.text:
        return -2 <= value <= 2
    if "fidelity_ratio" in question.text and "count(" not in question.text:
        return -1 <= value <= 1 + 1e-9
    most = {
        "percentunit": 1 + 1e-9,
        "s": 1800.0,
        "currencyUSD": 1000.0,
        "dateTimeAsIso": 1000 * (now + 60),
        "cpm": 10_000.0,
        "cps": 100.0,
        "reqps": 100.0,
    }
    least = 1000 * (now - 3600) if unit == "dateTimeAsIso" else 0
    return least <= value <= most.get(unit, 100_000.0)


def problems_of_panels(prometheus: PrometheusServer) -> Iterator[str]:
    """Yield what is wrong with the answers to the panels' questions to Prometheus."""
    now = prometheus.now()
    for uid, board in BOARDS.items():
        for panel in panels(board):
            if panel["datasource"]["type"] == "prometheus":
                asked = [
                    Question(uid, panel["title"], target["refId"], target["expr"], target)
                    for target in panel["targets"]
                ]
                answers = {question: answer(prometheus, question) for question in asked}
                for question, series in answers.items():
                    yield from _problems_of_numbers(question, series, panel, now)
                labels = {
                    label for series in answers.values() for one in series for label in one.labels
                }
                for label in labels_wanted(panel) - labels:
                    yield f"{uid}: {panel['title']}: no label {label}"


def _problems_of_numbers(
    question: Question, series: Sequence[Series], panel: Mapping[str, Any], now: float
) -> Iterator[str]:
    numbers = [one for one in series if math.isfinite(one.value)]
    if not numbers:
        yield f"{question}: no number, of {len(series)} series"
    unit = unit_of(panel, question.ref_id)
    for one in numbers:
        if not plausible(question, unit, one.value, now):
            yield f"{question}: {one.value} {unit} for {dict(one.labels)}"


def selectors_in(expression: str) -> set[str]:
    """Return the series that PromQL selects, so that each can be asked for by itself."""
    return set(SELECTOR.findall(expression))
