"""Number of outcomes of programs: the bias of a fidelity depends on it."""

from functools import lru_cache

from attrs import field, frozen
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.expectation import Expectation
from compiler.judge import enumerated
from games.sources import Source, read_game
from workers.records.queries.runs import Run
from workers.records.tables import Compilation


@frozen(eq=False)
class OutcomeCounts:
    """Numbers of outcomes of exact distributions, each read once.

    Args:
        session: of the records.
    """

    session: Session
    _known: dict[str, int | None] = field(factory=dict, init=False)

    def of(self, run: Run) -> int | None:
        """Return the number of outcomes of what a run played; None if it is not known.

        All encodings of a game have the same distribution, so no circuit is read.
        """
        digest = run.configuration.digest
        if digest not in self._known:
            self._known[digest] = self._count(run)
        return self._known[digest]

    def _count(self, run: Run) -> int | None:
        compilation = self.session.get_one(Compilation, run.compilation_id)
        source = Source(compilation.program, compilation.source)
        if source.is_circuit:
            return self._expected(compilation)
        return _game_outcomes(source)

    def _expected(self, compilation: Compilation) -> int | None:
        """Return the number of outcomes by which any run of the same circuit was scored."""
        kept = self.session.scalars(
            select(Compilation.expected)
            .where(
                Compilation.program == compilation.program,
                Compilation.source_digest == compilation.source_digest,
                Compilation.expected.is_not(None),
            )
            .order_by(Compilation.id.desc())
            .limit(1)
        ).first()
        return None if kept is None else len(Expectation.from_bytes(kept).shares)


@lru_cache(maxsize=256)
def _game_outcomes(source: Source) -> int | None:
    """Return the number of outcomes of a game; enumerating its rules may take seconds."""
    try:
        exact = enumerated(read_game(source))
    except StichwerkError:
        return None
    return None if exact is None else len(exact)
