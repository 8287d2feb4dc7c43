"""Sources of programs as users write them: a game's name, or the contents of a file."""

from functools import cache
from hashlib import sha256
from pathlib import PurePath

from attrs import evolve, frozen
from qiskit import QuantumCircuit

from compiler.errors import CircuitFileError, InputError
from compiler.expectation import Expectation
from compiler.formats.circuit_files import circuit_from_qasm, circuit_from_qpy
from compiler.formats.parameter_values import Values, bound
from compiler.formats.plain_gates import plain
from compiler.formats.text_content import text_of
from compiler.judge import Judge
from compiler.program import Program
from games.encoding import BEST_ENCODING, DEFAULT_ENCODING, RESERVED, encoded, encodings_of
from games.game import Game, game_files, named_game
from games.toml import game_from_toml

CIRCUITS = (".qasm", ".qpy")
RECORDS = (".sgf",)
"""Matches that others have written, too."""
SUFFIXES = (".toml", *RECORDS, *CIRCUITS)


@frozen
class Source:
    """A named game, or the contents of a file.

    Args:
        name: the game's spec, such as `skat-9:H10`, or the file's name without its folder.
        content: the file's bytes; empty for a named game.
        expected: the expected distribution of a circuit, as `Expectation.as_bytes` writes it;
            empty if there is none.
        values: parameter values of a circuit.
    """

    name: str
    content: bytes = b""
    expected: bytes = b""
    values: Values = ()

    @property
    def digest(self) -> str:
        """SHA-256 of all of it, in hexadecimal."""
        hashed = sha256(self.name.encode() + b"\0" + self.content)
        if self.expected:
            # A digest of a fixed length, so that nothing else has the same bytes.
            hashed.update(b"\0expected\0" + sha256(self.expected).digest())
        if self.values:
            hashed.update(b"\0values\0" + repr(self.values).encode())
        return hashed.hexdigest()

    @property
    def is_circuit(self) -> bool:
        """Return whether it is a circuit, and no game."""
        return self.name.endswith(CIRCUITS)


@cache
def read_program(source: Source, encoding: str = DEFAULT_ENCODING) -> Program:
    """Read a source.

    Args:
        source: the source.
        encoding: the encoding of a game; `default` is its own first choice. Circuits have none,
            and take `default`, `best` or `none`.

    Raises:
        InputError: if it is neither a game nor a circuit, if the game has no such encoding, or if
            it is a game with an expectation, which only circuits can have.
    """
    origin = (read_program, (source, encoding))
    if not source.is_circuit:
        if source.values:
            raise InputError(f"{source.name}: a game has no parameters to bind; leave out --bind")
        if source.expected:
            raise InputError(
                f"{source.name}: a game knows its own distribution; expect something of circuits"
            )
        return evolve(encoded(read_game(source), encoding), origin=origin)
    if encoding not in RESERVED:
        raise InputError(
            f"{source.name}: a circuit has no encoding, so '{encoding}' has no meaning"
        )
    circuit = _circuit(source)
    return evolve(Program.of_circuit(circuit, _judge(source, circuit)), origin=origin)


def encodings_meant(source: Source, encoding: str) -> tuple[str, ...]:
    """Return the encodings that a name means: for `best` all of a game, its default first.

    Raises:
        InputError: if all are meant, and it is no game.
    """
    if encoding != BEST_ENCODING or source.is_circuit:
        return (encoding,)
    return encodings_of(read_game(source)) or (DEFAULT_ENCODING,)


@cache
def read_game(source: Source) -> Game:
    """Read a game's name or file.

    Raises:
        InputError: if it is no game.
    """
    if source.is_circuit:
        raise InputError(f"{source.name}: a circuit is no game")
    if source.name.endswith(".toml"):
        return game_from_toml(_text(source), source.name)
    if source.name.endswith(RECORDS):
        return game_files[PurePath(source.name).suffix](source.content, source.name)
    return named_game(source.name)


def _circuit(source: Source) -> QuantumCircuit:
    if source.name.endswith(".qpy"):
        circuit = circuit_from_qpy(source.content, source.name)
    else:
        circuit = circuit_from_qasm(_text(source), source.name)
    return plain(bound(circuit, source.values)) if source.values else circuit


def _judge(source: Source, circuit: QuantumCircuit) -> Judge | None:
    if not source.expected:
        return None
    expectation = Expectation.from_bytes(source.expected)
    if expectation.bits != circuit.num_clbits:
        raise InputError(
            f"{source.name}: outcomes of {expectation.bits} bits are expected of it, "
            f"and it has {circuit.num_clbits} classical bits"
        )
    return expectation.judge(source.name)


def _text(source: Source) -> str:
    return text_of(
        source.content,
        source.name,
        CircuitFileError if source.name.endswith(".qasm") else InputError,
    )
