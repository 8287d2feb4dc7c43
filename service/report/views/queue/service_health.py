"""Problems of the service: missing workers, failing providers, jobs that need a user."""

from datetime import timedelta

from markupsafe import Markup

from compiler.words.machine_names import machine_of
from service.pages.sections import Section, nothing
from service.pages.tables import job_link, table
from service.report.records import Records, ServiceHealth
from service.report.views.naming import clock
from service.results.status import PROBLEMS, REASONS


def service_health(health: ServiceHealth, records: Records) -> Section:
    """Return who ran, how providers answered, and which jobs did not go on."""
    parts: list[Markup] = [_stuck(health)]
    if health.quarantined:
        parts.append(
            table(
                "In quarantine, until a person has looked at them",
                ("job", "program", "backend", "why", "since (UTC)"),
                [
                    (job_link(row.id, records.linked), row.program, machine_of(row.backend),
                     row.quarantined, clock(row.state_since))
                    for row in health.quarantined
                ],
            )
        )  # fmt: skip
    if health.work.providers:
        parts.append(
            table(
                "Providers, as the workers' calls found them",
                ("backend", "state", "answered (UTC)", "failing since (UTC)", "why"),
                [
                    (provider.backend, PROBLEMS[provider.problem],
                     None if provider.answered_at is None else clock(provider.answered_at),
                     None if provider.failing_since is None else clock(provider.failing_since),
                     provider.detail)
                    for provider in health.work.providers
                ],
            )
        )  # fmt: skip
    if health.work.runners:
        parts.append(
            table(
                "Who ran",
                ("what", "host", "queues", "processes", "last seen (UTC)", "version"),
                [
                    (runner.kind, runner.host, ", ".join(runner.queues), runner.processes,
                     clock(runner.seen_at), runner.version)
                    for runner in health.work.runners
                ],
            )
        )  # fmt: skip
    return Section(
        "standing",
        "Problems",
        "Problems of jobs when this page was made; 'stichwerk status' shows the present ones.",
        parts,
    )


def _stuck(health: ServiceHealth) -> Markup:
    rows = [
        (
            REASONS[reason],
            row.jobs,
            clock(health.work.at - timedelta(seconds=row.oldest_seconds)),
            row.first,
        )
        for reason, row in health.work.stuck.items()
        if row.jobs
    ]
    if not rows:
        return nothing("No job was held up.")
    return table(
        "Jobs that did not go on", ("why", "jobs", "the oldest since (UTC)", "such as job"), rows
    )
