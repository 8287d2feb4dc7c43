"""The report: one HTML page with everything in it."""

from importlib.resources import files

from sqlalchemy.orm import Session

from service.report.bars import gate_bars
from service.report.circuit_picture import circuit_picture
from service.report.markup import Html, element
from service.report.runs import runs_section
from service.report.selection import Entry, Selection, select_records
from service.report.tables import candidates_details, compilations_table, without_choice_table
from workers.records import Compilation

TITLE = "Stichwerk: how well machines play quantum games"
ABOUT = (
    "Stichwerk compiles quantum games to the native gates of real machines, proves the result "
    "right, runs it, and measures how well the machines play. Every number below comes from a "
    "record."
)
READING = (
    "A bar is the verified candidate with the fewest two-qubit gates, its number beside it; dots "
    "are all the seeds. Bold: a pipeline that was chosen. Hatched: neither verified nor refuted."
)
SECTIONS = {
    "gates": "Two-qubit gates",
    "compilations": "Compilations",
    "runs": "Runs",
    "circuits": "Circuits",
}


def report_html(session: Session) -> str:
    """Return the report on the newest records: a self-contained page without scripts."""
    selection = select_records(session)
    failed = selection.without_choice
    parts = [_header(selection)]
    if selection.entries:
        parts += [_gates(selection), _compilations(selection), runs_section(selection)]
        parts.append(_circuits(selection))
    if failed:
        heading = element("h2", "Nothing chosen", id="failed")
        parts.append(element("section", heading, without_choice_table(failed)))
    return _page(element("main", *parts))


def _page(body: Html) -> str:
    style = Html(files("service.report").joinpath("style.css").read_text(encoding="utf-8"))
    viewport = Html('<meta name="viewport" content="width=device-width, initial-scale=1">')
    charset = Html('<meta charset="utf-8">')
    head = element("head", charset, viewport, element("title", TITLE), element("style", style))
    return f"<!DOCTYPE html>\n{element('html', head, element('body', body), lang='en')}\n"


def _header(selection: Selection) -> Html:
    title, about = element("h1", TITLE), element("p", ABOUT)
    if not selection.entries:
        bench = element("code", "stichwerk bench")
        note = "There are no records of finished compilations yet. Make some with "
        return element("header", title, about, element("p", note, bench, "."))
    links = (element("a", name, href=f"#{anchor}") for anchor, name in SECTIONS.items())
    return element("header", title, about, _provenance(selection), element("nav", *links))


def _provenance(selection: Selection) -> Html:
    newest = selection.newest
    shown, older = len(selection.entries), sum(entry.older for entry in selection.entries)
    facts = {
        "Newest record": _when(newest),
        "Git revision": newest.revision or "unknown",
        "Versions": ", ".join(f"{name} {number}" for name, number in newest.versions.items()),
        "Compilations": f"{shown:,} shown, {older:,} older in the records",
    }
    if others := {e.compilation.revision for e in selection.entries} - {newest.revision}:
        facts["Also of revisions"] = ", ".join(sorted(name or "unknown" for name in others))
    pairs = (Html(element("dt", name) + element("dd", fact)) for name, fact in facts.items())
    return element("dl", *pairs)


def _gates(selection: Selection) -> Html:
    programs = selection.programs()
    pictures = [
        element("section", element("h3", _name(entries[0], programs)), gate_bars(entries))
        for entries in programs
    ]
    return _section("gates", element("p", READING), element("div", *pictures, class_="cards"))


def _compilations(selection: Selection) -> Html:
    tried = element("h3", "Everything that was tried")
    details = (candidates_details(entry) for entry in selection.entries)
    return _section("compilations", compilations_table(selection.entries), tried, *details)


def _circuits(selection: Selection) -> Html:
    programs = selection.programs()
    drawn: list[Html] = []
    for entries in programs:
        by_encoding = {entry.compilation.encoding: entry for entry in reversed(entries)}
        for encoding, entry in sorted(by_encoding.items()):
            name = _name(entry, programs)
            title = name if encoding == "none" else f"{name}, {encoding} encoding"
            drawn.append(element("section", element("h3", title), _circuit(entry)))
    return _section("circuits", element("div", *drawn, class_="cards"))


def _circuit(entry: Entry) -> Html:
    if entry.work is None:
        return element("p", "This version of Stichwerk cannot read the program.")
    compilation = entry.compilation
    name = f"circuit-{compilation.source_digest}-{compilation.encoding}"
    return circuit_picture(entry.work.program, entry.work.game is not None, name)


def _section(anchor: str, *parts: Html) -> Html:
    return element("section", element("h2", SECTIONS[anchor], id=anchor), *parts)


def _name(entry: Entry, programs: list[list[Entry]]) -> str:
    """Return a program's name, with a digest if several files of that name differ."""
    compilation = entry.compilation
    same = sum(group[0].compilation.program == compilation.program for group in programs)
    return compilation.program + (f" ({compilation.source_digest[:8]})" if same > 1 else "")


def _when(compilation: Compilation) -> str:
    return f"{compilation.created_at:%Y-%m-%d %H:%M} UTC"
