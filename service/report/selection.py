"""Which records a report shows: the newest of each kind, and how many older ones there are."""

from collections.abc import Sequence

from attrs import frozen
from sqlalchemy import select
from sqlalchemy.orm import Session, defaultload

from compiler.errors import InputError
from compiler.workload import Workload, workload
from workers.compiling import source_of
from workers.records import Candidate, Compilation, Job


@frozen(eq=False)
class Entry:
    """The newest compilation of a program for a target by a method in an encoding.

    Args:
        compilation: the newest that has a chosen candidate.
        older: how many older ones the records hold.
        jobs: its jobs, and those of older ones on backends that the newer were not run on.
        work: the program and its game; None if this version cannot read the source any more.
    """

    compilation: Compilation
    older: int
    jobs: Sequence[Job]
    work: Workload | None


@frozen(eq=False)
class Selection:
    """What a report is made of.

    Args:
        entries: sorted by program, target, method and encoding.
        without_choice: compilations of which no candidate was chosen, newest first.
    """

    entries: Sequence[Entry]
    without_choice: Sequence[Compilation]

    @property
    def newest(self) -> Compilation:
        """The newest compilation that is shown."""
        return max((e.compilation for e in self.entries), key=lambda c: (c.created_at, c.id))

    def programs(self) -> list[list[Entry]]:
        """Return the entries grouped by program; files of one name and other content differ."""
        groups: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries:
            key = (entry.compilation.program, entry.compilation.source_digest)
            groups.setdefault(key, []).append(entry)
        return list(groups.values())


def select_records(session: Session) -> Selection:
    """Read the records that a report shows."""
    newest_first = (
        select(Compilation)
        .order_by(Compilation.created_at.desc(), Compilation.id.desc())
        .options(defaultload(Compilation.candidates).defer(Candidate.native))
    )
    is_chosen = Compilation.candidates.any(Candidate.chosen)
    groups: dict[tuple[str, str, str, str], list[Compilation]] = {}
    for compilation in session.scalars(newest_first.where(is_chosen)):
        key = (compilation.program, compilation.target, compilation.method, compilation.encoding)
        groups.setdefault(key, []).append(compilation)
    return Selection(
        [_entry(group) for _, group in sorted(groups.items())],
        session.scalars(newest_first.where(~is_chosen)).all(),
    )


def _entry(group: Sequence[Compilation]) -> Entry:
    jobs: list[Job] = []
    for compilation in group:
        if compilation.source_digest == group[0].source_digest:
            newest = {job.backend: job for job in compilation.jobs}
            jobs += [newest[name] for name in newest.keys() - {job.backend for job in jobs}]
    return Entry(group[0], len(group) - 1, jobs, _work(group[0]))


def _work(compilation: Compilation) -> Workload | None:
    try:
        return workload(source_of(compilation), compilation.encoding)
    except InputError:
        return None
