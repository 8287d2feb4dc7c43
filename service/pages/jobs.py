"""A job in the report and on the page of jobs."""

from collections.abc import Container, Sequence
from itertools import compress

from markupsafe import Markup

from compiler.words.machine_names import machine_of
from service.pages.rendering import render_part
from service.pages.tables import Number, badge, job_link, table, text
from service.results.jobs.details import JobDetails, JobRow
from service.results.jobs.tables import (
    JobNumber,
    cost_words,
    fidelity_words,
    job_tables,
    result_line,
)
from service.results.model import Table
from workers.jobs.states import FINAL, OPEN, State

LISTED = ("Job", "State", "Program", "Backend", "Tag", "Shots", "Fidelity", "Cost, USD",
          "Submitted (UTC)")  # fmt: skip
"""Columns of a list of jobs."""
HUES = dict(zip(OPEN, (0, 1, 2, 3, 4, 6, 7), strict=True))
"""Colours of stages in the timeline, without red."""
MAX_LETTERS = 4000
"""Letters of an error that are shown."""


def job_html(
    job: JobDetails,
    outcomes: Markup | None = None,
    *,
    linked: Container[int] | None = None,
    changes: Sequence[str] = (),
    circuit: str | None = None,
) -> Markup:
    """Return the view of a job.

    Args:
        job: the job.
        outcomes: measured ones; None without a result.
        linked: numbers of the jobs that the page can open; None for all, on the page of jobs.
        changes: buttons, see `changes_of`.
        circuit: id of the figure on the page with the compiled program; None for none.
    """
    first, *tables = [item for item in job_tables(job) if item.title != "Stages"]
    problems = (
        job.error,
        job.quarantined and f"In quarantine: {job.quarantined}",
        "In doubt: the provider may have accepted the job." if job.doubtful else None,
        job.refusal and f"Refused: {job.refusal}",
        f"The provider ran a different program: {job.executed_detail}"
        if job.executed == "different"
        else None,
    )
    return render_part(
        "job.html",
        title=f"Job {job.id}: {job.program} on {machine_of(job.backend)}",
        live=linked is None,
        state=badge(job.state),
        result=result_line(job).partition(": ")[2] if job.state == State.DONE else "",
        cancelling=job.cancel_requested and job.state not in FINAL,
        problems=[problem[:MAX_LETTERS] for problem in problems if problem],
        changes=changes,
        stages=[(stage, HUES.get(State(stage.state)), badge(stage.state)) for stage in job.stages],
        seconds=sum(stage.seconds or 0.0 for stage in job.stages),
        first=_rendered(first, linked),
        outcomes=outcomes,
        tables=[_rendered(item, linked) for item in tables],
        circuit=circuit,
    )


def jobs_table(jobs: Sequence[JobRow], *, live: bool) -> Markup:
    """Return a list of jobs, each with a link to its details; empty without any.

    Args:
        jobs: the newest first.
        live: whether scripts show the list, and leave a phone four of its columns.
    """
    link = Markup('<a id="open-{0}" href="/jobs/{0}{1}" aria-label="Job {0}">{0}</a>')
    part = "" if live else "/panel"
    rows = [
        (link.format(job.id, part), badge(job.state, "fair"), job.program + _rounds(job),
         machine_of(job.backend), job.tag or "", job.shots, Number(fidelity_words(job)),
         Number(cost_words(job)), f"{job.created_at:%Y-%m-%d %H:%M}")
        for job in jobs
    ]  # fmt: skip
    if not rows:
        return Markup()
    numbers = [job.id for job in jobs]
    return table("Jobs, the newest first", LISTED, rows, stacked=not live, jobs=numbers)


def _rounds(job: JobRow) -> str:
    return f" ({job.rounds_done} of {job.rounds_begun} done)" if job.rounds_begun else ""


def changes_of(job: JobDetails) -> list[str]:
    """Return the possible changes of a job for a token that may change jobs."""
    possible = {
        "cancel": job.state not in FINAL and not job.cancel_requested,
        "retry": job.state in (State.FAILED, State.CANCELLED) or job.quarantined is not None,
        "rescore": job.state == State.DONE and job.different_outcomes is not None,
    }
    return [name for name, is_possible in possible.items() if is_possible]


def _rendered(one: Table, linked: Container[int] | None) -> Markup:
    def cell(value: object) -> object:
        if isinstance(value, JobNumber):
            return job_link(value, linked)
        return value[:MAX_LETTERS] if isinstance(value, str) else value

    rows = [[cell(value) for value in row] for row in one.rows]
    if one.columns:
        filled = [
            any(value not in (None, "") for value in column) for column in zip(*rows, strict=True)
        ]
        rows = [list(compress(row, filled)) for row in rows]
        return table(one.title, list(compress(one.columns, filled)), rows)
    facts = {name: text(value) for name, value in rows}
    return render_part("facts.html", title=one.title, facts=facts)
