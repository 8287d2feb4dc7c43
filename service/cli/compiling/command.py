"""The command `compile`."""

from pathlib import Path
from typing import Annotated

import typer

from compiler.errors import InputError
from service.cli.compile_options import How, compile_options
from service.cli.compiling.table import print_compilation
from service.cli.devices import Target
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes
from service.cli.output.plots import output_path
from service.cli.output.printing import print_result
from service.cli.program_argument import Program, read_source
from workers.compilation.orders import plan_order


@compile_options
def compile_command(
    *,
    program: Program,
    target: Target = "all",
    how: How,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Write the circuit: .qasm (OpenQASM 3) or .qpy.")
    ] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Lower a program to a target's native gates, prove the result right, and record it.

    Examples:
    - `stichwerk compile skat-4 --target star:17 -o skat.qasm`

    - `stichwerk compile skat-4 --target star --encoding best`

    - `stichwerk compile my-game.toml --target heavy-hex:torino --method literal --json`

    - `stichwerk compile circuit.qasm --target star:5:iqm --method fast`

    - `stichwerk compile ansatz.qasm --target heavy-hex:torino -o native.qasm`

    - `stichwerk compile skat-4 --encoding lists-win --objective t_count`
    """
    source = read_source(program)
    path = _output_path(output)
    order, *others = how.orders(source, target)
    if others:
        raise InputError("--bind-file has several sets of values; compile takes one, or none")
    checked = plan_order(order)
    # What keeps records is not imported for a program that is none.
    from service.cli.compiling.recorded import compile_recorded

    result = compile_recorded(checked, database, processes, path)
    print_result(result, lambda result: print_compilation(result, path), as_json=as_json)


def _output_path(output: str) -> Path | None:
    """Check where a circuit is to be written, before anything is computed."""
    if not output:
        return None
    return output_path("output", output, (".qasm", ".qpy"))
