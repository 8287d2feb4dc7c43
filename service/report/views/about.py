"""Sources and definitions of the figures."""

import tomllib
from pathlib import Path

from markupsafe import Markup

from service.pages.rendering import render_part
from service.pages.tables import Section
from service.report.records import (
    MAX_COMPILATIONS,
    MAX_ESTIMATES,
    MAX_JOBS,
    MAX_KINDS,
    MAX_PEER_RESULTS,
    MAX_TRIED,
    Records,
)
from service.report.views.naming import minute
from workers.records.queries.programs import MAX_PROGRAMS
from workers.records.queries.queueing import MAX_FAILED, MAX_TIMED
from workers.records.queries.runs import MAX_RUNS

DEFINITIONS = tomllib.loads(
    (Path(__file__).parents[1] / "definitions.toml").read_text(encoding="utf-8")
)


def about(records: Records) -> Section:
    """Return definitions, provenance, and omissions."""
    return Section(
        "about",
        "Definitions and sources",
        parts=[
            render_part("facts.html", title="", facts=DEFINITIONS),
            render_part("facts.html", title="Provenance", facts=_provenance(records)),
            Markup("<h3>Omissions</h3>"),
            Markup("<p>{}</p>").format(_limits(records)),
        ],
    )


def _provenance(records: Records) -> dict[str, str]:
    facts: dict[str, str] = {}
    if records.compilations:
        newest = records.compilations[0]
        revisions = dict.fromkeys(
            _short(compilation.revision) for compilation in records.compilations
        )
        facts |= {
            "Newest compilation": f"{minute(newest.at)} UTC",
            "Git revision": newest.revision or "unknown",
            "Versions": ", ".join(f"{name} {version}" for name, version in newest.versions.items()),
        }
        if others := [revision for revision in revisions if revision != _short(newest.revision)]:
            facts["Other revisions"] = ", ".join(others)
    if records.peers:
        versions = records.peers[-1].versions.items()
        facts["Compared with"] = ", ".join(f"{name} {version}" for name, version in versions)
    return facts or {"Records": "none yet"}


def _short(revision: str | None) -> str:
    """Return the start of a revision, with `+changes` if it has them."""
    head, _, changes = (revision or "unknown").partition("+")
    return head[:12] + (f"+{changes}" if changes else "")


def _limits(records: Records) -> str:
    return (
        f"The report shows the newest records only, at most {MAX_RUNS:,} scored runs "
        f"({records.all_runs:,} in the records), {MAX_COMPILATIONS:,} compilations "
        f"({records.all_compilations:,}), {MAX_KINDS} kinds of each, {MAX_TRIED:,} candidates, "
        f"{MAX_JOBS} jobs ({records.all_jobs:,} without child jobs), {MAX_ESTIMATES} estimates, "
        f"times of {MAX_TIMED:,} jobs, reasons of {MAX_FAILED} failures, {MAX_PEER_RESULTS} "
        f"results of other compilers, and outcomes of {MAX_PROGRAMS} programs. Numbers of jobs and "
        "costs include all jobs."
    )
