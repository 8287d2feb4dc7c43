"""The programs that a suite names: games, files, public circuits."""

from functools import cache
from pathlib import Path

from compiler.errors import InputError
from compiler.formats.circuit_files import qasm3_text
from compiler.public_circuits import circuit_from_spec
from games.sources import SUFFIXES, Source
from workers.untrusted_programs.files import read_source_file

PREFIX = "benchmark:"
SEED = 0
"""Of whatever is random in a public circuit."""


def source_of(program: str, folder: Path) -> Source:
    """Return what a suite's file calls `program`.

    Args:
        program: a game's spec; a file that ends in `.toml`, `.qasm` or `.qpy`; or
            `benchmark:name:qubits`, a circuit of `compiler.public_circuits`, all qubits measured.
        folder: where files are looked for.

    Raises:
        InputError: if a file cannot be read, or there is no such circuit.
    """
    if program.startswith(PREFIX):
        return _public_circuit(program.removeprefix(PREFIX))
    if not program.endswith(SUFFIXES):
        if "/" in program:
            raise InputError(f"{program}: a file must end in {', '.join(SUFFIXES)}")
        return Source(program)
    return read_source_file(folder / program)


@cache
def _public_circuit(spec: str) -> Source:
    circuit = circuit_from_spec(spec, SEED)
    circuit.measure_all()
    return Source(f"{spec.replace(':', '-')}.qasm", qasm3_text(circuit).encode())
