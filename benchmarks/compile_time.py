"""`python -m benchmarks.compile_time FOLDER`: CPU seconds of compilations with their proof.

Every circuit of a folder is compiled by the method `fast` from |0…0⟩ or, with `--any-input`, on
any input, and by one call of Qiskit's level 3. Each compilation begins with empty caches of
circuits, but with the device and all modules loaded.
"""

import argparse
from pathlib import Path
from statistics import median
from time import process_time

from qiskit import transpile
from qiskit.transpiler.exceptions import TranspilerError

from compiler.caches import own_cache
from compiler.compilation import Options, compile
from compiler.compilation.plan import resolved
from compiler.errors import StichwerkError
from compiler.program import Program
from compiler.targets import sized_spec
from games.sources import read_program
from tools.tables import table
from workers.untrusted_programs.files import circuit_files, read_source_file


def seconds(program: Program, spec: str, *, any_input: bool) -> tuple[int, float, float]:
    """Return the two-qubit gates of `fast`, its CPU seconds and those of Qiskit."""
    started = process_time()
    transpile(
        program.circuit,
        target=resolved(spec),
        optimization_level=3,
        seed_transpiler=0,
        qubits_initially_zero=not any_input,
    )
    between = process_time()
    with own_cache():
        compiled = compile(program, spec, Options(any_input=any_input))
    return compiled.figures.two_qubit_gates, process_time() - between, between - started


def main() -> None:
    """Print a row for each circuit, and the median, worst and sum of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="heavy-hex:boston")
    parser.add_argument("--any-input", action="store_true")
    arguments = parser.parse_args()
    rows = []
    files = circuit_files(arguments.folder)
    # The first circuit is compiled twice, as the first call loads modules and the device.
    for place, file in enumerate([*files[:1], *files]):
        program = read_program(read_source_file(file))
        spec = sized_spec(arguments.target, max(2, program.circuit.num_qubits))
        try:
            row = file.name, *seconds(program, spec, any_input=arguments.any_input)
        except (StichwerkError, TranspilerError) as error:
            print(f"{file.name}: {error}")
            continue
        if place:
            rows.append(row)
    shown = [(name, str(gates), f"{own:.2f}", f"{other:.3f}") for name, gates, own, other in rows]
    print(table(("circuit", "two-qubit gates", "CPU seconds", "of Qiskit"), shown))
    ours = [own for _, _, own, _ in rows]
    ratios = [own / other for _, _, own, other in rows]
    print(
        f"{len(rows)} circuits: median {median(ours):.2f} CPU seconds, worst {max(ours):.2f}, sum "
        f"{sum(ours):.1f}; median {median(ratios):.1f} calls of Qiskit, worst {max(ratios):.0f}"
    )


if __name__ == "__main__":
    main()
