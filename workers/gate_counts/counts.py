"""Counts of the compiled circuit of an order, and their comparison."""

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from attrs import frozen
from pydantic import BaseModel, ConfigDict, Field

PROOFS = ("refused", "failed", "unverified", "sampled", "exact")
"""Degrees of proof, the best last; `refused`: the input is invalid."""


Share = Annotated[Decimal, Field(ge=0, le=1, strict=False)]

DEFAULT_SHARE = Decimal("0.05")


class Tolerance(BaseModel):
    """Allowed growth, as a share of the baseline, before a figure counts as worse."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    depth: Share = DEFAULT_SHARE
    """Of the depth and the two-qubit depth."""
    gates: Share = DEFAULT_SHARE
    """Of all gates together. Two-qubit gates alone may not grow at all."""


@frozen
class Counts:
    """The figures of a chosen circuit.

    Args:
        two_qubit_gates: gates on two qubits.
        two_qubit_depth: depth counting only those.
        depth: depth counting gates and measurements.
        gates: all gates, without measurements.
        verified: a word in `PROOFS`; `failed` if there is no circuit, or it is proven wrong.
        detail: why it was refused or failed, or `""`.
    """

    two_qubit_gates: int = 0
    two_qubit_depth: int = 0
    depth: int = 0
    gates: int = 0
    verified: str = "failed"
    detail: str = ""

    @classmethod
    def of_failure(cls, reason: object, verified: str = "failed") -> "Counts":
        """Return the counts where no circuit came about that is not proven wrong."""
        return cls(detail=" ".join(str(reason).split()), verified=verified)

    @property
    def failed(self) -> bool:
        """Return whether there is nothing to count."""
        return self.refused or self.verified == "failed"

    @property
    def refused(self) -> bool:
        """True if the input is invalid."""
        return self.verified == "refused"

    @property
    def proven(self) -> bool:
        """Return whether the circuit is proven right, exactly or by the games it played."""
        return self.verified in ("exact", "sampled")


class Change(StrEnum):
    """Verdict on an entry.

    - `worse`: more two-qubit gates, more of another figure than is tolerated, less proven, failed.
    - `missing`: the baseline has it, the suite does not.
    - `changed`: another program under the same name, whatever its figures.
    - `unproven`: no worse than before, but not proven, neither then nor now.
    - `new`: the suite has it, the baseline does not.
    - `tolerated`: other figures, none worse by more than is tolerated.
    - `better`: fewer gates, less depth or a better proof, and nothing worse.
    - `same`: equal.
    """

    WORSE = "worse"
    MISSING = "missing"
    CHANGED = "changed"
    UNPROVEN = "unproven"
    NEW = "new"
    TOLERATED = "tolerated"
    BETTER = "better"
    SAME = "same"

    @property
    def fails(self) -> bool:
        """Return whether the check fails."""
        return self in (Change.WORSE, Change.MISSING, Change.CHANGED)


@frozen
class Verdict:
    """A change, with its reason, such as `two-qubit gates 32 → 35`."""

    change: Change
    reasons: tuple[str, ...] = ()


def compare(
    before: Counts | None, after: Counts, tolerance: Tolerance, expect: str = "compiled"
) -> Verdict:
    """Return whether counts have become worse.

    Args:
        before: counts of the baseline; None if it lacks the entry.
        after: counts of now.
        tolerance: allowed growth of depth and gates.
        expect: see `Entry`.
    """
    if expect == "refused":
        why = () if after.refused else (f"not refused: {after.verified}",)
        return Verdict(Change.WORSE if why else Change.SAME, why)
    if after.failed:
        return Verdict(Change.WORSE, (f"{after.verified}: {after.detail}",))
    if before is None:
        unproven = () if after.proven else (after.verified,)
        return Verdict(Change.NEW, unproven)
    steps = tuple(_steps(before, after, tolerance))
    for sign, change in ((1, Change.WORSE), (-1, Change.BETTER)):
        reasons = tuple(reason for step, reason in steps if step == sign)
        if reasons:
            return Verdict(change, reasons)
    if steps:
        return Verdict(Change.TOLERATED, tuple(reason for _, reason in steps))
    return Verdict(Change.SAME if after.proven else Change.UNPROVEN)


def _steps(before: Counts, after: Counts, tolerance: Tolerance) -> Iterator[tuple[int, str]]:
    """Yield the differences: 1 for worse, -1 for better, 0 for tolerated."""
    if before.verified != after.verified:
        weaker = PROOFS.index(after.verified) < PROOFS.index(before.verified)
        yield 1 if weaker else -1, f"proof {before.verified} → {after.verified}"
    for name, allowed in (
        ("two_qubit_gates", Decimal(0)),
        ("two_qubit_depth", tolerance.depth),
        ("depth", tolerance.depth),
        ("gates", tolerance.gates),
    ):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            beyond = abs(new - old) > allowed * old
            sign = (1 if new > old else -1) if beyond else 0
            yield (
                sign,
                f"{name.replace('two_qubit_', 'two-qubit ').replace('_', ' ')} {old} → {new}",
            )
