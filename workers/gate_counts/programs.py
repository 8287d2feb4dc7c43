"""The programs that a suite names: games, also amplified ones, files, public circuits."""

from functools import cache
from pathlib import Path

from compiler.amplification.event import Event
from compiler.amplification.iterate import amplified
from compiler.dynamic.pieces import final_part
from compiler.errors import InputError
from compiler.formats.circuit_files import qasm3_text
from compiler.lowering.methods import lower_operators
from compiler.public_circuits import circuit_from_spec
from games import encoded, named_game
from games.sources import SUFFIXES, Source
from workers.gate_counts.environment import fixed_pool
from workers.untrusted_programs.files import read_source_file

PREFIX = "benchmark:"
AMPLIFIED = "amplified:"
MOST_ITERATES = 64
SEED = 0
"""Of whatever is random in a public circuit."""


def source_of(program: str, folder: Path) -> Source:
    """Return what a suite's file calls `program`.

    Args:
        program: a game's spec; a file that ends in `.toml`, `.qasm` or `.qpy`;
            `benchmark:name:qubits`, a circuit of `compiler.public_circuits`, all qubits measured;
            or `amplified:encoding:event:iterates:game`, see `compiler.amplification`.
        folder: where files are looked for.

    Raises:
        InputError: if a file cannot be read, or there is no such circuit.
    """
    if program.startswith(PREFIX):
        return _public_circuit(program.removeprefix(PREFIX))
    if program.startswith(AMPLIFIED):
        return _amplified_game(program.removeprefix(AMPLIFIED))
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


@cache
def _amplified_game(spec: str) -> Source:
    # Its first part is lowered by searches, which like all others must do the same everywhere.
    with fixed_pool(1) as pool:
        return pool.submit(amplified_game, spec).result()


def amplified_game(spec: str) -> Source:
    """Return an amplified game as a circuit of gates; see `source_of`.

    Raises:
        InputError: if the spec is none, or there is no such game.
    """
    try:
        encoding, event, iterates, game = spec.split(":", 3)
        count = int(iterates)
    except ValueError as error:
        raise InputError(
            f"{AMPLIFIED}{spec}: must be {AMPLIFIED}encoding:event:iterates:game, such as "
            f"{AMPLIFIED}lean:win:1:skat-4"
        ) from error
    if not 0 <= count <= MOST_ITERATES:
        raise InputError(f"{AMPLIFIED}{spec}: {count} iterates are not 0 to {MOST_ITERATES}")
    program = amplified(Event(encoded(named_game(game), encoding), event)).program(count)
    gates, measured = final_part(program.circuit)
    circuit = program.circuit.copy_empty_like()
    circuit.compose(lower_operators(gates, "cheapest"), circuit.qubits, inplace=True)
    for clbit, qubit in measured.items():
        circuit.measure(qubit, clbit)
    return Source(f"amplified-{spec.replace(':', '-')}.qasm", qasm3_text(circuit).encode())
