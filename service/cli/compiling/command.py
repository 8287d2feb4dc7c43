"""The command `compile`."""

from pathlib import Path
from typing import Annotated

import typer

from compiler.errors import InputError, StichwerkError
from service.cli.compile_options import CompileArguments, compile_options
from service.cli.compiling.table import compilation_sentence, print_compilations, print_figures
from service.cli.devices import Target
from service.cli.front.failures import Failure, failure
from service.cli.options import DATABASE, PROCESSES, Database, Details, Json, Processes
from service.cli.output.plots import output_path
from service.cli.output.printing import one_line, print_result, say
from service.cli.program_argument import Programs, read_source
from service.results.jobs.compilations import CompilationList, CompilationResult
from workers.compilation.orders import plan_order
from workers.untrusted_programs.files import circuit_files


@compile_options
def compile_command(
    *,
    program: Programs,
    target: Target = "all",
    arguments: CompileArguments,
    output: Annotated[str, typer.Option("--output", "-o")] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> int:
    """Compile a program to a target's native gates and prove the result.

    With several files, invalid ones are listed, all others are compiled, and the exit code is 2.

    Examples:
    - `stichwerk compile skat-4 --target star:17 -o skat.qasm`

    - `stichwerk compile skat-4 --target star --encoding best`

    - `stichwerk compile circuits/ --target star -o native/`

    - `stichwerk compile my-game.toml --target heavy-hex:boston --method literal --json`

    - `stichwerk compile circuit.qasm --target star:5:iqm --method fast`

    - `stichwerk compile ansatz.qasm --target heavy-hex:boston -o native.qasm`

    - `stichwerk compile skat-4 --encoding lists-win --objective t_count`

    Options:
        output: Write the circuit: .qasm (OpenQASM 3) or .qpy; a folder for several programs.
    """

    def compiled(name: str, path: Path | None) -> CompilationResult:
        order, *others = arguments.orders(read_source(name), target)
        if others:
            raise InputError(
                "several circuits, of --bind-file or --questions: compile takes one set of values, "
                "or one question such as chsh:0,1"
            )
        checked = plan_order(order)
        # The records are not imported for an invalid program.
        from service.cli.compiling.recorded import compile_recorded

        return compile_recorded(checked, database, processes, path)

    if len(program) == 1 and not Path(program[0]).is_dir():
        path = output_path("output", output, (".qasm", ".qpy")) if output else None
        result = compiled(program[0], path)
        print_result(result, _print, as_json=as_json, details=details)
        if path:
            say(f"written to {path}")
        return 0
    if output and not Path(output).is_dir():
        raise InputError(f"output folder not found: '{output}'. Make it first")
    files: list[str] = []
    for each in program:
        files += map(str, circuit_files(Path(each))) if Path(each).is_dir() else [each]
    results, failures = list[CompilationResult](), dict[str, Failure]()
    for name in dict.fromkeys(files):
        written = name.removesuffix(Path(name).suffix).strip("./").replace("/", "-") + ".qasm"
        try:
            results.append(compiled(name, Path(output) / written if output else None))
        except StichwerkError as error:
            failures[name] = failure(error)
            say(one_line(f"stichwerk: {name}: {error}"))
    shown = CompilationList(
        compilations=results, failures={name: of.message for name, of in failures.items()}
    )
    print_result(shown, print_compilations, as_json=as_json, details=details)
    return max((of.code for of in failures.values()), default=0)


def _print(result: CompilationResult) -> None:
    print(compilation_sentence(result))
    print_figures(result)
