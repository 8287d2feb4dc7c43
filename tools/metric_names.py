"""The table of metrics in `docs/metrics.md`; `python -m tools.metric_names` writes it."""

import re
from collections.abc import Iterator
from pathlib import Path

import service.api.metrics  # noqa: F401 - declares the metrics of the API
from workers.metrics.family import FAMILIES, Source
from workers.metrics.from_records.runs import BY_RUN
from workers.metrics.labels import BY_CONFIGURATION

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"
TABLE = re.compile(
    r"(?<=<!-- metrics: tools/metric_names.py -->\n).*?(?=\n<!-- end -->)", re.DOTALL
)

UNITS = (
    ("_timestamp_seconds", "Unix time, s"),
    ("_seconds", "s"),
    ("_usd", "US dollars"),
    ("_usd_total", "US dollars"),
    ("_ratio", "1"),
)


def markdown() -> str:
    """Return the table: name, type, labels, unit, meaning, and who exports it."""
    rows = ["| metric | type | labels | unit | meaning | from |", "|---|---|---|---|---|---|"]
    order = list(Source)
    for family in sorted(FAMILIES.values(), key=lambda family: order.index(family.source)):
        labels = ", ".join(shortened(family.labels))
        cells = (f"`{family.name}`", family.kind, labels, unit(family.name), family.meaning)
        rows.append(f"| {' | '.join(cells)} | {family.source} |")
    return "\n".join(rows)


def shortened(labels: tuple[str, ...]) -> Iterator[str]:
    """Yield labels as the page writes them: R and C stand for those that go together."""
    for letter, together in (("R", BY_RUN), ("C", BY_CONFIGURATION)):
        if labels[: len(together)] == together:
            yield f"*{letter}*"
            labels = labels[len(together) :]
    yield from (f"`{name}`" for name in labels)


def unit(name: str) -> str:
    """Return the unit of a metric, by the end of its name; nothing for counts."""
    return next((text for end, text in UNITS if name.endswith(end)), "")


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda _: markdown(), PAGE.read_text()))
