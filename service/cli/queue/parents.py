"""What came of jobs that others are run under, as tables: estimates, trainings, batches."""

from collections.abc import Mapping
from typing import Any

from compiler.words.machine_names import machine_of
from service.cli.mitigation.table import print_mitigated
from service.cli.output.figures import figure, money, share
from service.cli.output.fitted_columns import Column, fitted
from service.cli.output.printing import print_table, terminal_width
from service.cli.score.table import print_machines
from service.results.jobs.details import JobDetails, Rounds
from service.results.jobs.runs import MitigationResult

SUMS = {
    "shots": "shots of those that are done",
    "estimated_cost_usd": "estimated, and reserved (US dollars)",
    "charged_cost_usd": "charged by providers (US dollars)",
    "usage_seconds": "seconds of providers' machines",
    "run_seconds": "seconds that they ran",
}
"""What all rounds took together, one below the other."""


def print_parent_result(job: JobDetails) -> None:
    """Print the result of a parent job."""
    print(f"job {job.id}, {job.program}: {job.state}")
    print_children(job, terminal_width())


def print_children(job: JobDetails, width: int) -> None:
    """Print a job's child jobs, their sums, and their result; nothing for a job without any.

    Args:
        job: Any job.
        width: Characters of a line.
    """
    batched = job.batched or {}
    if job.rounds is not None:
        _print_rounds(job.rounds, "jobs" if batched else "rounds", width)
    if job.estimate:
        figures = [
            (key, figure(value))
            for key, value in job.estimate
            if key != "rounds" and value is not None
        ]
        print_table("Its estimate", ("figure", "value"), figures, width)
    if job.trained:
        _print_training(job.trained, width)
    if batched.get("scores"):
        print_machines(batched["scores"], width)
    if batched.get("mitigated"):
        print_mitigated(MitigationResult.model_validate(batched["mitigated"]), width)
    if batched.get("drifts"):
        told = [(one["told"],) for one in batched["drifts"]]
        print_table("What has changed", ("",), told, width)


def _print_rounds(rounds: Rounds, name: str, width: int) -> None:
    rows = rounds.jobs
    if rows:
        columns = [
            Column("job", [row.id for row in rows]),
            Column("state", [row.state for row in rows]),
            Column("program", [row.program for row in rows], least=8),
            Column("backend", [machine_of(row.backend) for row in rows], least=8),
            Column("shots", [row.shots for row in rows], dispensable=True),
            Column("fidelity", [share(row.normalized_fidelity) for row in rows]),
            Column("reserved $", [money(row.estimated_cost_usd) for row in rows]),
            Column("charged $", [money(row.charged_cost_usd) for row in rows]),
        ]
        shown = fitted(columns, width)
        cells = list(zip(*(one.cells for one in shown), strict=True))
        print_table(f"Its {name}", [one.name for one in shown], cells, width)
    sums = [
        (words, figure(value))
        for key, words in SUMS.items()
        if (value := getattr(rounds, key)) is not None
    ]
    print_table(f"All {name} together", ("", ""), sums, width)


def _print_training(trained: Mapping[str, Any], width: int) -> None:
    """Write what the weights win, step by step, exactly and as it was measured."""
    rows = [
        (
            one["step"],
            f"{one['p_win']:.6f}",
            f"{one['measured']:.3f} ({one['low']:.3f} to {one['high']:.3f})",
        )
        for one in trained["backends"][-1]["training"]
    ]
    print_table("Its steps", ("step", "P(win), exact", "measured, 95 %"), rows, width)
