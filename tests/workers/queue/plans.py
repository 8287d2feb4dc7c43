"""How much a database reads to answer a question."""

from typing import Any


def rows_read(plan: dict[str, Any]) -> float:
    """Return the rows that a plan of PostgreSQL has looked at."""
    here = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    below = sum(rows_read(part) for part in plan.get("Plans", []))
    return float(plan["Actual Loops"] * here if "Scan" in plan["Node Type"] else 0) + below
