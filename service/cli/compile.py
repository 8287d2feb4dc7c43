"""The command `compile`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.formats.circuit_files import qasm3_text, qpy_bytes, read_qpy
from compiler.lowering.figures import T_FIGURES
from service.answers.compilations import compilation_answer
from service.cli.compile_options import How, TimeLimit, compile_options
from service.cli.devices import Target
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes
from service.cli.output.encodings import print_encodings
from service.cli.output.files import output_path, write_output
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import print_json, print_table, say
from service.cli.program_argument import Program, read_source
from workers.compilation.best_encoding import carry_out
from workers.compilation.orders import PlannedOrder, plan
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Compilation


@compile_options
def compile_command(
    *,
    program: Program,
    target: Target = "all",
    how: How,
    time_limit: TimeLimit = None,
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

    - `stichwerk compile skat-4 --encoding lists-win --objective t_count`
    """
    source = read_source(program)
    path = _output_path(output)
    checked = plan(how.order(source, target, time_limit=time_limit))
    with Session(open_database(database)) as session:
        compilation = compile_and_verify(session, checked, processes)
        if path:
            _write(compilation, path)
        answer = compilation_answer(compilation)
    if as_json:
        print_json(answer)
    else:
        print_compilation(answer, path)


def compile_and_verify(session: Session, checked: PlannedOrder, processes: int) -> Compilation:
    """Run the stages `compile` and `verify` with progress on stderr."""
    say_if_first("compiler")
    with process_pool(min(processes, len(checked.plan.attempts))) as pool:
        return carry_out(session, checked, pool, say)


def _output_path(output: str) -> Path | None:
    """Check where a circuit is to be written, before anything is computed."""
    if not output:
        return None
    return output_path("output", output, (".qasm", ".qpy"))


def _write(compilation: Compilation, path: Path) -> None:
    circuit = read_qpy(compilation.chosen.native or b"", compilation.program)
    content = qpy_bytes(circuit) if path.suffix == ".qpy" else qasm3_text(circuit).encode()
    write_output("output", path, content)


def print_compilation(answer: dict[str, Any], path: Path | None) -> None:
    """Print a compilation's figures and passes, and the file it was written to."""
    hidden = T_FIGURES if answer["t_count"] is None else ()
    shown = [
        (key, value)
        for key, value in answer.items()
        if not isinstance(value, dict | list) and key not in hidden
    ]
    print_table("Compiled", ("figure", "value"), [(key, _text(value)) for key, value in shown])
    print_table(
        "Passes (0: what changed here does the same from |0…0⟩ only)",
        ("pass", "two-qubit gates", ""),
        [
            (step["name"], step["two_qubit_gates"], "0" if step["from_zero"] else "")
            for step in answer["steps"]
        ],
    )
    print_encodings(answer["encodings"])
    if path:
        print(f"written to {path}")


def _text(value: object) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
