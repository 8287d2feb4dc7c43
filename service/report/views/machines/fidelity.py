"""Fidelity of machines over time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from compiler.words.held_inputs import from_zero_suffix
from service.pages.plots import Plot, Point, hues, rounded, traces
from service.pages.tables import Section, count_of, figure_of, job_link, nothing, table
from service.report.records import Records
from service.report.views.naming import clock, newest, run_names
from workers.records.queries.runs import MAX_RUNS, Run

MAX_ROWS = 500
CHOICES = (
    ("raw", "raw"),
    ("post_selected", "post-selected"),
    ("mitigated", "readout mitigated"),
    ("expected", "expected"),
)
DASHES = ("solid", "dash", "dot", "dashdot")
LOWEST, HIGHEST = -0.3, 1.06
HOVER = (
    "%{y:.3f}, job %{customdata[0]}, %{customdata[1]} shots, "
    "%{customdata[2]} two-qubit gates%{customdata[3]}"
)


def fidelity(records: Records) -> Section:
    """Return all runs over time in one plot, and as a table."""
    groups = [circuit.runs for circuit in records.circuits if any(map(_drawable, circuit.runs))]
    if not groups:
        return Section(
            "fidelity",
            "Fidelity over time",
            parts=[nothing("No run has a normalised fidelity yet.")],
        )
    names = run_names([group[0] for group in groups])
    shown = newest(min(MAX_RUNS, records.all_runs), records.all_runs, "scored runs")
    says = (
        f"Normalised Hellinger fidelity of {shown}: 0 is uniform noise, 1 is a perfect device. "
        "Expected: product of the calibrated success probabilities of all gates, readouts and "
        "idle times. A line connects runs of one native circuit. Axes end at −0.3; drag to zoom, "
        "double-click to reset."
    )
    return Section(
        "fidelity",
        "Fidelity over time",
        says,
        [_together(records, names, groups), _table(records)],
    )


def value_of(run: Run, kind: str) -> float | None:
    """Return a run's expected fidelity, or the normalised one of its scores of a kind."""
    if kind == "expected":
        return rounded(run.expected_fidelity)
    score = run.scores.get(kind)
    return None if score is None else rounded(score.normalized_fidelity)


def _drawable(run: Run) -> bool:
    return any(value_of(run, kind) is not None for kind, _ in CHOICES)


def _together(records: Records, names: Sequence[str], groups: Sequence[Sequence[Run]]) -> Plot:
    used = [
        (kind, label)
        for kind, label in CHOICES
        if any(value_of(run, kind) is not None for group in groups for run in group)
    ]
    several = len({group[0].configuration.program for group in groups}) > 1
    ways = sorted({group[0].configuration.way for group in groups})
    titles = [
        f"{group[0].configuration.program} · {name}" if several else name
        for name, group in zip(names, groups, strict=True)
    ]
    # One device's colour would tell nothing apart.
    alone = hues(titles) if len({group[0].backend for group in groups}) == 1 else {}
    points: list[Point] = []
    looks: dict[str, Mapping[str, Any]] = {}
    for title, group in zip(titles, groups, strict=True):
        first = group[0]
        looks[title] = {
            "color": alone.get(title) or records.devices.get(first.backend, "--soft"),
            "dash": DASHES[ways.index(first.configuration.way) % len(DASHES)],
            "width": 1.5,
        }
        for choice, (kind, _) in enumerate(used):
            points += _points(group, kind, title, choice)
    return Plot(
        "fidelity-all",
        "All devices",
        "Normalised fidelity of every scored run over time, one line for each native circuit "
        "of a program on each backend. The overview has a table of the newest values.",
        traces(points, HOVER, lambda title: {"line": looks[title], "marker": {"size": 6}},
               mode="lines+markers"),
        {
            "xaxis": {"type": "date"},
            "yaxis": {"title": {"text": "normalised fidelity"}, "range": _range(points)},
        },
        380,
        [label for _, label in used],
        "which",
    )  # fmt: skip


def _range(points: Sequence[Point]) -> list[float]:
    """Return a range from 0 to 1, or from below 0 if values are there, but not far."""
    least = min((point.y for point in points), default=0)
    return [max(LOWEST, least - 0.05) if least < 0 else -0.02, HIGHEST]


def _points(group: Sequence[Run], kind: str, name: str, choice: int) -> Iterator[Point]:
    for run in reversed(group):
        value = value_of(run, kind)
        if value is not None:
            suffix = from_zero_suffix(from_zero=run.from_zero)
            data = (run.job, run.shots, run.two_qubit_gates, suffix)
            program = run.configuration.program
            yield Point(name, run.at, value, data, program=program, choice=choice)


def _table(records: Records) -> Markup:
    runs = records.runs[:MAX_ROWS]
    columns = (
        "time (UTC)", "program", "circuit", "target", "backend",
        *(label for _, label in CHOICES),
        "Hellinger, raw", "legal shots", "two-qubit gates", "shots", "job",
    )  # fmt: skip
    return table(
        f"Scored runs over time, {newest(len(runs), records.all_runs, 'of them')}",
        columns,
        [_row(run, records) for run in runs],
        programs=[run.configuration.program for run in runs],
    )


def _row(run: Run, records: Records) -> tuple[object, ...]:
    raw = run.scores.get("raw")
    return (
        clock(run.at), run.configuration.program, run.configuration.way, run.calibrated_target,
        run.backend,
        *(figure_of(value_of(run, kind)) for kind, _ in CHOICES),
        figure_of(None if raw is None else raw.hellinger_fidelity),
        figure_of(None if raw is None else raw.legal_fraction),
        count_of(run.two_qubit_gates, from_zero=run.from_zero), run.shots,
        job_link(run.job, records.linked),
    )  # fmt: skip
