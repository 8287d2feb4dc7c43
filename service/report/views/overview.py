"""The newest figures, and whether they are better or worse than those before."""

from collections import Counter
from collections.abc import Sequence

from service.report.markup import Html, Number, badge, element, figure_of, plain, table
from service.report.reading.change import Change, fidelity_change, gates_change
from service.report.reading.compiled import Compiled
from service.report.reading.records import Records
from service.report.reading.runs import Points, Run
from service.report.section import Section, nothing
from service.report.views.naming import job_link, minute
from workers.states import FINAL

SAYS = (
    "The newest run and the newest compilation of each kind against the one before of the same "
    "kind. Fidelities are normalised: 0 is uniform noise, 1 a perfect machine. A change counts as "
    "better or worse if shots alone would explain it less than once in twenty times."
)


def overview(records: Records) -> Section:
    """Return tiles, and what has changed."""
    changes = [_run_change(group) for group in records.runs_by_kind]
    parts = [_tiles(records, changes)]
    if records.runs_by_kind:
        parts.append(_runs(records, changes))
    if records.by_kind:
        parts.append(_compilations(records))
    else:
        bench = element("code", "stichwerk bench")
        parts.append(
            element("p", "There are no records of finished compilations yet. Make some with ",
                    bench, ".", class_="nothing")
        )  # fmt: skip
    if records.by_kind and not records.runs_by_kind:
        parts.append(nothing("No job has been scored yet."))
    return Section("overview", "Overview", SAYS, parts)


def _tiles(records: Records, changes: Sequence[Change | None]) -> Html:
    queueing = records.queueing
    done, failed = queueing.in_state("done"), queueing.in_state("failed")
    waiting = sum(n for (state, _), n in queueing.numbers.items() if state not in FINAL)
    verdicts = Counter(change.verdict for change in changes if change is not None)
    spent = sum(queueing.costs_usd.values())
    times = [run.at for run in records.runs[:1]] + [one.at for one in records.compilations[:1]]
    tiles = [
        _tile("jobs", f"{queueing.jobs:,}", f"{waiting:,} on their way"),
        _tile("done", f"{done:,}", f"{failed:,} failed", bad=failed > 0),
        _tile("scored runs", f"{records.all_runs:,}", f"{len(records.runs_by_kind):,} kinds"),
        _tile("compilations", f"{records.all_compilations:,}", f"{len(records.by_kind):,} kinds"),
        _tile("better", f"{verdicts['better']:,}", "kinds of runs"),
        _tile("worse", f"{verdicts['worse']:,}", f"{verdicts['same']:,} the same",
              bad=verdicts["worse"] > 0),
        _tile("estimated cost", f"${spent:,.2f}", "all submitted"),
        _tile("newest record", f"{max(times):%H:%M}" if times else "–",
              f"{max(times):%Y-%m-%d}, UTC" if times else "none yet"),
    ]  # fmt: skip
    return element("dl", *tiles, class_="tiles")


def _tile(name: str, value: str, note: str, bad: bool = False) -> Html:
    return element(
        "div",
        element("dt", name),
        element("dd", value),
        element("dd", note, class_="note bad" if bad else "note"),
    )


def _runs(records: Records, changes: Sequence[Change | None]) -> Html:
    groups = records.runs_by_kind
    rows = [
        _run_row(records, group[0], change) for group, change in zip(groups, changes, strict=True)
    ]
    return table(
        "The newest run of each kind",
        ("program", "backend", "circuit", "raw", "change", "", "post-selected", "expected",
         "P(win)", "exact", "two-qubit gates", "shots", "job", "when (UTC)", "target"),
        rows,
        marks=[{"data_program": plain(group[0].kind.program)} for group in groups],
    )  # fmt: skip


def _run_row(records: Records, run: Run, change: Change | None) -> tuple[object, ...]:
    raw = run.scores.get("raw")
    selected = run.scores.get("post_selected")
    return (
        run.kind.program, run.backend, run.kind.way, _fidelity(raw),
        None if change is None else Number(f"{change.difference:+.3f}"),
        "" if change is None else badge(change.verdict),
        _fidelity(selected), figure_of(run.expected_fidelity), _wins(raw),
        None if raw is None else figure_of(raw.p_win_exact), run.two_qubit_gates, run.shots,
        job_link(run.job, records.linked), minute(run.at), run.kind.target,
    )  # fmt: skip


def _fidelity(score: Points | None) -> Number | None:
    return None if score is None else figure_of(score.normalized_fidelity)


def _wins(score: Points | None) -> Number | None:
    if score is None:
        return None
    return Number(f"{score.p_win:.3f} [{score.p_win_low:.3f}, {score.p_win_high:.3f}]")


def _run_change(group: Sequence[Run]) -> Change | None:
    raw = [run.scores["raw"] for run in group[:2] if "raw" in run.scores]
    return fidelity_change(*raw) if len(raw) == 2 else None


def _compilations(records: Records) -> Html:
    return table(
        "The newest compilation of each kind",
        ("program", "target", "circuit", "two-qubit gates", "change", "", "two-qubit depth",
         "depth", "qubits", "expected fidelity", "pipeline", "verified", "seconds", "older",
         "when (UTC)", "duration (µs)", "seed"),
        [_compilation_row(group) for group in records.by_kind],
        marks=[{"data_program": plain(group[0].kind.program)} for group in records.by_kind],
    )  # fmt: skip


def _compilation_row(group: Sequence[Compiled]) -> tuple[object, ...]:
    new, figures = group[0], group[0].figures
    gates = [one.figures["two_qubit_gates"] for one in group[:2]]
    change = gates_change(*gates) if len(gates) == 2 else None
    duration = figures["duration_ns"]
    return (
        new.kind.program, new.kind.target, new.kind.way, figures["two_qubit_gates"],
        None if change is None else Number(f"{change.difference:+,.0f}"),
        "" if change is None else badge(change.verdict),
        figures["two_qubit_depth"], figures["depth"], figures["qubits"],
        figure_of(figures["expected_fidelity"]), new.pipeline, badge(new.verified),
        figure_of(new.seconds, 1), len(group) - 1, minute(new.at),
        figure_of(None if duration is None else duration / 1000, 1), new.seed,
    )  # fmt: skip
