"""Circuits too large for a state, judged by single runs."""

from collections.abc import Iterable

from compiler.errors import VerificationError
from compiler.judge import Judge

RUNS = 200


def verify_runs(judge: Judge, runs: Iterable[int], seed: int) -> str:
    """Check that nothing illegal was measured, and nothing preferred that should not be.

    Args:
        judge: what measured bits mean.
        runs: what independent runs have measured; bit i is classical bit i.
        seed: of the samples, for messages.

    Returns:
        What was found, one line for people.

    Raises:
        VerificationError: naming the first illegal run, or a preference that is no accident.
        StateTooLargeError: if single runs tell too little.
    """
    try:
        return f"{judge.examine(runs)} (seed {seed})"
    except VerificationError as error:
        raise VerificationError(f"{error} (seed {seed})") from error
