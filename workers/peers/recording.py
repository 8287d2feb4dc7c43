"""Keeping a comparison: one row a compiler and case."""

from collections.abc import Iterable, Mapping

from sqlalchemy.orm import Session

from workers.peers.comparison import Result
from workers.provenance import revision
from workers.records.tables import PeerResult


def record_results(
    session: Session,
    comparison: str,
    results: Iterable[Result],
    versions: Mapping[str, str | None],
) -> None:
    """Record what compilers made, and commit; those that were not called are left out.

    Args:
        session: of the database that holds the records.
        comparison: an identifier of the run that the results belong to.
        results: what every compiler made of a case.
        versions: of the compilers' packages, and of what else decides results.
    """
    session.add_all(
        PeerResult(
            comparison=comparison,
            suite=result.case.suite,
            program=result.case.subject.title,
            form=str(result.case.form),
            target=result.case.target,
            peer=result.peer,
            variant=result.variant,
            two_qubit_gates=result.two_qubit_gates,
            two_qubit_depth=result.two_qubit_depth,
            depth=result.depth,
            gates=result.gates,
            seconds=result.seconds,
            cpu_seconds=result.cpu_seconds,
            swaps=result.swaps,
            verified=result.verified,
            holds=result.holds,
            versions=dict(versions),
            revision=revision(),
        )
        for result in results
        if result.verified != "skipped"
    )
    session.commit()
