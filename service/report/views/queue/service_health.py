"""Problems of the service: missing workers, failing providers, jobs that need a user."""

from datetime import timedelta

from markupsafe import Markup

from compiler.words.machine_names import machine_of
from service.pages.tables import Section, job_link, nothing, table
from service.report.records import Records, ServiceHealth
from service.report.views.naming import clock
from service.results.status import PROBLEMS, REASONS


def service_health(health: ServiceHealth, records: Records) -> Section:
    """Return the processes, the state of the providers, and the blocked jobs."""
    parts: list[Markup] = [_stuck(health)]
    if health.quarantined:
        parts.append(
            table(
                "Jobs in quarantine, which need a decision",
                ("job", "program", "backend", "reason", "since (UTC)"),
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
                "Providers, by the calls of the workers",
                ("backend", "state", "last answer (UTC)", "failing since (UTC)", "reason"),
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
                "Processes",
                ("process", "host", "queues", "jobs in parallel", "last heartbeat (UTC)",
                 "version"),
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
        "Problems at the time of this report; 'stichwerk status' shows the current ones.",
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
        return nothing("No jobs are blocked.")
    return table("Blocked jobs", ("reason", "jobs", "oldest since (UTC)", "first job"), rows)
