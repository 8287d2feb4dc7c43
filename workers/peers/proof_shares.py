"""What share of each compiler's results is proven."""

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from workers.peers.comparison import Result
from workers.peers.subjects import Kind

MADE = ("exact", "sampled", "unverified", "refuted")


@frozen
class ProofShare:
    """How many of a compiler's results on the circuits of a suite are proven.

    Args:
        suite: the suite.
        peer: the compiler.
        made: circuits that it lowered.
        exact: those proven exactly.
        unverified: those that are neither proven nor refuted.
        refuted: those proven wrong.
    """

    suite: str
    peer: str
    made: int
    exact: int
    unverified: int
    refuted: int

    @property
    def share(self) -> float:
        """Exact / made."""
        return self.exact / self.made


def proof_shares(results: Sequence[Result]) -> list[ProofShare]:
    """Return the shares of all compilers by suite; games and operators are left out."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in results:
        if one.case.subject.kind is Kind.CIRCUIT and one.verified in MADE:
            found.setdefault((one.case.suite, one.peer), Counter())[one.verified] += 1
    return [
        ProofShare(*key, sum(n.values()), n["exact"], n["unverified"], n["refuted"])
        for key, n in found.items()
    ]
