"""Two-qubit gates by target and method, now and over time."""

from collections.abc import Mapping, Sequence

from compiler.words.held_inputs import from_zero_suffix
from service.report.markup import Html, badge, count_of, figure_of, plain, table
from service.report.plot import Plot, Trace, about, categories, gates_axis, hues, label, moment
from service.report.records import Records
from service.report.section import Section, newest, nothing
from service.report.views.naming import clock
from workers.records.queries.compilations import Compiled, Tried

ROW, FRAME = 30, 110
SIDES = ("top", "bottom")
"""Of the marks that numbers stand on, so that those of two ways can be read."""
PROVEN = ("exact", "sampled")


def gates(records: Records) -> Section:
    """Return what was chosen on each target beside all that was tried, and how it changed."""
    if not records.by_kind:
        nothing_yet = [nothing("Nothing has been compiled yet.")]
        return Section("gates", "Two-qubit gates", parts=nothing_yet)
    groups = [group for group in records.by_kind if _gates(group[0]) is not None]
    ways = hues([group[0].configuration.way for group in groups])
    programs = dict.fromkeys(group[0].configuration.program for group in groups)
    now = [
        _now(
            place,
            program,
            [group[0] for group in groups if group[0].configuration.program == program],
            records.tried,
            ways,
        )
        for place, program in enumerate(programs)
    ]
    shown = newest(len(records.compilations), records.all_compilations, "compilations")
    return Section(
        "gates",
        "Two-qubit gates",
        "Large marks: what was chosen. Small dots: every other proven candidate, all seeds and "
        f"pipelines. Fewer is better. Over time: {shown}.",
        [tuple(now), _over_time(groups), _table(records)],
    )


def _gates(compilation: Compiled) -> int | None:
    number: int | None = compilation.figures["two_qubit_gates"]
    return number


def _now(
    number: int,
    program: str,
    chosen: Sequence[Compiled],
    candidates: Sequence[Tried],
    ways: Mapping[str, str],
) -> Plot:
    by_id = {one.id: one for one in chosen}
    targets = sorted({one.configuration.target for one in chosen})
    traces: list[Trace] = []
    for place, way in enumerate(dict.fromkeys(one.configuration.way for one in chosen)):
        of_way = [one for one in chosen if one.configuration.way == way]
        tried = [
            (by_id[one.compilation_id].configuration.target, one)
            for one in candidates
            if one.compilation_id in by_id
            and by_id[one.compilation_id].configuration.way == way
            and one.verified in PROVEN
            and not one.chosen
        ]
        traces.append(_others(tried, way, program, ways[way]))
        traces.append(_chosen(of_way, way, program, ways[way], SIDES[place % 2]))
    spoken = "; ".join(
        f"{one.configuration.target} {one.configuration.way} {_gates(one)}" for one in chosen
    )
    shown = [number for trace in traces for number in trace["x"]]
    return Plot(
        f"gates-{number}",
        program,
        f"Two-qubit gates of {program} by target and way of compiling: {spoken}.",
        traces,
        {
            "xaxis": gates_axis(shown, "two-qubit gates"),
            "yaxis": categories([label(t) for t in targets], autorange="reversed"),
        },
        FRAME + ROW * max(3, len(targets)) + 18 * len({one.configuration.way for one in chosen}),
    )


def _chosen(
    compilations: Sequence[Compiled], way: str, program: str, colour: str, side: str
) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": label(way),
        "legendgroup": label(way),
        "x": [_gates(one) for one in compilations],
        "y": [label(one.configuration.target) for one in compilations],
        "text": [f"{_gates(one):,}" for one in compilations],
        "textposition": f"{side} center",
        "cliponaxis": False,
        "customdata": [
            [label(one.choice.pipeline), one.choice.seed, one.verified] for one in compilations
        ],
        "hovertemplate": "%{x} two-qubit gates by %{customdata[0]}, "
        "seed %{customdata[1]}, %{customdata[2]}",
        "marker": {"size": 12, "color": colour},
        "meta": about(program),
    }


def _others(tried: Sequence[tuple[str, Tried]], way: str, program: str, colour: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label(way),
        "legendgroup": label(way),
        "showlegend": False,
        "x": [one.figures["two_qubit_gates"] for _, one in tried],
        "y": [label(target) for target, _ in tried],
        "customdata": [
            [label(one.pipeline), one.seed, one.verified, from_zero_suffix(from_zero=one.from_zero)]
            for _, one in tried
        ],
        "hovertemplate": "%{x} two-qubit gates%{customdata[3]} by %{customdata[0]}, "
        "seed %{customdata[1]}, %{customdata[2]}",
        "marker": {"size": 5, "color": colour, "opacity": 0.45},
        "meta": about(program),
    }


def _over_time(groups: Sequence[Sequence[Compiled]]) -> Plot:
    several = len({group[0].configuration.program for group in groups}) > 1
    names = [_series(group[0], several) for group in groups]
    colours = hues(names)
    traces: list[Trace] = []
    for name, group in zip(names, groups, strict=True):
        oldest_first = list(reversed(group))
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": label(name),
                "x": [moment(one.at) for one in oldest_first],
                "y": [_gates(one) for one in oldest_first],
                "customdata": [
                    [
                        one.figures["two_qubit_depth"],
                        label(one.choice.pipeline),
                        one.choice.seed,
                        from_zero_suffix(from_zero=one.from_zero),
                    ]
                    for one in oldest_first
                ],
                "hovertemplate": "%{y} two-qubit gates%{customdata[3]}, depth %{customdata[0]}, by "
                "%{customdata[1]}, seed %{customdata[2]}",
                "line": {"shape": "hv", "width": 1.5, "color": colours[name]},
                "marker": {"size": 6},
                "meta": about(group[0].configuration.program),
            }
        )
    return Plot(
        "gates-time",
        "Chosen circuits over time",
        "Two-qubit gates of every compilation's chosen circuit over time; the table below the "
        "plot holds all values.",
        traces,
        {
            "xaxis": {"type": "date"},
            "yaxis": gates_axis(
                [number for trace in traces for number in trace["y"] if number is not None],
                "two-qubit gates",
            ),
        },
        380,
    )


def _series(compilation: Compiled, several: bool) -> str:
    configuration = compilation.configuration
    name = f"{configuration.target} · {configuration.way}"
    return f"{configuration.program} · {name}" if several else name


def _table(records: Records) -> Html:
    return table(
        "Compilations over time",
        ("when (UTC)", "program", "target", "circuit", "two-qubit gates", "two-qubit depth",
         "depth", "gates", "qubits", "expected fidelity", "pipeline", "seed", "verified",
         "seconds"),
        [
            (clock(one.at), one.configuration.program, one.configuration.target,
             one.configuration.way,
             *(count_of(one.figures[name], from_zero=one.from_zero)
               for name in ("two_qubit_gates", "two_qubit_depth", "depth", "gates")),
             one.figures["qubits"],
             figure_of(one.figures["expected_fidelity"]), one.choice.pipeline, one.choice.seed,
             badge(one.verified), figure_of(one.seconds, 1))
            for one in records.compilations
        ],
        marks=[{"data_program": plain(one.configuration.program)} for one in records.compilations],
    )  # fmt: skip
