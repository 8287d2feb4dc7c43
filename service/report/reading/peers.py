"""The newest comparison with other compilers of every suite."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.report.reading.scope import MOST_PEER_RESULTS
from workers.records import PeerResult


def read_peers(session: Session) -> Sequence[PeerResult]:
    """Return the results of every suite's newest comparison, in the order they were made."""
    newest_of_suite = select(func.max(PeerResult.id)).group_by(PeerResult.suite)
    comparisons = select(PeerResult.suite, PeerResult.comparison).where(
        PeerResult.id.in_(newest_of_suite)
    )
    newest = comparisons.subquery()
    rows = (
        select(PeerResult)
        .join(
            newest,
            (newest.c.suite == PeerResult.suite) & (newest.c.comparison == PeerResult.comparison),
        )
        .order_by(PeerResult.id)
        .limit(MOST_PEER_RESULTS)
    )
    return session.scalars(rows).all()
