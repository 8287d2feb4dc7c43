"""How close to perfect the machines are, over time."""

from collections.abc import Sequence
from typing import Any

from compiler.words.held_inputs import from_zero_suffix
from service.report.markup import Html, count_of, figure_of, plain, table
from service.report.plot import COLOURS, Plot, Trace, about, label, moment, rounded
from service.report.records import Records
from service.report.section import Section, newest, nothing
from service.report.views.naming import clock, job_link, run_names
from workers.records.queries.runs import MAX_RUNS, Run

MOST_PANELS = 24
MOST_ROWS = 500
CHOICES = (
    ("raw", "raw"),
    ("post_selected", "post-selected on legal outcomes"),
    ("mitigated", "readout mitigated"),
    ("expected", "expected from calibration"),
)
DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = {"raw": "circle", "post_selected": "diamond", "mitigated": "square"}
LOWEST, HIGHEST = -0.3, 1.06


def fidelity(records: Records) -> Section:
    """Return all runs over time: every series in one plot, and each in a plot of its own."""
    groups = [one.runs for one in records.circuits if any(map(_drawable, one.runs))]
    if not groups:
        return Section(
            "fidelity", "Fidelity over time", parts=[nothing("No run has a normalised fidelity.")]
        )
    names = run_names([group[0] for group in groups])
    several = [(n, group) for n, group in zip(names, groups, strict=True) if len(group) > 1]
    panels = [_panel(place, *one) for place, one in enumerate(several[:MOST_PANELS])]
    shown = newest(min(MAX_RUNS, records.all_runs), records.all_runs, "scored runs")
    says = (
        f"Normalised Hellinger fidelity, 0 for uniform noise and 1 for a perfect machine: {shown}. "
        "Expected is the product of the calibrated success of every gate and readout, which "
        "knows nothing of noise that shots forgive. A line joins runs of one native circuit. Axes "
        "end at -0.3; drag to zoom, click twice to see all. Circuits with several runs also have "
        "a plot of their own."
    )
    return Section(
        "fidelity",
        "Fidelity over time",
        says,
        [_together(records, names, groups), tuple(panels), _table(records)],
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
        (kind, words)
        for kind, words in CHOICES
        if any(value_of(run, kind) is not None for group in groups for run in group)
    ]
    several = len({group[0].configuration.program for group in groups}) > 1
    ways = sorted({group[0].configuration.way for group in groups})
    traces = []
    for choice, (kind, _) in enumerate(used):
        for name, group in zip(names, groups, strict=True):
            first = group[0]
            look = {
                "line": {
                    "color": records.devices.get(first.backend, "--soft"),
                    "dash": DASHES[ways.index(first.configuration.way) % len(DASHES)],
                    "width": 1.5,
                },
                "marker": {"size": 6},
            }
            title = f"{first.configuration.program} · {name}" if several else name
            trace = _line(group, kind, title, look) | {
                "meta": about(first.configuration.program, choice)
            }
            if any(value is not None for value in trace["y"]):
                traces.append(trace)
    return Plot(
        "fidelity-all",
        "All devices",
        "Normalised fidelity of every scored run over time, one line for each native circuit "
        "of a program on each backend. The newest values are in the table of the overview.",
        traces,
        {
            "xaxis": {"type": "date"},
            "yaxis": {
                "title": {"text": "normalised fidelity"},
                "range": _range([y for trace in traces for y in trace["y"]]),
            },
        },
        380,
        [words for _, words in used],
        "which",
    )


def _panel(place: int, name: str, group: Sequence[Run]) -> Plot:
    first = group[0]
    traces: list[Trace] = []
    for kind, words in CHOICES:
        line: dict[str, Any] = {"color": COLOURS[kind], "width": 1.5}
        look: dict[str, Any] = {"line": line}
        if kind == "expected":
            look |= {"mode": "lines" if len(group) > 1 else "markers",
                     "line": line | {"dash": "dot"}, "marker": {"symbol": "line-ew-open",
                     "size": 12, "color": COLOURS[kind]}}  # fmt: skip
        else:
            look["marker"] = {"symbol": SYMBOLS[kind], "size": 6}
        trace = _line(group, kind, _short(words), look)
        values = [value for value in trace["y"] if value is not None]
        if values:
            traces.append(trace | {"meta": about(first.configuration.program)})
    return Plot(
        f"fidelity-{place}",
        f"{first.configuration.program} on {name}",
        f"Fidelity over time of {first.configuration.program} on {name}, {len(group)} runs: "
        + _spoken(group),
        traces,
        {
            "xaxis": {"type": "date"},
            "yaxis": {"range": _range([y for trace in traces for y in trace["y"]])},
            "hovermode": "x unified",
        },
        220,
    )


def _short(words: str) -> str:
    return words.split(" on ", maxsplit=1)[0].split(" from ", maxsplit=1)[0]


def _range(values: Sequence[float | None]) -> list[float]:
    """Return a range from 0 to 1, or from below 0 if values are there, but not far."""
    known = [value for value in values if value is not None]
    least = min(known, default=0)
    return [max(LOWEST, least - 0.05) if least < 0 else -0.02, HIGHEST]


def _line(group: Sequence[Run], kind: str, name: str, look: dict[str, Any]) -> dict[str, Any]:
    oldest_first = [run for run in reversed(group) if value_of(run, kind) is not None]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": label(name),
        "x": [moment(run.at) for run in oldest_first],
        "y": [value_of(run, kind) for run in oldest_first],
        "customdata": [
            [run.job, run.shots, run.two_qubit_gates, from_zero_suffix(from_zero=run.from_zero)]
            for run in oldest_first
        ],
        "hovertemplate": "%{y:.3f}, job %{customdata[0]}, %{customdata[1]} shots, "
        "%{customdata[2]} two-qubit gates%{customdata[3]}",
        **look,
    }


def _spoken(group: Sequence[Run]) -> str:
    newest_values = (
        (words, next((v for run in group if (v := value_of(run, kind)) is not None), None))
        for kind, words in CHOICES
    )
    return "; ".join(f"newest {w} {v:.3f}" for w, v in newest_values if v is not None) + "."


def _table(records: Records) -> Html:
    runs = records.runs[:MOST_ROWS]
    columns = (
        "when (UTC)", "program", "backend", "circuit", *(_short(words) for _, words in CHOICES),
        "Hellinger, raw", "legal share", "two-qubit gates", "shots", "target", "job",
    )  # fmt: skip
    return table(
        f"Scored runs over time, {newest(len(runs), records.all_runs, 'of them')}",
        columns,
        [_row(run, records) for run in runs],
        marks=[{"data_program": plain(run.configuration.program)} for run in runs],
    )


def _row(run: Run, records: Records) -> tuple[object, ...]:
    raw = run.scores.get("raw")
    return (
        clock(run.at), run.configuration.program, run.backend, run.configuration.way,
        *(figure_of(value_of(run, kind)) for kind, _ in CHOICES),
        figure_of(None if raw is None else raw.hellinger_fidelity),
        figure_of(None if raw is None else raw.legal_fraction),
        count_of(run.two_qubit_gates, from_zero=run.from_zero), run.shots,
        run.calibrated_target, job_link(run.job, records.linked),
    )  # fmt: skip
