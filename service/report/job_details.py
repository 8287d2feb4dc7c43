"""Details of one job of the report, which are shown when it is opened."""

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

from attrs import frozen
from markupsafe import Markup

from compiler.errors import GameTooLargeError
from compiler.judge import Judge, Kind
from compiler.judge import Number as Probability
from compiler.measurement import register_order
from compiler.scores.intervals import proportion_interval
from service.pages.jobs import job_html
from service.pages.plots import Plot, Point, categories, traces
from service.pages.rendering import render_part
from service.pages.tables import Details, Number, percent, table
from service.report.records import JobFacts
from service.results.jobs.details import JobDetails
from workers.records.queries.compilations import Compiled
from workers.records.queries.programs import Programs, ReadProgram
from workers.records.tables import Job
from workers.scoring import counts_of

MAX_ROWS = 24
TOO_LARGE = "The game is too large to compute its exact distribution."
UNREADABLE = "This version of Stichwerk cannot read the program."
NOT_SCORED = "Not scored yet."
OUTCOMES = {
    "win": ("party wins", "--hue-0"),
    "loss": ("party loses", "--hue-4"),
    "bits": ("measured", "--hue-0"),
    "others": ("others", "--soft"),
    "illegal": ("illegal", "--bad"),
}
"""Names and colours of the kinds of outcomes."""
MARKS = {
    "exact": {"symbol": "diamond-open", "size": 9, "color": "--ink"},
    "uniform noise": {"symbol": "x-thin-open", "size": 9, "color": "--soft", "line": {"width": 2}},
}


@frozen
class Row:
    """One line of a histogram: an outcome, or several taken together.

    Args:
        label: of the outcome.
        shots: number of shots with it.
        exact: its exact probability; None if that is unknown.
        noise: its probability under uniform noise; None if that is unknown.
        kind: `win`, `loss`, `others` or `illegal`; `bits` of a circuit.
    """

    label: str
    shots: int
    exact: Probability | None
    noise: float | None
    kind: str


def job_details(job: JobFacts, programs: Programs, linked: Container[int]) -> Details:
    """Return the details of a job, which the page shows on request.

    Args:
        job: with its compilation.
        programs: readers of its program.
        linked: numbers of the jobs that the page can open.
    """
    row, compiled = job.row, job.compiled
    program = None if compiled is None else programs.of(compiled.configuration, compiled.id)
    says, rows = _measured(row, compiled, program)
    plot = _plot(row.id, rows) if rows else None
    outcomes = render_part(
        "report/outcomes.html", says=says, plot=plot, outcomes=_outcome_table(rows)
    )
    html = job_html(
        JobDetails.of_job(programs.session, row),
        outcomes if says or plot else None,
        linked=linked,
        circuit=None if compiled is None else circuit_id(compiled),
    )
    return Details(row.id, html, plot)


def circuit_id(compiled: Compiled) -> str:
    """Return the id of the picture of the program that was compiled."""
    return f"circuit-{compiled.configuration.digest[:16]}-{compiled.configuration.encoding}"


def _measured(
    row: Job, compiled: Compiled | None, program: ReadProgram | None
) -> tuple[str, list[Row]]:
    """Return the reading of the outcomes, and the outcomes."""
    if not row.counts:
        return "", []
    counts = counts_of(row)
    judge = None if program is None else program.program.judge
    if program is None or judge is None:
        bits = 0 if program is None else program.program.circuit.num_clbits
        order = "" if program is None else register_order(program.program.circuit)
        says = (
            UNREADABLE
            if program is None and compiled is not None
            else f"Classical bit 0 is on the right{order}."
        )
        return says, bit_rows(counts, bits)
    says, outcomes = judge.reading, program.program.outcomes(counts)
    try:
        rows = outcome_rows(judge, outcomes, program.noise)
    except GameTooLargeError:
        return f"{says} {TOO_LARGE}", []
    return says if row.scores else f"{says} {NOT_SCORED}", rows


def _plot(job: int, rows: Sequence[Row]) -> Plot:
    shots = sum(row.shots for row in rows)
    bars = [
        Point(OUTCOMES[row.kind][0], row.shots / shots, row.label, (row.shots,),
              proportion_interval(row.shots, shots))
        for row in rows
    ]  # fmt: skip
    marks = [
        Point(series, float(value), row.label)
        for series in MARKS
        for row in rows
        if (value := row.exact if series == "exact" else row.noise) is not None
    ]
    colours = dict(OUTCOMES.values())
    return Plot(
        f"job-{job}-outcomes",
        "Outcomes",
        "Share of shots of every outcome, and its exact probability; the table below has the "
        "values.",
        [
            *traces(bars, "%{x:.1%}, %{customdata[0]} shots",
                    lambda name: {"marker": {"color": colours[name]}}, type="bar", orientation="h"),
            *traces(marks, "%{fullData.name} %{x:.1%}", lambda name: {"marker": MARKS[name]}),
        ],
        {
            "barmode": "overlay",
            "xaxis": {"tickformat": ".0%", "rangemode": "tozero"},
            "yaxis": categories(
                [row.label for row in rows],
                autorange="reversed",
                tickfont={"family": "monospace", "size": 12},
            ),
        },
        110 + 22 * len(rows),
    )  # fmt: skip


def _outcome_table(rows: Sequence[Row]) -> Markup:
    shots = sum(row.shots for row in rows)
    columns = ("outcome", "shots", "share", "95 % interval", "exact", "uniform noise")
    lines = []
    for row in rows:
        low, high = proportion_interval(row.shots, shots)
        lines.append(
            (
                row.label, row.shots, percent(row.shots / shots),
                Number(f"{100 * low:.1f} to {100 * high:.1f} %"),
                None if row.exact is None else percent(float(row.exact)),
                None if row.noise is None else percent(row.noise),
            )
        )  # fmt: skip
    return table("Outcomes", columns, lines)


def outcome_rows(
    judge: Judge, counts: Mapping[int | None, int], noise: Mapping[int | None, float] | None
) -> list[Row]:
    """Return the most probable outcomes, all others, and all that should not be there together.

    Args:
        judge: names outcomes and gives their exact distribution.
        counts: shots by outcome, None for the illegal ones.
        noise: probability by outcome if all bits are uniform; None if that is not known.

    Raises:
        GameTooLargeError: if the exact distribution is too large to be enumerated.
    """
    exact = judge.exact_distribution()
    outside = {o for o in (*counts, *(noise or ())) if o not in exact}
    ranked = sorted(exact, key=lambda outcome: (-exact[outcome], judge.describe(outcome)))

    def row(label: str, outcomes: Sequence[int | None], kind: str) -> Row:
        return Row(
            label,
            sum(counts.get(o, 0) for o in outcomes),
            sum((exact.get(o, 0) for o in outcomes if o is not None), Fraction(0)),
            None if noise is None else sum(noise.get(o, 0.0) for o in outcomes),
            kind,
        )

    rows = [row(judge.describe(o), [o], _kind(judge, o)) for o in ranked[:MAX_ROWS]]
    if others := ranked[MAX_ROWS:]:
        rows.append(row(f"{len(others):,} others", others, "others"))
    return [*rows, row(judge.outside, list(outside | {None}), "illegal")]


def _kind(judge: Judge, outcome: int) -> str:
    """Return how an outcome is drawn: by the most important event, if there is one."""
    event = next((each for each in judge.observables if each.kind is Kind.EVENT), None)
    return "win" if event is None or event.value(outcome) else "loss"


def bit_rows(counts: Mapping[int, int], bits: int) -> list[Row]:
    """Return the bit strings that were measured most often, and all others together.

    Args:
        counts: shots by measured bits.
        bits: number of classical bits; bit 0 is written on the right.
    """
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        Row(format(outcome, f"0{max(1, bits)}b"), shots, None, None, "bits")
        for outcome, shots in ranked[:MAX_ROWS]
    ]
    if others := ranked[MAX_ROWS:]:
        shots = sum(shots for _, shots in others)
        rows.append(Row(f"{len(others):,} others", shots, None, None, "others"))
    return rows
