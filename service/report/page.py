"""The report: one HTML page in one file, which needs no network."""

from attrs import evolve
from sqlalchemy.orm import Session

from service.pages.tables import sections_page
from service.report.job_details import job_details
from service.report.records import read_records, read_service_health
from service.report.views.about import about
from service.report.views.compilation.compiler import compiler
from service.report.views.compilation.gates import circuits, gates
from service.report.views.compilation.peers import peers
from service.report.views.machines.estimates import estimates
from service.report.views.machines.fidelity import fidelity
from service.report.views.machines.observables import observables
from service.report.views.machines.volumetric import volumetric
from service.report.views.overview import overview
from service.report.views.queue.jobs import jobs
from service.report.views.queue.queue import queue
from service.report.views.queue.service_health import service_health

VIEWS = (
    overview, fidelity, gates, peers, observables, estimates, volumetric, compiler, queue, jobs,
    circuits, about,
)  # fmt: skip


def report_html(session: Session, *, served: bool = False) -> str:
    """Return the report on the newest records: a page in one file.

    Args:
        session: of the database that holds them.
        served: whether a server shows it, to whose other pages it links.
    """
    records = read_records(session)
    sections = [view(records) for view in VIEWS]
    sections.insert(VIEWS.index(queue) + 1, service_health(read_service_health(session), records))
    programs = {compilation.configuration.program for compilation in records.compilations}
    programs |= {run.configuration.program for run in records.runs}
    programs |= {job.row.program for job in records.jobs if job.compiled is None}
    programs |= {estimate.program for estimate in records.estimates}
    return sections_page(
        "Stichwerk report",
        sections,
        programs=programs,
        jobs=[job_details(job, records.programs, records.linked) for job in records.jobs],
        served=served,
    )


def trends_html(session: Session, token_id: int | None) -> str:
    """Return the plots of runs over time: a page in one file.

    Args:
        session: of the database of the records.
        token_id: whose runs; None for those of all.
    """
    # Without details of jobs, so that their numbers are no links.
    records = evolve(read_records(session, token_id), jobs=())
    programs = {run.configuration.program for run in records.runs}
    sections = [fidelity(records), observables(records)]
    return sections_page("Trends", sections, programs=programs, served=True)
