"""The newest figures, and whether they are better or worse than those before."""

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from compiler.scores.scoring import Score
from compiler.words.held_inputs import count_text
from compiler.words.plurals import how_many
from service.pages.rendering import render_part
from service.pages.tables import (
    Number,
    Section,
    badge,
    count_of,
    figure_of,
    job_link,
    nothing,
    table,
)
from service.report.records import Records
from service.report.views.naming import first_observable, minute
from workers.jobs.states import FINAL
from workers.records.queries.comparisons import (
    MAX_EARLIER_RUNS,
    NewestRun,
    answer,
    gates_change,
    interval_text,
)
from workers.records.queries.compilations import Compiled

SAYS = (
    "Devices are compared by runs of the same native circuit without error mitigation: the newest "
    f"run with at most {MAX_EARLIER_RUNS} earlier runs with comparable shots. Compilations are "
    "compared by two-qubit gates. Fidelities are normalised: 0 is uniform noise, 1 is a perfect "
    "device. The 95 % confidence holds for all changes together (Bonferroni): if nothing changed, "
    "one report in twenty shows a change by chance."
)


def overview(records: Records) -> Section:
    """Return tiles, and changes."""
    parts = [Markup('<p class="answer">{}</p>').format(_answer(records)), _tiles(records)]
    if records.newest_runs:
        parts.append(_runs(records))
    if records.by_kind:
        parts.append(_compilations(records))
    else:
        parts.append(
            nothing("There are no finished compilations yet. Run 'stichwerk bench' first.")
        )
    if records.by_kind and not records.runs_by_kind:
        parts.append(nothing("No job has been scored yet."))
    return Section("overview", "Overview", parts=[*parts, nothing(SAYS)])


def _answer(records: Records) -> str:
    """Return the last score, run on a device or compilation, and whether a machine got better."""
    if records.newest_runs:
        runs = [run.played.runs[0] for run in records.newest_runs]
        # What a simulator without noise measures says nothing about a device.
        newest = next((run for run in runs if ":" in run.backend), runs[0])
        changes = answer([run.comparison for run in records.newest_runs])
        scored = next((job.row for job in records.jobs if job.row.device_score is not None), None)
        if scored is not None and scored.finished_at and scored.finished_at >= newest.at:
            return (
                f"{scored.program} on {scored.backend}: {scored.device_score:.3f} (1 a perfect "
                f"machine), job {scored.id}. {changes}"
            )
        raw = newest.scores.get("raw")
        figures = [how_many(newest.two_qubit_gates or 0, "two-qubit gate")]
        if (observable := first_observable(raw)) is not None:
            figures.insert(0, observable)
        if raw is not None and raw.normalized_fidelity is not None:
            figures.insert(0, f"fidelity {raw.normalized_fidelity:.3f} (0 noise, 1 perfect)")
        return (
            f"{newest.configuration.program} on {newest.backend}: {', '.join(figures)}, job "
            f"{newest.job}. {changes}"
        )
    if records.by_kind:
        compiled = records.by_kind[0][0]
        gates = how_many(compiled.choice.two_qubit_gates or 0, "two-qubit gate")
        configuration = compiled.configuration
        return (
            f"{configuration.program} needs {gates} on {configuration.target}; no run is recorded."
        )
    return "There are no records yet."


def _tiles(records: Records) -> Markup:
    queueing = records.queueing
    done, failed = queueing.in_state("done"), queueing.in_state("failed")
    waiting = sum(n for (state, _), n in queueing.numbers.items() if state not in FINAL)
    changes = (run.comparison.change for run in records.newest_runs)
    verdicts = Counter(change.verdict for change in changes if change is not None)
    spent = sum(queueing.costs_usd.values())
    times = [run.at for run in records.runs[:1]] + [
        compilation.at for compilation in records.compilations[:1]
    ]
    tiles = [
        ("jobs", f"{queueing.jobs:,}", f"{waiting:,} open"),
        ("done", f"{done:,}", f"{failed:,} failed", failed > 0),
        ("scored runs", f"{records.all_runs:,}", how_many(len(records.runs_by_kind), "kind")),
        (
            "compilations",
            f"{records.all_compilations:,}",
            how_many(len(records.by_kind), "kind"),
        ),
        ("better", f"{verdicts['better']:,}", "on devices"),
        ("worse", f"{verdicts['worse']:,}", f"{verdicts['unclear']:,} not significant",
              verdicts["worse"] > 0),
        ("estimated cost", f"${spent:,.2f}", "submitted jobs"),
        ("newest record", f"{max(times):%H:%M}" if times else "–",
              f"{max(times):%Y-%m-%d}, UTC" if times else "none yet"),
    ]  # fmt: skip
    return render_part("report/tiles.html", tiles=tiles)


def _runs(records: Records) -> Markup:
    return table(
        "Newest run of each circuit",
        ("program", "circuit", "target", "backend", "raw", "change", "verdict", "compared with",
         "post-selected", "expected", "observable", "exact value", "two-qubit gates", "shots",
         "job", "time (UTC)"),
        [_run_row(records, run) for run in records.newest_runs],
        programs=[run.played.runs[0].configuration.program for run in records.newest_runs],
    )  # fmt: skip


def _run_row(records: Records, newest: NewestRun) -> tuple[object, ...]:
    run, change = newest.played.runs[0], newest.comparison.change
    raw = run.scores.get("raw")
    selected = run.scores.get("post_selected")
    return (
        run.configuration.program, run.configuration.way, run.calibrated_target, run.backend,
        _fidelity(raw),
        None if change is None else Number(interval_text(change)),
        "" if change is None else badge(change.verdict), _against(newest),
        _fidelity(selected), figure_of(run.expected_fidelity), first_observable(raw),
        _exact(raw), count_of(run.two_qubit_gates, from_zero=run.from_zero), run.shots,
        job_link(run.job, records.linked), minute(run.at),
    )  # fmt: skip


def _against(row: NewestRun) -> str:
    """Return the earlier runs that a run was compared with, and those left out."""
    played, change = row.played, row.comparison.change
    newest, replaced = played.runs[0], played.replaced
    parts = []
    if change is not None:
        since = row.comparison.earlier[-1].at
        parts.append(f"{how_many(change.runs, 'run')} since {since:%Y-%m-%d}")
    elif len(played.runs) > 1:
        parts.append("not compared: shots differ too much")
    if replaced is not None:
        gates = " → ".join(
            count_text(run.two_qubit_gates, from_zero=run.from_zero) for run in (replaced, newest)
        )
        parts.append(
            f"the circuit changed: {gates} two-qubit gates; runs before and after are not compared"
        )
    return "; ".join(parts)


def _fidelity(score: Score | None) -> Number | None:
    return None if score is None else figure_of(score.normalized_fidelity)


def _exact(score: Score | None) -> Number | None:
    exact = [] if score is None else [observable.exact for observable in score.observables.values()]
    return figure_of(exact[0]) if exact else None


def _compilations(records: Records) -> Markup:
    return table(
        "Newest compilation of each kind",
        ("program", "target", "circuit", "two-qubit gates", "change", "verdict",
         "two-qubit depth", "depth", "qubits", "expected fidelity", "pipeline", "proof",
         "compile time (s)", "older compilations", "time (UTC)", "duration (µs)"),
        [_compilation_row(group) for group in records.by_kind],
        programs=[group[0].configuration.program for group in records.by_kind],
    )  # fmt: skip


def _compilation_row(group: Sequence[Compiled]) -> tuple[object, ...]:
    new, chosen = group[0], group[0].choice
    gates = [compilation.choice.two_qubit_gates for compilation in group[:2]]
    change = gates_change(*gates) if len(gates) == 2 else None
    duration = chosen.duration_ns
    return (
        new.configuration.program, new.configuration.target, new.configuration.way,
        count_of(chosen.two_qubit_gates, from_zero=new.from_zero),
        None if change is None else Number(f"{change.difference:+,.0f}"),
        "" if change is None else badge(change.verdict),
        count_of(chosen.two_qubit_depth, from_zero=new.from_zero),
        count_of(chosen.depth, from_zero=new.from_zero), chosen.qubits,
        figure_of(chosen.expected_fidelity), chosen.pipeline, badge(new.verified),
        figure_of(new.seconds, 1), len(group) - 1, minute(new.at),
        figure_of(None if duration is None else duration / 1000, 1),
    )  # fmt: skip
