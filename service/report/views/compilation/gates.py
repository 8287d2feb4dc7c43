"""Two-qubit gates by target and method, now and over time."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from compiler.words.held_inputs import from_zero_suffix
from service.pages.circuit import circuit_figure
from service.pages.plots import Plot, Point, categories, gates_axis, hues, traces
from service.pages.rendering import render_part
from service.pages.tables import Section, badge, count_of, figure_of, nothing, table
from service.report.job_details import circuit_id
from service.report.records import Records
from service.report.views.naming import clock, newest
from workers.records.queries.compilations import Compiled
from workers.records.tables import Candidate

ROW, FRAME = 30, 110
SIDES = ("top", "bottom")
"""Size of the marks that numbers stand on, so that those of two methods can be read."""
PROVEN = ("exact", "sampled")


def gates(records: Records) -> Section:
    """Return the chosen circuits on each target beside all candidates, and their changes."""
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
        "Large marks: chosen circuits. Small dots: every other proven candidate, all seeds and "
        f"pipelines. Fewer is better. Over time: {shown}.",
        [tuple(now), _over_time(groups), _table(records)],
    )


def _gates(compilation: Compiled) -> int | None:
    return compilation.choice.two_qubit_gates


def _now(
    number: int,
    program: str,
    chosen: Sequence[Compiled],
    candidates: Sequence[Candidate],
    ways: Mapping[str, str],
) -> Plot:
    by_id = {row.id: row for row in chosen}
    sides = {way: SIDES[place % 2] for place, way in enumerate(dict.fromkeys(map(_way, chosen)))}
    others = [
        Point(
            _way(by_id[row.compilation_id]), row.two_qubit_gates,
            by_id[row.compilation_id].configuration.target, _facts(row), program=program,
        )
        for row in candidates
        if row.compilation_id in by_id and row.verified in PROVEN and not row.chosen
    ]  # fmt: skip
    marks = [
        Point(_way(row), _gates(row), row.configuration.target, _facts(row),
              text=f"{_gates(row):,}", program=program)
        for row in chosen
    ]  # fmt: skip
    hover = (
        "%{x} two-qubit gates%{customdata[3]} by %{customdata[0]}, "
        "seed %{customdata[1]}, %{customdata[2]}"
    )
    small = {"size": 5, "opacity": 0.45}
    drawn = traces(
        others, hover, lambda way: {"marker": {**small, "color": ways[way]}}, legend=False
    ) + traces(
        marks,
        hover,
        lambda way: {
            "marker": {"size": 12, "color": ways[way]},
            "textposition": f"{sides[way]} center",
        },
        mode="markers+text",
        cliponaxis=False,
    )
    targets = sorted({row.configuration.target for row in chosen})
    spoken = "; ".join(f"{row.configuration.target} {_way(row)} {_gates(row)}" for row in chosen)
    return Plot(
        f"gates-{number}",
        program,
        f"Two-qubit gates of {program} by target and method: {spoken}.",
        drawn,
        {
            "xaxis": gates_axis([point.x for point in others + marks], "two-qubit gates"),
            "yaxis": categories(targets, autorange="reversed"),
        },
        FRAME + ROW * max(3, len(targets)) + 18 * len(sides),
    )


def _way(compilation: Compiled) -> str:
    return compilation.configuration.way


def _facts(compilation: Compiled | Candidate) -> tuple[object, ...]:
    tried = compilation.choice if isinstance(compilation, Compiled) else compilation
    suffix = from_zero_suffix(from_zero=tried.from_zero)
    return tried.pipeline, tried.seed, compilation.verified, suffix


def _over_time(groups: Sequence[Sequence[Compiled]]) -> Plot:
    several = len({group[0].configuration.program for group in groups}) > 1
    points = [
        Point(
            _series(row, several), row.at, _gates(row),
            (*_facts(row), row.choice.two_qubit_depth), program=row.configuration.program,
        )
        for group in groups
        for row in reversed(group)
    ]  # fmt: skip
    colours = hues(point.series for point in points)
    return Plot(
        "gates-time",
        "Chosen circuits over time",
        "Two-qubit gates of the chosen circuit of every compilation over time; the table below the "
        "plot has all values.",
        traces(
            points,
            "%{y} two-qubit gates%{customdata[3]}, depth %{customdata[4]}, by "
            "%{customdata[0]}, seed %{customdata[1]}",
            lambda name: {"line": {"shape": "hv", "width": 1.5, "color": colours[name]}},
            mode="lines+markers",
            marker={"size": 6},
        ),
        {
            "xaxis": {"type": "date"},
            "yaxis": gates_axis([point.y for point in points], "two-qubit gates"),
        },
        380,
    )


def _series(compilation: Compiled, several: bool) -> str:
    configuration = compilation.configuration
    name = f"{configuration.target} · {configuration.way}"
    return f"{configuration.program} · {name}" if several else name


def _table(records: Records) -> Markup:
    return table(
        "Compilations over time",
        ("time (UTC)", "program", "target", "circuit", "two-qubit gates", "two-qubit depth",
         "depth", "gates", "qubits", "expected fidelity", "pipeline", "seed", "proof",
         "compile time (s)"),
        [
            (clock(row.at), row.configuration.program, row.configuration.target,
             row.configuration.way,
             *(count_of(getattr(row.choice, name), from_zero=row.from_zero)
               for name in ("two_qubit_gates", "two_qubit_depth", "depth", "gates")),
             row.choice.qubits,
             figure_of(row.choice.expected_fidelity), row.choice.pipeline, row.choice.seed,
             badge(row.verified), figure_of(row.seconds, 1))
            for row in records.compilations
        ],
        programs=[compilation.configuration.program for compilation in records.compilations],
    )  # fmt: skip


MAX_DRAWINGS = 24


def circuits(records: Records) -> Section:
    """Return one picture for each program and encoding, the newest first."""
    newest = {circuit_id(group[0]): group[0] for group in reversed(records.by_kind)}
    shown = list(reversed(newest.items()))[:MAX_DRAWINGS]
    if not shown:
        return Section("circuits", "Circuits", parts=[nothing("Nothing has been compiled yet.")])
    drawn = [_circuit(name, compilation, records) for name, compilation in shown]
    return Section(
        "circuits",
        "Circuits",
        "Programs before compilation, one box for each operator.",
        [render_part("report/circuits.html", drawn=drawn)],
    )


def _circuit(name: str, compilation: Compiled, records: Records) -> tuple[str, str, str]:
    """Return the heading, the program and the drawing."""
    configuration = compilation.configuration
    title = (
        configuration.program
        if configuration.encoding == "none"
        else f"{configuration.program}, {configuration.encoding} encoding"
    )
    read = records.programs.of(configuration, compilation.id)
    circuit = (
        nothing("This version of Stichwerk cannot read the program.")
        if read is None
        else circuit_figure(read.program.circuit, bundled=not read.program.is_circuit, name=name)
    )
    return title, configuration.program, circuit
