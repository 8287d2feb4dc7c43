"""What a user asks to have compiled: a game or a circuit of their own."""

from functools import cache
from hashlib import sha256

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuit_files import circuit_from_qasm, circuit_from_qpy
from compiler.errors import CircuitFileError, InputError
from compiler.games import Game, games
from compiler.games.toml import game_from_toml

SUFFIXES = (".toml", ".qasm", ".qpy")


@frozen
class Source:
    """A named game, or the contents of a file.

    Args:
        name: the game's name, or the file's name without its folder.
        content: the file's bytes; empty for a named game.
    """

    name: str
    content: bytes = b""

    @property
    def digest(self) -> str:
        """SHA-256 of name and content, in hexadecimal."""
        return sha256(self.name.encode() + b"\0" + self.content).hexdigest()


@frozen(eq=False)
class Workload:
    """A program to lower, and the game that says what is right, if there is one.

    Args:
        program: operators or gates, with the final measurements.
        game: the rules; None for a circuit.
        encoding: the name of the game's encoding; empty for a circuit.
    """

    program: QuantumCircuit
    game: Game | None
    encoding: str = ""

    def outcome(self, measured: int) -> int | None:
        """Return what the program's measured classical bits stand for, None if illegal."""
        return measured if self.game is None else self.game.outcome_of(self.encoding, measured)


@cache
def workload(source: Source, encoding: str) -> Workload:
    """Read a source.

    Args:
        source: what to read.
        encoding: the encoding of a game; `best` is the default one of the game. Circuits have
            none.

    Raises:
        InputError: if it is no game and no circuit, saying why.
    """
    if source.name.endswith((".qasm", ".qpy")):
        return Workload(_circuit(source), None)
    if source.name.endswith(".toml"):
        game = game_from_toml(_text(source), source.name)
    else:
        game = games[source.name]()
    name = game.encodings[0] if encoding == "best" else encoding
    return Workload(game.program(name), game, name)


def _circuit(source: Source) -> QuantumCircuit:
    if source.name.endswith(".qpy"):
        return circuit_from_qpy(source.content, source.name)
    return circuit_from_qasm(_text(source), source.name)


def _text(source: Source) -> str:
    try:
        return source.content.decode()
    except UnicodeDecodeError as error:
        kind = CircuitFileError if source.name.endswith(".qasm") else InputError
        raise kind(f"{source.name}: not a text file ({error.reason})") from error
