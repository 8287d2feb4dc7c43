"""What counts as worse, exactly."""

from decimal import Decimal

import pytest

from workers.gate_counts.counts import Change, Counts, Tolerance, compare

BEFORE = Counts(100, 60, 200, 400, "exact")


TENTH = Tolerance(depth=Decimal("0.1"), gates=Decimal("0.05"))


@pytest.mark.parametrize(
    ("after", "change", "reasons"),
    [
        (Counts(100, 60, 200, 400, "exact"), Change.SAME, ()),
        (Counts(101, 60, 200, 400, "exact"), Change.WORSE, ("two-qubit gates 100 → 101",)),
        (Counts(99, 60, 200, 400, "exact"), Change.BETTER, ("two-qubit gates 100 → 99",)),
        # Up to the tolerance and including it, in both directions.
        (Counts(100, 66, 200, 400, "exact"), Change.TOLERATED, ("two-qubit depth 60 → 66",)),
        (Counts(100, 67, 200, 400, "exact"), Change.WORSE, ("two-qubit depth 60 → 67",)),
        (Counts(100, 60, 220, 400, "exact"), Change.TOLERATED, ("depth 200 → 220",)),
        (Counts(100, 60, 221, 400, "exact"), Change.WORSE, ("depth 200 → 221",)),
        (Counts(100, 60, 180, 400, "exact"), Change.TOLERATED, ("depth 200 → 180",)),
        (Counts(100, 60, 179, 400, "exact"), Change.BETTER, ("depth 200 → 179",)),
        (Counts(100, 60, 200, 420, "exact"), Change.TOLERATED, ("gates 400 → 420",)),
        (Counts(100, 60, 200, 421, "exact"), Change.WORSE, ("gates 400 → 421",)),
        # Fewer two-qubit gates do not make up for depth.
        (Counts(90, 60, 230, 400, "exact"), Change.WORSE, ("depth 200 → 230",)),
        # What is tolerated is not named beside what is worse.
        (Counts(101, 60, 210, 400, "exact"), Change.WORSE, ("two-qubit gates 100 → 101",)),
        (Counts(100, 60, 200, 400, "sampled"), Change.WORSE, ("proof exact → sampled",)),
        (Counts(90, 50, 100, 300, "unverified"), Change.WORSE, ("proof exact → unverified",)),
        (Counts(detail="no way"), Change.WORSE, ("failed: no way",)),
    ],
)
def test_changes(after, change, reasons):
    verdict = compare(BEFORE, after, TENTH)
    assert (verdict.change, verdict.reasons) == (change, reasons)


def test_a_share_is_no_binary_fraction():
    # 100 · 1.15 is 114.99999999999999 in binary.
    share = Tolerance(depth=Decimal("0.15"), gates=Decimal("0.15"))
    before = Counts(1, 1, 100, 1, "exact")
    assert compare(before, Counts(1, 1, 115, 1, "exact"), share).change is Change.TOLERATED
    assert compare(before, Counts(1, 1, 116, 1, "exact"), share).change is Change.WORSE


def test_what_was_never_proven_is_told_but_does_not_fail():
    counts = Counts(100, 60, 200, 400, "unverified")
    verdict = compare(counts, counts, TENTH)
    assert verdict.change is Change.UNPROVEN
    assert not verdict.change.fails


def test_new_entries_do_not_fail_unless_they_failed():
    assert compare(None, BEFORE, TENTH).change is Change.NEW
    assert compare(None, Counts(1, 1, 1, 1, "unverified"), TENTH).reasons == ("unverified",)
    assert compare(None, Counts(detail="no way"), TENTH).change is Change.WORSE
