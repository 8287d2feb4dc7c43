"""Details of one job of the report, which are shown when it is opened."""

from collections.abc import Sequence

from markupsafe import Markup

from compiler.errors import GameTooLargeError
from compiler.judge import observable_title
from compiler.measurement import register_order
from compiler.scores.intervals import proportion_interval
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.machine_names import calibrated, machine_of
from service.pages.plots import Plot, Point, categories, traces
from service.pages.rendering import render_part
from service.pages.sections import Details
from service.pages.tables import Number, badge, figure_of, percent, table
from service.report.outcomes import Row, bit_rows, outcome_rows
from service.report.records import JobFacts
from service.report.signal import signal
from service.report.views.naming import clock
from workers.jobs.states import JobKind
from workers.records.queries.compilations import Compiled
from workers.records.queries.programs import Programs, ReadProgram
from workers.records.queries.queueing import stays_of
from workers.records.tables import Job, ScoreRow
from workers.scoring import counts_of

TOO_LARGE = "The game is too large for an exact distribution to compare with."
UNREADABLE = "This version of Stichwerk cannot read the program."
NOT_SCORED = "Not scored yet."
VERDICTS = {
    "signal": "Most shots follow the exact distribution.",
    "mostly noise": "Less than half of the shots follow the exact distribution.",
    "noise": "These shots cannot be told from uniform noise.",
    "unclear": "Too few shots to tell signal from noise.",
}
LONGEST = 4000
"""Letters of an error that are shown."""

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
STATE_COLOURS = {
    "queued": "--line", "compiling": "--hue-0", "verifying": "--hue-4", "submitting": "--hue-7",
    "at_provider": "--hue-6", "running": "--hue-2", "scoring": "--hue-3",
}  # fmt: skip


def job_details(job: JobFacts, programs: Programs) -> Details:
    """Return the details of a job, which the page shows when it is opened.

    Args:
        job: with its compilation.
        programs: reads what it ran.
    """
    row, compiled = job.row, job.compiled
    program = None if compiled is None else programs.of(compiled.configuration, compiled.id)
    says, verdict, rows = _measured(row, compiled, program)
    plot = _plot(row.id, rows) if rows else None
    stays = stays_of([(event.at, event.state) for event in row.events])
    html = render_part(
        "report/job.html",
        title=f"Job {row.id}: {row.program} on {machine_of(row.backend)}",
        facts=_facts(row),
        error=(row.error or "")[:LONGEST],
        stays=[(state, seconds, STATE_COLOURS.get(state, "--soft")) for state, seconds in stays],
        events=table(
            "Events",
            ("when (UTC)", "state", "detail"),
            [
                (clock(event.at), event.state.replace("_", " "), event.detail[:LONGEST])
                for event in row.events
            ],
        ),
        scores=_scores(row.scores),
        says=says,
        verdict=verdict,
        plot=plot,
        outcomes=_outcome_table(rows),
        compilation={} if compiled is None else _compilation(compiled),
        circuit=None if compiled is None else circuit_id(compiled),
    )
    return Details(row.id, html, plot)


def circuit_id(compiled: Compiled) -> str:
    """Return the id of the picture of the program that was compiled."""
    return f"circuit-{compiled.configuration.digest[:16]}-{compiled.configuration.encoding}"


def _facts(row: Job) -> dict[str, str]:
    cost = row.estimated_cost_usd
    facts = [
        ("state", row.state.replace("_", " ")),
        ("program", row.program),
        ("target", calibrated(row.target)),
        ("backend", calibrated(row.backend)),
        ("shots", f"{row.shots:,}"),
        ("seed", str(row.seed)),
        ("tag", row.tag or ""),
        ("submitted (UTC)", clock(row.created_at)),
        ("ended (UTC)", "" if row.finished_at is None else clock(row.finished_at)),
        ("run took", _seconds(row.run_seconds)),
        ("estimated cost", "" if cost is None else f"${cost:,.4f}"),
        ("provider's id", row.provider_id or ""),
        ("provider says", row.provider_state or ""),
        ("estimate", _estimate(row)),
        ("training", _training(row)),
        ("retry of", "" if row.retry_of is None else f"job {row.retry_of}"),
        ("failures in a row", str(row.failures) if row.failures else ""),
    ]
    return {name: value for name, value in facts if value}


def _training(row: Job) -> str:
    found = row.result_of(JobKind.TRAINING)
    if found is None:
        return ""
    return (
        f"P(win) {found['p_win']:.4f} after {found['steps']} steps, measured "
        f"{found['measured']:.4f}, 95 % interval {found['low']:.4f} to {found['high']:.4f}"
    )


def _estimate(row: Job) -> str:
    found, asked = row.result_of(JobKind.ESTIMATION), row.request
    if found is None or asked is None:
        return ""
    return (
        f"{asked['observable']} {found['estimate']:.4f}, {100 * asked['confidence']:g} % interval "
        f"{found['low']:.4f} to {found['high']:.4f}, by {len(found['rounds'])} rounds and "
        f"{found['calls']:,} calls, {asked['estimator']}"
    )


def _compilation(compiled: Compiled) -> dict[str, str]:
    configuration, figures = compiled.configuration, compiled.figures
    duration, expected = figures["duration_ns"], figures["expected_fidelity"]
    named = {
        "two-qubit gates": figures["two_qubit_gates"],
        "two-qubit depth": figures["two_qubit_depth"],
        "depth": figures["depth"],
        "gates": figures["gates"],
    }
    suffix = from_zero_suffix(from_zero=compiled.from_zero)
    counts = [(name, "" if n is None else f"{n:,}{suffix}") for name, n in named.items()]
    facts = [
        ("target", configuration.target),
        ("method", configuration.method),
        ("encoding", "" if configuration.encoding == "none" else configuration.encoding),
        ("variant", configuration.variant),
        ("synthesis", compiled.choice.synthesis),
        ("pipeline", f"{compiled.choice.pipeline}, seed {compiled.choice.seed}"),
        *counts,
        ("qubits", "" if figures["qubits"] is None else f"{figures['qubits']:,}"),
        ("duration", "" if duration is None else f"{duration / 1000:,.1f} µs"),
        ("expected fidelity", "" if expected is None else f"{expected:.3f}"),
        ("verified", compiled.verified),
        ("compiled in", _seconds(compiled.seconds)),
        ("compiled at (UTC)", clock(compiled.at)),
        ("revision", compiled.revision or "unknown"),
        ("versions", ", ".join(f"{name} {one}" for name, one in compiled.versions.items())),
    ]
    return {name: value for name, value in facts if value}


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:,.2f} s"


def _scores(scores: Sequence[ScoreRow]) -> Markup | None:
    if not scores:
        return None
    figures = [_figures(score) for score in scores]
    rows = [(name, *(of_kind.get(name) for of_kind in figures)) for name in figures[0]]
    return table("Scores", ("score", *(one.kind.replace("_", "-") for one in scores)), rows)


def _figures(score: ScoreRow) -> dict[str, Number | None]:
    figures = {
        "shots": Number(f"{score.shots:,}"),
        "Hellinger fidelity": figure_of(score.hellinger_fidelity),
        "… normalised (noise = 0)": figure_of(score.normalized_fidelity),
        "total variation distance": figure_of(score.tvd),
        "legal share": figure_of(score.legal_fraction),
    }
    for one in score.observables:
        figures[observable_title(one.name, one.kind)] = figure_of(one.measured)
        if one.low is not None and one.high is not None:
            interval = Number(f"{one.low:.3f} to {one.high:.3f}")
            figures[f"… {one.name}, 95 % interval"] = interval
        figures[f"… {one.name}, exact"] = figure_of(one.exact)
    return figures


def _measured(
    row: Job, compiled: Compiled | None, program: ReadProgram | None
) -> tuple[str, tuple[str, str] | None, list[Row]]:
    """Return the reading of the outcomes, the verdict on them with its reason, and the outcomes."""
    if not row.counts:
        return "", None, []
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
        return says, None, bit_rows(counts, bits)
    says, outcomes = judge.reading, program.program.outcomes(counts)
    try:
        rows = outcome_rows(judge, outcomes, program.noise)
    except GameTooLargeError:
        return f"{says} {TOO_LARGE}", None, []
    if not row.scores:
        says += f" {NOT_SCORED}"
    if program.noise is None:
        return says, None, rows
    fit = signal(outcomes, judge.exact_distribution(), program.noise)
    reason = (
        f"{VERDICTS[fit.verdict]} Share that follows the exact distribution, if all else is "
        f"uniform noise: {100 * fit.share:.0f} % (95 % interval {100 * fit.low:.0f} to "
        f"{100 * fit.high:.0f} %)."
    )
    return says, (badge(fit.verdict), reason), rows


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
        "Share of the shots of every outcome against its exact probability; the table below holds "
        "the values.",
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
