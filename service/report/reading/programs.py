"""Programs read again from their source: to judge outcomes, draw circuits and count cards."""

from collections.abc import Mapping

from attrs import frozen
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.games.trick_taking import TrickTakingGame
from compiler.scoring import exact_distribution, uniform_noise
from compiler.workload import Workload, workload
from service.report.reading.kinds import Kind
from service.report.reading.scope import MOST_PROGRAMS
from workers.compiling import source_of
from workers.records import Compilation


@frozen(eq=False)
class Program:
    """A program in one encoding.

    Args:
        work: the program and its game.
        noise: probability by outcome if all measured bits are uniform; None if not known.
    """

    work: Workload
    noise: Mapping[int | None, float] | None

    @property
    def size(self) -> tuple[int, int] | None:
        """Cards and players; None if it is no card game."""
        game = self.work.game
        return (len(game.deck), game.players) if isinstance(game, TrickTakingGame) else None


class Programs:
    """Reads each program once, and no more than `MOST_PROGRAMS`.

    Args:
        session: of the database that holds the sources.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, str], Program | None] = {}

    def of(self, kind: Kind, compilation_id: int) -> Program | None:
        """Return a program; None if this version cannot read it, or there are too many.

        Args:
            kind: says which source and encoding.
            compilation_id: a compilation of this kind.
        """
        key = (kind.digest, kind.encoding)
        if key not in self._known:
            if len(self._known) >= MOST_PROGRAMS:
                return None
            self._known[key] = self._read(compilation_id)
        return self._known[key]

    def outcomes(self, kind: Kind, compilation_id: int) -> int | None:
        """Return how many outcomes a program's exact distribution has, None if not known."""
        program = self.of(kind, compilation_id)
        if program is None or program.work.game is None:
            return None
        exact = exact_distribution(program.work.game)
        return None if exact is None else len(exact)

    def _read(self, compilation_id: int) -> Program | None:
        compilation = self._session.get_one(Compilation, compilation_id)
        try:
            work = workload(source_of(compilation), compilation.encoding)
            return Program(work, uniform_noise(work))
        except StichwerkError:
            return None
