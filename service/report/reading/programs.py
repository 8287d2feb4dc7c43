"""Programs read again from their source: to judge outcomes, draw circuits and count cards."""

from collections.abc import Mapping

from attrs import evolve, frozen
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.program import Program
from compiler.scores.scoring import uniform_noise
from games.sources import Source, read_program
from service.report.reading.limits import MOST_PROGRAMS
from workers.compilation.compiling import source_of
from workers.records.queries.configurations import Configuration
from workers.records.tables import Compilation


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
        """Cards and players; None if it is no card game."""
        axes = {} if self.program.judge is None else self.program.judge.axes
        return (axes["cards"], axes["players"]) if {"cards", "players"} <= axes.keys() else None


class Programs:
    """Reads each program once, and no more than `MOST_PROGRAMS`.

    Args:
        session: of the database that holds the sources.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, str], ReadProgram | None] = {}

    def of(self, configuration: Configuration, compilation_id: int) -> ReadProgram | None:
        """Return a program; None if this version cannot read it, or there are too many.

        Args:
            configuration: says which source and encoding.
            compilation_id: a compilation of this configuration.
        """
        key = (configuration.digest, configuration.encoding)
        if key not in self._known:
            if len(self._known) >= MOST_PROGRAMS:
                return None
            self._known[key] = self._read(compilation_id)
        return self._known[key]

    def _read(self, compilation_id: int) -> ReadProgram | None:
        compilation = self._session.get_one(Compilation, compilation_id)
        try:
            program = read_program(self._source(compilation), compilation.encoding)
            return ReadProgram(program, uniform_noise(program))
        except StichwerkError:
            return None

    def _source(self, compilation: Compilation) -> Source:
        """Return what was compiled, with the distribution that any run of it was scored by."""
        source = source_of(compilation)
        if source.expected or not source.is_circuit:
            return source
        known = self._session.scalars(
            select(Compilation.expected)
            .where(
                Compilation.program == compilation.program,
                Compilation.source_digest == compilation.source_digest,
                Compilation.expected.is_not(None),
            )
            .order_by(Compilation.id.desc())
            .limit(1)
        ).first()
        return evolve(source, expected=known or b"")
