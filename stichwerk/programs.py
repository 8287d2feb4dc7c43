"""Programs and targets by their names, files or Qiskit objects."""

from pathlib import Path

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from backends.devices import reading
from compiler.arguments import checked
from compiler.formats.plain_gates import plain
from compiler.program import Program
from compiler.targets import target_from_spec
from games import DEFAULT_ENCODING, encoded
from games.game import Game
from games.sources import SUFFIXES, Source, read_game, read_program
from workers.untrusted_programs.files import read_source_file


@checked
def game(source: str | Path) -> Game:
    """Return a game.

    Args:
        source: The name of a built-in game such as `skat-9:H10`, a `.toml` or `.sgf` file, or the
            text of a TOML document.

    Raises:
        InputError: If there is no such game or file, or the file breaks the rules of its format.
    """
    if isinstance(source, str) and "\n" in source:
        return read_game(Source("game.toml", source.encode()))
    return read_game(_source(source))


@checked
def program(
    source: str | Path | Game | QuantumCircuit, encoding: str = DEFAULT_ENCODING
) -> Program:
    """Return a program: the circuit of a game in an encoding, or a user's own circuit.

    Args:
        source: A game, a circuit of Qiskit's, the name of a built-in game, or a `.toml`, `.sgf`,
            `.qasm` or `.qpy` file.
        encoding: Of a game; `stichwerk games NAME` lists them. Circuits have none.

    Raises:
        InputError: If there is no such game, file or encoding, or a circuit cannot be read.
    """
    if isinstance(source, QuantumCircuit):
        return Program.of_circuit(plain(source))
    if isinstance(source, Game):
        return encoded(source, encoding)
    return read_program(_source(source), encoding)


@checked
def target(source: str | Path) -> Target:
    """Return a target: native gates, coupled pairs, and the calibration if there is one.

    Args:
        source: A spec such as `star:17` or `heavy-hex:boston`, or a device's `.toml` or `.json`
            file.

    Raises:
        TargetError: If there is no such target or device, or its file cannot be read.
    """
    text = str(source)
    return target_from_spec(reading.read_device(text) if text.endswith(reading.SUFFIXES) else text)


def _source(source: str | Path) -> Source:
    text = str(source)
    return read_source_file(Path(text)) if text.endswith(SUFFIXES) else Source(text)
