"""Pictures of the programs, operator by operator."""

from service.report.circuit_picture import circuit_picture
from service.report.job_details import circuit_id
from service.report.markup import Html, element, plain
from service.report.records import Records
from service.report.section import Section, nothing
from workers.records.queries.compilations import Compiled

MOST_PICTURES = 24


def circuits(records: Records) -> Section:
    """Return one picture for each program and encoding, the newest first."""
    newest = {circuit_id(group[0]): group[0] for group in reversed(records.by_kind)}
    shown = list(reversed(newest.items()))[:MOST_PICTURES]
    if not shown:
        return Section("circuits", "Circuits", parts=[nothing("Nothing has been compiled yet.")])
    drawn = [_circuit(name, compilation, records) for name, compilation in shown]
    return Section(
        "circuits",
        "Circuits",
        "Programs before they are lowered, one box an operator.",
        [element("div", *drawn, class_="cards")],
    )


def _circuit(name: str, compilation: Compiled, records: Records) -> Html:
    configuration = compilation.configuration
    title = (
        configuration.program
        if configuration.encoding == "none"
        else f"{configuration.program}, {configuration.encoding} encoding"
    )
    program = records.programs.of(configuration, compilation.id)
    if program is None:
        picture = element("p", "This version of Stichwerk cannot read the program.")
    else:
        picture = circuit_picture(program.program.circuit, not program.program.is_circuit, name)
    return element(
        "section",
        element("h3", title),
        picture,
        class_="card",
        data_program=plain(configuration.program),
    )
