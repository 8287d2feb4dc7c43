"""A mitigated run as a table: raw values, and beside them what each method makes of them."""

from collections.abc import Mapping
from typing import Any

from compiler.judge import observable_title
from compiler.words.plurals import how_many
from service.cli.output.printing import print_table

KINDS = ("raw", "treated", "extrapolated")


def print_mitigated(found: Mapping[str, Any], width: int | None = None) -> None:
    """Print what `workers.mitigation.document` returns."""
    values = found["observables"].values()
    shown = [kind for kind in KINDS if kind == "raw" or any(one[kind] for one in values)]
    rows: list[tuple[object, ...]] = [
        (
            observable_title(name, one["kind"]),
            *(_value(one[kind]) for kind in shown),
            "" if one["exact"] is None else f"{one['exact']:.3f}",
        )
        for name, one in found["observables"].items()
    ]
    fidelity = found["normalized_fidelity"]
    rows.append(("normalised fidelity", *(_number(fidelity.get(kind)) for kind in shown), ""))
    extra = found["extra"]
    circuits = how_many(extra["circuits"], "more circuit")
    money = f", {extra['cost_usd']} USD" if extra["cost_usd"] else ""
    print_table(
        f"Mitigated by {', '.join(found['methods'])}, with 95 % intervals "
        f"({circuits}, {how_many(extra['shots'], 'more shot')}{money})",
        ("", *shown, "exact"),
        rows,
        width,
    )


def _value(one: Mapping[str, Any] | None) -> str:
    if one is None or one["measured"] is None:
        return ""
    if one["low"] is None:
        return f"{one['measured']:.3f}"
    return f"{one['measured']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
