"""What every compiler made of every program, when it was last compared."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.report.reading.limits import MOST_PEER_RESULTS
from workers.records.tables import PeerResult


def read_peers(session: Session) -> Sequence[PeerResult]:
    """Return each compiler's newest result for each case, in the order they were made."""
    newest = select(func.max(PeerResult.id)).group_by(
        PeerResult.suite, PeerResult.program, PeerResult.form, PeerResult.target, PeerResult.peer
    )
    rows = (
        select(PeerResult)
        .where(PeerResult.id.in_(newest))
        .order_by(PeerResult.id)
        .limit(MOST_PEER_RESULTS)
    )
    return session.scalars(rows).all()
