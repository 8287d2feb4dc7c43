"""A mitigated run as a table: raw values, and beside them what each method makes of them."""

from compiler.judge import observable_title
from compiler.words.plurals import how_many
from service.cli.output.printing import print_table
from service.results.jobs.runs import Interval, MitigationResult

KINDS = ("raw", "treated", "extrapolated")


def print_mitigated(result: MitigationResult, width: int | None = None) -> None:
    """Print raw values beside mitigated ones."""
    values = result.observables.values()
    shown = [kind for kind in KINDS if kind == "raw" or any(getattr(one, kind) for one in values)]
    rows: list[tuple[object, ...]] = [
        (
            observable_title(name, one.kind),
            *(_value(getattr(one, kind)) for kind in shown),
            _number(one.exact),
        )
        for name, one in result.observables.items()
    ]
    fidelity = result.normalized_fidelity.model_dump()
    rows.append(("normalised fidelity", *(_number(fidelity.get(kind)) for kind in shown), ""))
    extra = result.extra
    circuits = how_many(extra.circuits, "more circuit")
    money = f", {extra.cost_usd} USD" if extra.cost_usd else ""
    print_table(
        f"Mitigated by {', '.join(result.methods)}, with 95 % intervals "
        f"({circuits}, {how_many(extra.shots, 'more shot')}{money})",
        ("", *shown, "exact"),
        rows,
        width,
    )


def _value(value: Interval | None) -> str:
    if value is None or value.measured is None:
        return ""
    if value.low is None:
        return f"{value.measured:.3f}"
    return f"{value.measured:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
