"""Pictures of the programs, operator by operator."""

from service.pages.circuit import circuit_figure
from service.pages.rendering import render_part
from service.pages.sections import Section, nothing
from service.report.job_details import circuit_id
from service.report.records import Records
from workers.records.queries.compilations import Compiled

MAX_DRAWINGS = 24


def circuits(records: Records) -> Section:
    """Return one picture for each program and encoding, the newest first."""
    newest = {circuit_id(group[0]): group[0] for group in reversed(records.by_kind)}
    shown = list(reversed(newest.items()))[:MAX_DRAWINGS]
    if not shown:
        return Section("circuits", "Circuits", parts=[nothing("Nothing has been compiled yet.")])
    drawn = [_circuit(name, compilation, records) for name, compilation in shown]
    return Section(
        "circuits",
        "Circuits",
        "Programs before they are lowered, one box an operator.",
        [render_part("report/circuits.html", drawn=drawn)],
    )


def _circuit(name: str, compilation: Compiled, records: Records) -> tuple[str, str, str]:
    """Return the heading, the program and the drawing."""
    configuration = compilation.configuration
    title = (
        configuration.program
        if configuration.encoding == "none"
        else f"{configuration.program}, {configuration.encoding} encoding"
    )
    read = records.programs.of(configuration, compilation.id)
    circuit = (
        nothing("This version of Stichwerk cannot read the program.")
        if read is None
        else circuit_figure(read.program.circuit, bundled=not read.program.is_circuit, name=name)
    )
    return title, configuration.program, circuit
