"""Programs of the records, read again from their sources."""

from collections.abc import Mapping
from functools import cached_property

from attrs import evolve, field, frozen
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.expectation import Expectation
from compiler.judge import enumerated
from compiler.program import Program
from compiler.scores.scoring import register_noise_fidelity, uniform_noise
from games.game import Game
from games.sources import Source, read_game, read_program
from workers.compilation.compiling import source_of
from workers.records.queries.runs import Configuration, Run
from workers.records.tables import Compilation

MAX_PROGRAMS = 40
"""Programs, each in one encoding, that are read again to judge outcomes and draw circuits."""


@frozen(eq=False)
class ReadProgram:
    """A program in one encoding.

    Args:
        program: the circuit and its judge.
        noise: probability by outcome if all measured bits are uniform; None if not known.
    """

    program: Program
    noise: Mapping[int | None, float] | None

    @property
    def size(self) -> tuple[int, int] | None:
        """Cards and players; None for other programs than card games."""
        return None if self.program.judge is None else card_game_size(self.program.judge.axes)


@frozen(eq=False)
class ReadGame:
    """A game; enumerating its rules may take seconds, and is done once.

    Args:
        game: the rules.
    """

    game: Game

    @cached_property
    def exact(self) -> Mapping[int, float] | None:
        """Probability by outcome; None if there are too many outcomes."""
        return enumerated(self.game)

    @cached_property
    def noise(self) -> float | None:
        """Fidelity of uniform noise on a register that holds the outcome; None if unknown."""
        bits = self.game.outcome_bits
        return None if bits is None else register_noise_fidelity(self.game, bits)

    @property
    def size(self) -> tuple[int, int] | None:
        """Cards and players; None for other games than card games with an outcome register."""
        return None if self.game.outcome_bits is None else card_game_size(self.game.axes)


_games: dict[str, ReadGame | None] = {}
"""Games by source: reading rules takes longer than a query for their digest."""


@frozen(eq=False)
class Programs:
    """Programs of the records, each read once.

    Args:
        session: of the database that holds the sources.
    """

    session: Session
    _programs: dict[tuple[str, str], ReadProgram | None] = field(factory=dict, init=False)
    _outcomes: dict[str, int | None] = field(factory=dict, init=False)

    def of(self, configuration: Configuration, compilation_id: int) -> ReadProgram | None:
        """Return a program; None if this version cannot read it, or after `MAX_PROGRAMS`.

        Args:
            configuration: with its source and encoding.
            compilation_id: a compilation of this configuration.
        """
        key = (configuration.digest, configuration.encoding)
        if key not in self._programs:
            if len(self._programs) >= MAX_PROGRAMS:
                return None
            self._programs[key] = self._read(compilation_id)
        return self._programs[key]

    def game(self, digest: str, compilation_id: int) -> ReadGame | None:
        """Return a game; None for circuits and for sources that this version cannot read.

        Args:
            digest: of its source.
            compilation_id: a compilation of it.
        """
        if digest not in _games:
            compilation = self.session.get_one(Compilation, compilation_id)
            _games[digest] = _read_game(source_of(compilation))
        return _games[digest]

    def outcomes(self, run: Run) -> int | None:
        """Return the number of outcomes of a run's program; None if it is unknown.

        The bias of a fidelity depends on it. All encodings of a game have the same distribution,
        so no circuit is read.
        """
        digest = run.configuration.digest
        if digest not in self._outcomes:
            self._outcomes[digest] = self._count(digest, run.compilation_id)
        return self._outcomes[digest]

    def _count(self, digest: str, compilation_id: int) -> int | None:
        compilation = self.session.get_one(Compilation, compilation_id)
        if source_of(compilation).is_circuit:
            expected = self._expected(compilation)
            return len(Expectation.from_bytes(expected).shares) if expected else None
        game = self.game(digest, compilation_id)
        return None if game is None or game.exact is None else len(game.exact)

    def _read(self, compilation_id: int) -> ReadProgram | None:
        compilation = self.session.get_one(Compilation, compilation_id)
        source = source_of(compilation)
        if source.is_circuit and not source.expected:
            source = evolve(source, expected=self._expected(compilation))
        try:
            program = read_program(source, compilation.encoding)
            return ReadProgram(program, uniform_noise(program))
        except StichwerkError:
            return None

    def _expected(self, compilation: Compilation) -> bytes:
        """Return the distribution by which any run of a circuit was scored; empty if unknown."""
        rows = (
            select(Compilation.expected)
            .where(
                Compilation.program == compilation.program,
                Compilation.source_digest == compilation.source_digest,
                Compilation.expected.is_not(None),
            )
            .order_by(Compilation.id.desc())
        )
        return self.session.scalars(rows.limit(1)).first() or b""


def card_game_size(axes: Mapping[str, int]) -> tuple[int, int] | None:
    """Return cards and players; None for other games."""
    return (axes["cards"], axes["players"]) if {"cards", "players"} <= axes.keys() else None


def _read_game(source: Source) -> ReadGame | None:
    if source.is_circuit:
        return None
    try:
        return ReadGame(read_game(source))
    except StichwerkError:
        return None
