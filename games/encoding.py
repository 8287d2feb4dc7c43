"""Encodings: registers for a game's state, and the outcomes of its measured bits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.errors import (
    DuplicateNameError,
    InputError,
    StateTooLargeError,
    UnknownNameError,
    VerificationError,
    nearest,
)
from compiler.judge import Judge, Observable, from_part
from compiler.program import Program
from compiler.registry import Registry
from compiler.words import NO_ENCODING
from games.game import Game


@frozen
class StepFigures:
    """Figures of one step of a program.

    Args:
        title: name of the step.
        states: number of distinct states of the rules' subject after the step.
        branches: number of distinct states of all qubits after the step, history included.
        depth: depth of the operator's literal definition, each gate counted as one layer.
    """

    title: str
    states: int
    branches: int
    depth: int


G = TypeVar("G", bound=Game)

DEFAULT_ENCODING = "default"
"""Name of the game's own first choice, the first of `encodings_of`."""

BEST_ENCODING = "best"
"""Stands for all encodings of a game, of which the best is found by trying; see
`games.contest`."""

RESERVED = (DEFAULT_ENCODING, BEST_ENCODING, NO_ENCODING)
"""Reserved names, which no encoding may have."""


class Encoding(ABC, Generic[G]):
    """The registers of a game's state, and for each of its operators the gate that acts on them.

    All encodings of a game give the same distribution of outcomes.

    Attributes:
        family: class of the supported games.
        judges: whether `outcome` returns legal outcomes only. An encoding that measures the
            outcome itself leaves the legality check to the rules.
        small: whether it has few enough qubits and gates for today's devices.
        literal: whether papers define the gates of all its operators.
        place: rank among the encodings of a game if it is the same for all games; see `rank`.
    """

    family: type[G]
    judges: bool = False
    small: bool = False
    literal: bool = False
    place: int = 100

    @abstractmethod
    def supports(self, game: G) -> bool:
        """Return whether the encoding supports a game of the family."""

    def rank(self, game: G) -> int:
        """Return the rank among the encodings of a game; the first one is its default."""
        return self.place

    def simulated(self, game: G) -> bool:
        """Return whether the program depends on a simulated state.

        Then even its width takes a while to compute.
        """
        return False

    @abstractmethod
    def program(self, game: G) -> QuantumCircuit:
        """Return the game's operators on named registers, with the final measurements."""

    def observables(self, game: G) -> Sequence[Observable]:
        """Return the quantities that outcomes have: the game's, and perhaps more."""
        return game.observables

    def outcome(self, game: G, measured: int) -> int | None:
        """Return the game's outcome for measured classical bits.

        Args:
            game: the game that was played.
            measured: bit i is classical bit i of the program.

        Returns:
            The outcome, or None where no play of the game ends with these bits.
        """
        return measured

    def history(self, game: G, measured: int) -> object:
        """Return the history of the game, for `Game.examine`.

        Raises:
            VerificationError: naming the first thing that is illegal.
            StateTooLargeError: if the measured bits do not determine it.
        """
        raise StateTooLargeError("the encoding does not record the history of a game")

    def stepwise(self, game: G, program: QuantumCircuit) -> Iterator[StepFigures] | None:
        """Prove a program step by step, and yield each step; None if only its end can be proven."""
        return None


encodings: Registry[Encoding[Any]] = Registry("encoding", "games")

E = TypeVar("E", bound=type[Encoding[Any]])


def encoding(name: str) -> Callable[[E], E]:
    """Return a decorator that files an encoding under `name`.

    Raises:
        DuplicateNameError: if the name is taken or reserved.
    """
    if name in RESERVED:
        raise DuplicateNameError(f"encoding '{name}' has a reserved word for a name: rename it")
    file = encodings.register(name)

    def decorate(kind: E) -> E:
        file(kind())
        return kind

    return decorate


def encodings_of(game: Game) -> tuple[str, ...]:
    """Return the names of the encodings that support a game, its default first."""
    ranks = {
        name: form.rank(game)
        for name, form in encodings.items()
        if isinstance(game, form.family) and form.supports(game)
    }
    return tuple(sorted(ranks, key=lambda name: ranks[name]))


def with_registers(name: str, sizes: Mapping[str, int]) -> QuantumCircuit:
    """Return a circuit with quantum and classical registers of the same names.

    Args:
        name: name of the circuit.
        sizes: size of each pair by its name; empty ones are left out.
    """
    left = {register: size for register, size in sizes.items() if size}
    quantum = [QuantumRegister(size, register) for register, size in left.items()]
    classical = [ClassicalRegister(size, register) for register, size in left.items()]
    return QuantumCircuit(*quantum, *classical, name=name)


def measure_registers(circuit: QuantumCircuit) -> QuantumCircuit:
    """Measure registers into the classical ones of the same names, and return the circuit."""
    qubits = {register.name: register for register in circuit.qregs}
    for bits in circuit.cregs:
        circuit.measure(qubits[bits.name], bits)
    return circuit


@frozen(eq=False)
class GameJudge(Judge):
    """Judges the measured bits of a game in an encoding.

    Args:
        game: the rules.
        encoding: the name of the encoding.
    """

    game: Game
    encoding: str

    name = from_part("game.name")
    axes = from_part("game.axes")
    selects = from_part("game.selects")
    reading = from_part("game.reading")
    branches = from_part("game.branches")
    exact_distribution = from_part("game.exact_distribution")
    describe = from_part("game.describe")

    @property
    def measures_outcome(self) -> bool:  # type: ignore[override]
        """Return whether the encoding leaves the legality check to the rules."""
        return not encodings[self.encoding].judges

    @property
    def observables(self) -> Sequence[Observable]:
        """Observables of the game in its encoding."""
        return encodings[self.encoding].observables(self.game)

    def outcome(self, measured: int) -> int | None:
        """Return the outcome of measured bits, None if the rules do not allow it."""
        form = encodings[self.encoding]
        outcome: int | None = form.outcome(self.game, measured)
        legal = outcome is not None and (form.judges or self.game.is_legal(outcome))
        return outcome if legal else None

    def examine(self, runs: Iterable[int]) -> str:
        """Check single games; see `Judge`."""
        form = encodings[self.encoding]

        def histories() -> Iterable[object]:
            for number, measured in enumerate(runs, start=1):
                try:
                    yield form.history(self.game, measured)
                except VerificationError as error:
                    raise VerificationError(f"game {number}: {error}") from error

        return self.game.examine(histories())


def encoded(game: Game, name: str = DEFAULT_ENCODING) -> Program:
    """Return a game as a program.

    Args:
        game: the rules.
        name: name of the encoding; `default` is the game's own first choice.

    Raises:
        InputError: if no encoding, or not this one, supports the game, or all are asked for.
    """
    available = encodings_of(game)
    if not available:
        raise InputError(
            f"{game.name}: no encoding supports this game"
            + f"; {game.encodings_need}" * bool(game.encodings_need)
        )
    if name == BEST_ENCODING:
        raise InputError(
            f"encoding '{name}' stands for all of {game.name}, from which "
            "games.compile_best chooses: name one"
        )
    chosen = available[0] if name == DEFAULT_ENCODING else name
    if chosen not in available:
        names = ", ".join(available)
        if chosen in encodings:
            raise InputError(f"encoding '{name}' does not support {game.name}; available: {names}")
        near = nearest(name, available)
        hint = f"did you mean '{near}'?" if near else f"available for {game.name}: {names}"
        raise UnknownNameError(f"unknown encoding '{name}'; {hint}")
    return Program(encodings[chosen].program(game), GameJudge(game, chosen), chosen)
