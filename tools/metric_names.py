"""The tables of metrics in `docs/metrics*.md`; `python -m tools.metric_names` writes them."""

import re
from pathlib import Path

import service.api.metrics  # noqa: F401 - declares the metrics of the API
from tools.tables import table, with_table
from workers.metrics.family import FAMILIES, Family, Source
from workers.metrics.from_records.runs import BY_RUN
from workers.metrics.labels import BY_CONFIGURATION

DOCS = Path(__file__).parents[1] / "docs"
SERVICE_PAGE, RESULTS_PAGE = DOCS / "metrics.md", DOCS / "metrics-results.md"
RESULTS = re.compile("stichwerk_(benchmark|estimate|peer|program)_")


def service_table() -> str:
    """Return the metrics of the service: name, type, labels, meaning, and who exports it."""
    order = list(Source)
    families = [family for family in FAMILIES.values() if not RESULTS.match(family.name)]
    return table(
        ("metric", "type", "labels", "meaning", "from"),
        (
            (f"`{family.name}`", family.kind, labels(family), family.meaning, family.source)
            for family in sorted(families, key=lambda family: order.index(family.source))
        ),
    )


def results_table() -> str:
    """Return the metrics of results, gauges from the records: name, labels and meaning."""
    return table(
        ("metric", "labels", "meaning"),
        (
            (f"`{family.name}`", labels(family), family.meaning)
            for family in FAMILIES.values()
            if RESULTS.match(family.name)
        ),
    )


def labels(family: Family) -> str:
    """Return labels as the pages write them: R and C stand for those that go together."""
    names, groups = family.labels, []
    for letter, together in (("R", BY_RUN), ("C", BY_CONFIGURATION)):
        if names[: len(together)] == together:
            groups.append(f"*{letter}*")
            names = names[len(together) :]
    return ", ".join((*groups, *(f"`{name}`" for name in names)))


TABLES = {SERVICE_PAGE: service_table, RESULTS_PAGE: results_table}


if __name__ == "__main__":
    for page, write in TABLES.items():
        page.write_text(with_table(page.read_text(), write()))
