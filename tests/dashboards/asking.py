"""Asks what Grafana would ask, with its variables filled in."""

import math
import re
from collections.abc import Iterator

from tests.dashboards.boards import Question, questions
from tests.servers.prometheus import PrometheusServer

WINDOWS = {"$__rate_interval": "10m", "$__range": "10m"}
"""Longer than any test: all that has been counted is within."""
LABEL_VALUES = re.compile(r"label_values\((.+), (\w+)\)")
SELECTOR = re.compile(r"[\w:]+\{[^{}]*\}|\b(?:[a-z]+:)?stichwerk_[\w:]+(?!\{)")


def filled(text: str) -> str:
    """Return PromQL with Grafana's windows filled in; other variables are `.*`."""
    for name, window in WINDOWS.items():
        text = text.replace(name, window)
    return re.sub(r"\$\w+", ".*", text)


def choices_of(prometheus: PrometheusServer, variable: Question) -> list[str]:
    """Return the values that a variable offers, as Grafana finds them."""
    found = LABEL_VALUES.fullmatch(variable.text)
    assert found is not None, variable.text
    series, label = found.groups()
    values: list[str] = prometheus.ask(f"label/{label}/values", **{"match[]": filled(series)})
    return values


def problems_of_panels(prometheus: PrometheusServer) -> Iterator[str]:
    """Yield the panels' questions to Prometheus that no number answers."""
    for question in questions():
        if not question.sql:
            found = prometheus.query(filled(question.text))
            if not any(math.isfinite(float(one["value"][1])) for one in found):
                yield f"{question}: no number, of {len(found)} series"


def selectors_in(expression: str) -> set[str]:
    """Return the series that PromQL selects, so that each can be asked for by itself."""
    return set(SELECTOR.findall(expression))
