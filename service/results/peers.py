"""Result of the command `peers`: compilers side by side."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from compiler.words.held_inputs import FROM_ZERO, count_text, from_zero_suffix
from service.results.model import MeasuredResult, ResultModel, Value
from workers.peers.comparison import Result
from workers.peers.costs import Cost, MeanCost, costs, mean_costs
from workers.peers.ratios import (
    Credit,
    ProofShare,
    Ratio,
    credits_of,
    proof_shares,
    ratios,
)
from workers.peers.trials import size


class PeerResult(ResultModel):
    """Result of one compiler for one program."""

    suite: str
    program: str
    encoding: str | None
    circuit_seed: int
    form: str
    target: str
    peer: str
    calls: int
    seconds: float
    cpu_seconds: float
    two_qubit_gates: int | None
    two_qubit_depth: int | None
    depth: int | None
    gates: int | None
    expected_fidelity: float | None
    first_call: int | None
    """Two-qubit gates of the first seed or pipeline alone, proven or not"""
    median: int | None
    swaps: int | None
    variant: str
    verified: str
    """exact, sampled, unverified, refuted, failed or skipped"""
    holds: str
    detail: str
    best_peer: str | None
    ratio: float | None
    """Figure of the objective over that of the best peer; of the expected fidelity the reciprocal,
    so that at most 1 is as good
    """
    ratio_from_zero_only: bool | None

    @classmethod
    def of(cls, result: Result, others: Sequence[Ratio]) -> "PeerResult":
        """Return a compiler's result, with its ratio if there is one."""
        case, subject = result.case, result.case.subject
        ratio = next((r for r in others if (r.case, r.name) == (case, result.peer)), None)
        return cls.from_objects(
            result,
            case,
            program=subject.name,
            encoding=subject.encoding or None,
            circuit_seed=subject.seed,
            best_peer=ratio and ratio.peer,
            ratio=ratio and ratio.value,
            ratio_from_zero_only=ratio and ratio.from_zero,
        )

    @property
    def title(self) -> str:
        """Program, and its encoding."""
        return ", ".join(filter(None, (self.program, self.encoding)))

    @property
    def gates_text(self) -> str:
        """Two-qubit gates, marked where they hold from |0…0⟩ only."""
        return count_text(self.two_qubit_gates, from_zero=self.holds == FROM_ZERO)

    @property
    def depth_text(self) -> str:
        """Two-qubit depth, marked where it holds from |0…0⟩ only."""
        return count_text(self.two_qubit_depth, from_zero=self.holds == FROM_ZERO)

    @property
    def ratio_text(self) -> str | None:
        """Ratio, marked where ours holds from |0…0⟩ only and the peer's on any input."""
        suffix = from_zero_suffix(from_zero=bool(self.ratio_from_zero_only))
        return None if self.ratio is None else f"{self.ratio:.4g}{suffix}"

    @property
    def proof(self) -> str:
        """State of the proof, or why there is none."""
        if self.verified == "skipped":
            return self.detail
        failed = self.verified in ("failed", "refuted")
        return f"{self.verified}: {self.detail}" if failed else self.verified


class KnownRouting(ResultModel):
    """Routing of a circuit whose fewest swaps are known."""

    program: str
    peer: str
    fewest_swaps: int
    swaps: int | None
    two_qubit_gates_of_known_routing: int
    two_qubit_gates: int | None
    ratio: float | None
    cpu_seconds: float
    verified: str

    @classmethod
    def of(cls, result: Result, fewest: int) -> "KnownRouting":
        """Compare a result with the routing of the fewest swaps."""
        gates_known = size(result.case.subject, result.case.form) + 3 * fewest
        gates = result.two_qubit_gates
        return cls.from_objects(
            result,
            program=result.case.subject.name,
            fewest_swaps=fewest,
            two_qubit_gates_of_known_routing=gates_known,
            ratio=gates and gates / gates_known,
        )


class PeersResult(MeasuredResult, commands="peers"):
    """Compilers on the same programs."""

    schema_version: ClassVar[int] = 2
    results: Sequence[PeerResult]
    credits: Sequence[Annotated[Credit, Value()]]
    costs: Sequence[Annotated[Cost, Value()]]
    mean_costs: Sequence[Annotated[MeanCost, Value()]]
    proofs: Sequence[Annotated[ProofShare, Value("share")]]
    swaps: Sequence[KnownRouting]
    left_out: Sequence[str]
    """Circuits that were not compared, with the reason"""
    objective: str
    suites: Sequence[str]
    seeds: int
    limit: float
    """CPU seconds of a call; 0 for no limit"""
    seconds: float
    comparison: str

    @classmethod
    def of(cls, results: Sequence[Result], **fields: object) -> "PeersResult":
        """Return results, and all that follows from them.

        Args:
            results: of all compilers and cases.
            fields: the others of the model.
        """
        shares, prices = ratios(results), costs(results)
        return cls.from_objects(
            **fields,
            results=[PeerResult.of(result, shares) for result in results],
            credits=credits_of(shares),
            costs=prices,
            mean_costs=mean_costs(prices),
            proofs=proof_shares(results),
            swaps=[
                KnownRouting.of(result, fewest)
                for result in results
                if (fewest := result.case.subject.fewest_swaps) is not None
            ],
        )
