"""The newest compilations with their chosen candidates, and those that chose nothing."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from sqlalchemy import Row, and_, func, select
from sqlalchemy.orm import Session

from compiler.certainty import how_verified
from service.report.reading.limits import MOST_COMPILATIONS, MOST_KINDS, MOST_TRIED
from workers.records.queries.configurations import (
    CONFIGURATION_COLUMNS,
    Configuration,
    configuration_of,
)
from workers.records.queries.scope import Scope
from workers.records.rounds import NOT_FOR_A_ROUND
from workers.records.tables import Candidate, Compilation
from workers.records.tables.compilations import steps_from_zero

PROVENANCE_COLUMNS = (
    Compilation.id, Compilation.created_at, Compilation.program_verified, Compilation.versions,
    Compilation.compile_seconds, Compilation.revision,
)  # fmt: skip
FIGURES = (
    Candidate.qubits, Candidate.two_qubit_gates, Candidate.two_qubit_depth, Candidate.depth,
    Candidate.gates, Candidate.duration_ns, Candidate.expected_fidelity,
)  # fmt: skip
CHOSEN_COLUMNS = (
    *FIGURES, Candidate.synthesis, Candidate.pipeline, Candidate.seed.label("candidate_seed"),
    Candidate.verified.label("candidate_verified"), Candidate.lower_seconds,
    Candidate.verify_seconds, Candidate.steps,
)  # fmt: skip


@frozen
class Compiled:
    """A compilation and what was chosen.

    Args:
        id: of the record.
        at: when it was made.
        configuration: what was compiled for what.
        figures: qubits, gates and so on of the chosen circuit, by the name of their column.
        from_zero: whether it holds from |0…0⟩ only.
        pipeline: that made it.
        synthesis: by which its operators were built.
        seed: of the pipeline.
        verified: how far program and circuit are proven; see `Compilation.verified`.
        seconds: by the clock, for all candidates; None if it was not measured.
        versions: of the packages that made it.
        revision: of Stichwerk.
    """

    id: int
    at: datetime
    configuration: Configuration
    figures: Mapping[str, Any]
    from_zero: bool
    pipeline: str
    synthesis: str
    seed: int
    verified: str
    seconds: float | None
    versions: Mapping[str, str]
    revision: str | None


@frozen
class Tried:
    """One candidate of a compilation."""

    compilation_id: int
    figures: Mapping[str, Any]
    pipeline: str
    synthesis: str
    seed: int
    verified: str
    lower_seconds: float | None
    verify_seconds: float | None
    chosen: bool
    detail: str
    steps: Sequence[Mapping[str, Any]]

    @property
    def from_zero(self) -> bool:
        """Return whether it holds from |0…0⟩ only."""
        return steps_from_zero(self.steps)


CHOSEN = and_(Candidate.compilation_id == Compilation.id, Candidate.chosen)
CHOICES = select(*PROVENANCE_COLUMNS, *CONFIGURATION_COLUMNS, *CHOSEN_COLUMNS).join(
    Candidate, CHOSEN
)


def read_compiled(session: Session, scope: Scope) -> tuple[list[Compiled], int]:
    """Return the newest compilations that chose a candidate, and how many there are in all.

    Circuits of an estimate's rounds are left out.
    """
    rows = scope.compilations(CHOICES.where(NOT_FOR_A_ROUND))
    newest = rows.order_by(Compilation.id.desc()).limit(MOST_COMPILATIONS)
    counted = select(func.count()).select_from(Compilation).join(Candidate, CHOSEN)
    counted = counted.where(NOT_FOR_A_ROUND)
    found = [_compiled(row) for row in session.execute(newest)]
    return found, session.execute(scope.compilations(counted)).scalar_one()


def read_compiled_of(session: Session, ids: Collection[int]) -> dict[int, Compiled]:
    """Return these compilations by id; those that chose nothing are missing."""
    rows = session.execute(CHOICES.where(Compilation.id.in_(ids)))
    return {row.id: _compiled(row) for row in rows}


def _compiled(row: Row[Any]) -> Compiled:
    return Compiled(
        row.id,
        row.created_at,
        configuration_of(row),
        {column.key: getattr(row, column.key) for column in FIGURES},
        steps_from_zero(row.steps),
        row.pipeline,
        row.synthesis,
        row.candidate_seed,
        how_verified(row.program_verified, row.candidate_verified),
        row.compile_seconds,
        row.versions,
        row.revision,
    )


def read_tried(session: Session, compilations: Sequence[Compiled]) -> list[Tried]:
    """Return all that was tried in some compilations, in the order in which it was."""
    columns = (
        *FIGURES, Candidate.compilation_id, Candidate.pipeline, Candidate.synthesis,
        Candidate.seed, Candidate.verified, Candidate.lower_seconds, Candidate.verify_seconds,
        Candidate.chosen, Candidate.detail, Candidate.steps,
    )  # fmt: skip
    wanted = [compilation.id for compilation in compilations]
    rows = (
        select(*columns)
        .where(Candidate.compilation_id.in_(wanted))
        .order_by(Candidate.compilation_id.desc(), Candidate.id)
        .limit(MOST_TRIED)
    )
    return [
        Tried(
            row.compilation_id,
            {column.key: getattr(row, column.key) for column in FIGURES},
            row.pipeline,
            row.synthesis,
            row.seed,
            row.verified,
            row.lower_seconds,
            row.verify_seconds,
            row.chosen,
            row.detail,
            row.steps,
        )
        for row in session.execute(rows)
    ]


def read_without_choice(session: Session, scope: Scope) -> list[Compilation]:
    """Return the newest compilations that chose nothing, with their candidates."""
    rows = scope.compilations(
        select(Compilation).where(~Compilation.candidates.any(Candidate.chosen))
    )
    return list(session.scalars(rows.order_by(Compilation.id.desc()).limit(MOST_KINDS)))


def newest_of_kind(compilations: Sequence[Compiled]) -> list[list[Compiled]]:
    """Return the compilations of each kind, newest first; the kinds by their newest."""
    groups: dict[Configuration, list[Compiled]] = {}
    for compilation in compilations:
        groups.setdefault(compilation.configuration, []).append(compilation)
    return list(groups.values())[:MOST_KINDS]
