"""The list of jobs, each of which can be opened."""

from compiler.words.machine_names import machine_of
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
from service.report.records import JobFacts, Records
from service.report.views.naming import clock, first_observable, newest

MAX_LETTERS = 80


def jobs(records: Records) -> Section:
    """Return the newest jobs, one a row."""
    if not records.jobs:
        return Section("jobs", "Jobs", parts=[nothing("There are no jobs yet.")])
    shown = newest(len(records.jobs), records.all_jobs, "jobs")
    columns = (
        "job", "state", "program", "backend", "target", "circuit", "raw", "post-selected",
        "observable or score", "two-qubit gates", "shots", "seconds", "estimated (USD)",
        "charged (USD)", "tag", "submitted (UTC)", "error",
    )  # fmt: skip
    return Section(
        "jobs",
        "Jobs",
        f"Click a job for its facts, timeline, scores, outcomes and circuit: {shown}.",
        [
            table(
                "Jobs, the newest first; raw and post-selected are normalised fidelities",
                columns,
                [_row(job, records) for job in records.jobs],
                programs=[_program(job) for job in records.jobs],
                jobs=[job.row.id for job in records.jobs],
            )
        ],
    )


def _program(job: JobFacts) -> str:
    return job.row.program if job.compiled is None else job.compiled.configuration.program


def _row(job: JobFacts, records: Records) -> tuple[object, ...]:
    row, compiled, score = job.row, job.compiled, job.row.device_score
    raw, selected = row.scored.get("raw"), row.scored.get("post_selected")
    costs, error = (row.estimated_cost_usd, job.charged_usd), row.error or ""
    return (
        job_link(row.id, [row.id]), badge(row.state), row.program,
        machine_of(row.backend), records.targets[row.target],
        None if compiled is None else compiled.configuration.way,
        figure_of(None if raw is None else raw.normalized_fidelity),
        figure_of(None if selected is None else selected.normalized_fidelity),
        first_observable(raw) if score is None else Number(f"score {score:.3f}"),
        None if compiled is None
        else count_of(compiled.choice.two_qubit_gates, from_zero=compiled.from_zero),
        row.shots,
        None if row.finished_at is None
        else figure_of((row.finished_at - row.created_at).total_seconds(), 1),
        *(None if cost is None else Number(f"{cost:,.2f}") for cost in costs), row.tag,
        clock(row.created_at),
        (error if len(error) <= MAX_LETTERS else error[: MAX_LETTERS - 1] + "…") or None,
    )  # fmt: skip
