"""How circuits came about: pass by pass, where the seconds went, and all that was tried."""

from collections.abc import Sequence

from markupsafe import Markup

from service.pages.plots import Plot
from service.pages.sections import Section, nothing
from service.pages.tables import badge, count_of, figure_of, table
from service.report.records import MAX_TRIED, Records
from service.report.views.compilation.compiler_plots import (
    Stepped,
    counts_by_step,
    seconds_by_stage,
    seconds_by_step,
)
from service.report.views.naming import compiled_name
from workers.records.queries.compilations import Compiled
from workers.records.tables import Compilation


def compiler(records: Records) -> Section:
    """Return the steps of the chosen pipelines, seconds by stage, and all candidates."""
    parts: list[Markup | Plot | tuple[Plot, ...]] = []
    newest = {group[0].id: group[0] for group in records.by_kind}
    stepped = [
        (newest[one.compilation_id], one) for one in records.tried if one.chosen and one.steps
    ]
    if stepped:
        parts.append((counts_by_step(stepped), seconds_by_step(stepped)))
    if records.by_kind:
        parts += [seconds_by_stage(records), _steps_table(stepped), _candidates(records, newest)]
    if records.without_choice:
        parts.append(_without_choice(records))
    return Section(
        "compiler",
        "Compiler",
        "What each pass of the chosen pipeline left, in the newest compilation of each kind, and "
        "how long it took. Every candidate counts, also those that failed or were refuted.",
        parts or [nothing("Nothing has been compiled yet.")],
    )


def _steps_table(stepped: Sequence[Stepped]) -> Markup:
    rows, programs = [], []
    for compilation, one in stepped:
        from_zero = False
        for place, step in enumerate(one.steps):
            from_zero = from_zero or bool(step.get("from_zero"))
            rows.append(
                (
                    compiled_name(compilation), one.pipeline, f"{place:02} {step['name']}",
                    count_of(step.get("two_qubit_gates"), from_zero=from_zero),
                    count_of(step.get("two_qubit_depth"), from_zero=from_zero),
                    figure_of(step.get("seconds"), 2),
                )
            )  # fmt: skip
            programs.append(compilation.configuration.program)
    made = table(
        "Steps of the chosen pipelines",
        ("compilation", "pipeline", "step", "two-qubit gates", "two-qubit depth", "seconds"),
        rows,
        programs=programs,
    )  # fmt: skip
    folded = Markup("<details><summary>All {:,} steps</summary>{}</details>")
    return folded.format(len(rows), made)


def _candidates(records: Records, newest: dict[int, Compiled]) -> Markup:
    rows, programs = [], []
    for one in records.tried:
        compilation, figures = newest[one.compilation_id], one.figures
        duration = figures["duration_ns"]
        rows.append(
            (
                compiled_name(compilation), one.synthesis,
                f"{one.pipeline} ★" if one.chosen else one.pipeline,
                one.seed, *(count_of(figures[name], from_zero=one.from_zero)
                            for name in ("two_qubit_gates", "two_qubit_depth", "depth")),
                figures["qubits"],
                figure_of(None if duration is None else duration / 1000, 1),
                figure_of(figures["expected_fidelity"]), badge(one.verified),
                figure_of(one.lower_seconds, 1), figure_of(one.verify_seconds, 1),
                one.detail or None,
            )
        )  # fmt: skip
        programs.append(compilation.configuration.program)
    cut = f", the first {MAX_TRIED:,}" if len(rows) >= MAX_TRIED else ""
    return table(
        f"All candidates of the newest compilation of each kind{cut}; ★ was chosen",
        ("compilation", "synthesis", "pipeline", "seed", "two-qubit gates", "two-qubit depth",
         "depth", "qubits", "duration (µs)", "expected fidelity", "verified", "lower (s)",
         "verify (s)", "detail"),
        rows,
        programs=programs,
    )  # fmt: skip


def _without_choice(records: Records) -> Markup:
    return table(
        "Compilations that chose nothing: everything failed or was refuted, or is under way",
        ("program", "target", "method", "encoding", "made (UTC)", "what became of candidates"),
        [
            (
                c.program,
                records.targets[c.target],
                c.method,
                c.encoding,
                f"{c.created_at:%Y-%m-%d %H:%M}",
                _fates(c),
            )
            for c in records.without_choice
        ],
        programs=[c.program for c in records.without_choice],
    )


def _fates(compilation: Compilation) -> str:
    fates = {c.verified + (f": {c.detail}" if c.detail else "") for c in compilation.candidates}
    return "; ".join(sorted(fates)) or "none were made"
