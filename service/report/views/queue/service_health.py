"""Problems of the service: missing workers, failing providers, jobs that need a user."""

from attrs import astuple

from compiler.words.machine_names import machine_of
from service.pages.tables import Section, job_link, nothing, table
from service.report.records import Records, ServiceHealth
from service.report.views.naming import clock
from service.results.status import work_tables


def service_health(health: ServiceHealth, records: Records) -> Section:
    """Return the processes, the state of the providers, and the blocked jobs."""
    parts = [table(*astuple(each, recurse=False)) for each in work_tables(health.work) if each.rows]
    if not any(row.jobs for row in health.work.stuck.values()):
        parts.append(nothing("No jobs are blocked."))
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
    return Section(
        "standing",
        "Problems",
        "Problems at the time of this report; 'stichwerk status' shows the current ones.",
        parts,
    )
