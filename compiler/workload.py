"""What a user asks to have compiled: a game or a circuit of their own."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import TypeVar

from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Measure

from compiler.circuit_files import circuit_from_qasm, circuit_from_qpy
from compiler.encodings import encodings
from compiler.errors import CircuitFileError, InputError, UnknownNameError
from compiler.games import Game, named_game
from compiler.games.toml import game_from_toml
from compiler.measurement import without_first_resets

N = TypeVar("N", int, float)

CIRCUITS = (".qasm", ".qpy")
SUFFIXES = (".toml", *CIRCUITS)
NO_ENCODING = "none"
"""What stands in the place of an encoding's name for circuits."""


@frozen
class Source:
    """A named game, or the contents of a file.

    Args:
        name: the game's spec, such as `skat-9:H10`, or the file's name without its folder.
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
        encoding: the name of the game's encoding; `none` for a circuit.
        resets: whether a circuit resets qubits at its beginning, and so has no other input than
            |0…0⟩ on them.
    """

    program: QuantumCircuit
    game: Game | None
    encoding: str = NO_ENCODING
    resets: bool = False
    _decoded: dict[int, int | None] = field(factory=dict, init=False, repr=False)

    @property
    def any_input(self) -> bool:
        """Whether it is compiled for any input if nobody says otherwise.

        A circuit that measures nothing and resets nothing is part of another one, which decides
        what it begins with. Games, and circuits that are measured, begin with |0…0⟩.
        """
        measured = any(isinstance(item.operation, Measure) for item in self.program.data)
        return self.game is None and not self.resets and not measured

    def outcome(self, measured: int) -> int | None:
        """Return what the program's measured classical bits stand for, None if illegal."""
        if self.game is None:
            return measured
        if measured not in self._decoded:
            self._decoded[measured] = self.game.outcome_of(self.encoding, measured)
        return self._decoded[measured]

    def outcomes(self, counts: Mapping[int, N]) -> dict[int | None, N]:
        """Return counts or probabilities of measured bits by outcome; None collects the illegal."""
        totals: dict[int | None, N] = {}
        for measured, n in counts.items():
            outcome = self.outcome(measured)
            totals[outcome] = totals[outcome] + n if outcome in totals else n
        return totals


@cache
def workload(source: Source, encoding: str) -> Workload:
    """Read a source.

    Args:
        source: what to read.
        encoding: the encoding of a game; `best` is the default one of the game. Circuits have
            none, and take `best` or `none`.

    Raises:
        InputError: if it is no game and no circuit, or a game that has no such encoding.
    """
    if source.name.endswith(CIRCUITS):
        if encoding not in ("best", NO_ENCODING):
            raise InputError(
                f"{source.name}: a circuit has no encoding, so '{encoding}' has no meaning"
            )
        circuit = _circuit(source)
        program = without_first_resets(circuit)
        return Workload(program, None, resets=program is not circuit)
    if source.name.endswith(".toml"):
        game = game_from_toml(_text(source), source.name)
    else:
        game = named_game(source.name)
    name = _encoding_of(game, encoding)
    return Workload(game.program(name), game, name)


def _encoding_of(game: Game, encoding: str) -> str:
    available = game.encodings
    if not available:
        raise InputError(
            f"{game.name}: no encoding supports this game; class counts must say of every owner "
            "but one how many cards of each class it holds"
        )
    if encoding == "best":
        return available[0]
    if encoding in available:
        return encoding
    names = ", ".join(available)
    if encoding in encodings:
        raise InputError(f"encoding '{encoding}' does not support {game.name}; available: {names}")
    raise UnknownNameError(f"unknown encoding '{encoding}'; available for {game.name}: {names}")


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
