"""Ratios to the best peer's figure, and shares of proven results, by suite."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from workers.peers.comparison import Result
from workers.peers.peer import peers
from workers.peers.subjects import Form, Kind
from workers.peers.trials import ZERO, Case


@frozen
class Ratio:
    """Ours against the best of the others, on one case.

    Args:
        case: the case.
        peer: the best of the others.
        theirs: its figure that the objective minimises.
        name: of our result.
        ours: the same of ours.
        from_zero: whether ours holds from |0…0⟩ only where theirs holds on any input.
    """

    case: Case
    peer: str
    theirs: float
    name: str
    ours: float
    from_zero: bool

    @property
    def value(self) -> float:
        """Ours / theirs."""
        return self.ours / self.theirs


def ratios(results: Iterable[Result]) -> list[Ratio]:
    """Return the ratio of every proven result of ours to the best proven one of a peer."""
    by_case: dict[Case, list[Result]] = {}
    for result in results:
        by_case.setdefault(result.case, []).append(result)
    rows: list[Ratio] = []
    for case, tried in by_case.items():
        proven = [(r, r.cost) for r in tried if r.counts and r.cost is not None]
        others = [(cost, r.peer) for r, cost in proven if not peers[r.peer].ours]
        least, peer = min(others, key=lambda other: other[0], default=(0, ""))
        if least:
            rows += [
                Ratio(
                    case, peer, least, r.peer, cost,
                    r.holds == ZERO and case.subject.kind is Kind.CIRCUIT,
                )
                for r, cost in proven
                if peers[r.peer].ours
            ]  # fmt: skip
    return rows


@frozen
class Credit:
    """A game's two-qubit gates before and after synthesis and lowering.

    Args:
        title: the program.
        target: a complete spec.
        literal: two-qubit gates of the best peer on the literal circuit, if it was compared.
        logical: of the best peer on our logical circuit.
        ours: of our own lowering.
    """

    title: str
    target: str
    literal: int | None
    logical: int
    ours: int


def credits_of(rows: Sequence[Ratio]) -> list[Credit]:
    """Return the credits of all programs that come in our logical form."""
    literal = {
        (r.case.subject, r.case.target): int(r.theirs) for r in rows if r.case.form is Form.LITERAL
    }
    return [
        Credit(
            r.case.subject.title,
            r.case.target,
            literal.get((r.case.subject, r.case.target)),
            int(r.theirs),
            int(r.ours),
        )
        for r in rows
        if r.case.form is Form.LOGICAL and r.case.objective == "two_qubit_gates"
    ]


PROOFS = ("exact", "sampled", "unverified", "refuted")


@frozen
class ProofShare:
    """Number of proven results of a compiler on the circuits of a suite.

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
    verdicts: dict[tuple[str, str], Counter[str]] = {}
    for result in results:
        if result.case.subject.kind is Kind.CIRCUIT and result.verified in PROOFS:
            verdicts.setdefault((result.case.suite, result.peer), Counter())[result.verified] += 1
    return [
        ProofShare(*key, sum(n.values()), n["exact"], n["unverified"], n["refuted"])
        for key, n in verdicts.items()
    ]
