"""What the page tells of one job when it is opened."""

from collections.abc import Sequence
from typing import Any

from compiler.errors import GameTooLargeError
from compiler.judge import observable_title
from compiler.measurement import register_order
from compiler.scores.intervals import proportion_interval
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.machine_names import calibrated, machine_of
from service.report.markup import plain
from service.report.outcomes import Row, bit_rows, outcome_rows
from service.report.plot import label, rounded
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

Facts = list[tuple[str, str]]


def job_details(job: JobFacts, programs: Programs) -> dict[str, Any]:
    """Return all that is told of a job, ready to be shown as text.

    Args:
        job: with its compilation.
        programs: reads what it ran.
    """
    row, compiled = job.row, job.compiled
    program = None if compiled is None else programs.of(compiled.configuration, compiled.id)
    return {
        "title": plain(f"Job {row.id}: {row.program} on {machine_of(row.backend)}"),
        "state": row.state,
        "facts": _shown(_facts(row)),
        "error": plain((row.error or "")[:LONGEST]),
        "stays": [
            [state.replace("_", " "), rounded(seconds, 3)]
            for state, seconds in stays_of([(event.at, event.state) for event in row.events])
        ],
        "events": [
            [clock(event.at), event.state.replace("_", " "), plain(event.detail[:LONGEST])]
            for event in row.events
        ],
        "scores": [_score(score) for score in row.scores],
        "compilation": [] if compiled is None else _shown(_compilation(compiled)),
        "circuit": None if compiled is None else circuit_id(compiled),
        **_measured(row, compiled, program),
    }


def circuit_id(compiled: Compiled) -> str:
    """Return the id of the picture of the program that was compiled."""
    return f"circuit-{compiled.configuration.digest[:16]}-{compiled.configuration.encoding}"


def _facts(row: Job) -> Facts:
    cost = row.estimated_cost_usd
    return [
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


def _compilation(compiled: Compiled) -> Facts:
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
    return [
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


def _shown(facts: Facts) -> list[list[str]]:
    return [[name, plain(value)] for name, value in facts if value]


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:,.2f} s"


def _score(score: ScoreRow) -> dict[str, Any]:
    figures = {
        "shots": f"{score.shots:,}",
        "Hellinger fidelity": _digits(score.hellinger_fidelity),
        "… normalised (noise = 0)": _digits(score.normalized_fidelity),
        "total variation distance": _digits(score.tvd),
        "legal share": _digits(score.legal_fraction),
    }
    for one in score.observables:
        figures[observable_title(one.name, one.kind)] = _digits(one.measured)
        if one.low is not None and one.high is not None:
            figures[f"… {one.name}, 95 % interval"] = f"{one.low:.3f} to {one.high:.3f}"
        figures[f"… {one.name}, exact"] = _digits(one.exact)
    return {"kind": score.kind.replace("_", "-"), "figures": figures}


def _digits(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _measured(row: Job, compiled: Compiled | None, program: ReadProgram | None) -> dict[str, Any]:
    """Return the outcomes and what is to be said of them."""
    if not row.counts:
        return {"says": "", "verdict": None, "outcomes": []}
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
        return {"says": says, "verdict": None, "outcomes": _lines(bit_rows(counts, bits))}
    says, outcomes = judge.reading, program.program.outcomes(counts)
    try:
        rows = outcome_rows(judge, outcomes, program.noise)
    except GameTooLargeError:
        return {"says": f"{says} {TOO_LARGE}", "verdict": None, "outcomes": []}
    if not row.scores:
        says += f" {NOT_SCORED}"
    verdict = None
    if program.noise is not None:
        fit = signal(outcomes, judge.exact_distribution(), program.noise)
        share = (
            f"{VERDICTS[fit.verdict]} Share that follows the exact distribution, if all else is "
            f"uniform noise: {100 * fit.share:.0f} % (95 % interval {100 * fit.low:.0f} to "
            f"{100 * fit.high:.0f} %)."
        )
        verdict = [fit.verdict, share]
    return {"says": plain(says), "verdict": verdict, "outcomes": _lines(rows)}


def _lines(rows: Sequence[Row]) -> list[list[Any]]:
    """Return label, shots, share, its interval, exact share, share under noise, and kind."""
    shots = sum(row.shots for row in rows)
    lines = []
    for row in rows:
        low, high = proportion_interval(row.shots, shots)
        exact = None if row.exact is None else rounded(float(row.exact))
        lines.append(
            [label(row.label), row.shots, rounded(row.shots / shots), rounded(low), rounded(high),
             exact, rounded(row.noise), row.kind]
        )  # fmt: skip
    return lines
