"""The report: one HTML page with everything in it, which asks nobody for anything."""

from importlib.resources import files

from sqlalchemy.orm import Session

from service.report.embedding import content_hash, embedded_json, embedded_library
from service.report.job_details import job_details
from service.report.markup import Html, element, plain
from service.report.records import Records, read_records, read_service_health
from service.report.section import Section
from service.report.views.about import about
from service.report.views.compilation.circuits import circuits
from service.report.views.compilation.compiler import compiler
from service.report.views.compilation.gates import gates
from service.report.views.compilation.peers import peers
from service.report.views.machines.estimates import estimates
from service.report.views.machines.fidelity import fidelity
from service.report.views.machines.observables import observables
from service.report.views.machines.volumetric import volumetric
from service.report.views.overview import overview
from service.report.views.queue.jobs import jobs
from service.report.views.queue.queue import queue
from service.report.views.queue.service_health import service_health
from workers.records.queries.scope import Scope

TITLE = "Stichwerk report"
VIEWS = (
    overview, fidelity, gates, peers, observables, estimates, volumetric, compiler, queue, jobs,
    circuits, about,
)  # fmt: skip
SCRIPTS = ("elements.js", "plots.js", "tables.js", "details.js", "page.js")


def report_html(session: Session, scope: Scope | None = None) -> str:
    """Return the report on the newest records: a page in one file.

    Args:
        session: of the database that holds them.
        scope: which records; all by default.
    """
    records = read_records(session, scope or Scope())
    sections = [view(records) for view in VIEWS]
    sections.insert(VIEWS.index(queue) + 1, service_health(read_service_health(session), records))
    script = _script()
    library, library_hash = embedded_library("library")
    data = {
        "plots": {plot.name: plot.data() for one in sections for plot in one.plots()},
        "jobs": {job.row.id: job_details(job, records.programs) for job in records.jobs},
    }
    main = element("main", *(section.html() for section in sections))
    dialog = element("dialog", id="details", aria_labelledby="details-title")
    embedded = Html(embedded_json("records", data) + library + f"<script>{script}</script>")
    body = element("body", _header(sections, records), main, dialog, embedded)
    head = _head(f"{content_hash(script.encode())} {library_hash}")
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _script() -> str:
    """Return all scripts as one, whose names are its own."""
    return "(() => {\n'use strict';\n" + "".join(map(_file, SCRIPTS)) + "})();"


def _file(name: str) -> str:
    return (files("service.report") / "browser" / name).read_text(encoding="utf-8")


def _head(scripts: str) -> Html:
    # plotly.js sets styles on what it draws; downloads of pictures are data and blob addresses.
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", TITLE),
        element("style", Html(_file("page.css"))),
    )


def _header(sections: list[Section], records: Records) -> Html:
    links = (element("a", section.title, href=f"#{section.anchor}") for section in sections)
    names = {one.configuration.program for one in records.compilations}
    names |= {run.configuration.program for run in records.runs}
    names |= {job.row.program for job in records.jobs if job.compiled is None}
    names |= {one.program for one in records.estimates}
    programs = sorted({plain(name) for name in names})
    options = [element("option", "all programs", value="")]
    options += [element("option", program, value=program) for program in programs]
    chooser = element(
        "label",
        element("span", "Program"),
        element("select", *options, id="program", aria_label="Program"),
    )
    theme = element("button", "◐", type="button", id="theme", aria_label="Dark or light")
    return element(
        "header",
        element("div", element("h1", TITLE), chooser, theme, class_="bar"),
        element("nav", *links, aria_label="Sections"),
    )
