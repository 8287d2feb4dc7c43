"""Gate counts against a baseline, and other compilers on a user's circuits."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from compiler.arguments import checked
from compiler.compilation.listener import each_here
from workers.gate_counts.baseline import Check, check, read_baseline
from workers.gate_counts.running import count_all
from workers.gate_counts.suite import read_suite
from workers.peers.comparison import Result
from workers.peers.comparison import compare as compare_case
from workers.peers.own_circuits import own_cases, own_subjects


@checked
def check_gates(
    suite: str | Path, baseline: str | Path, progress: Callable[[str], None] = lambda line: None
) -> Check:
    """Compile a suite of programs and compare its gate counts with a baseline.

    Args:
        suite: A file such as `gates.toml`.
        baseline: A file such as `gate_counts.json`, which `stichwerk gates update` writes.
        progress: Is called with a line for each program that is done.

    Returns:
        The comparison: `passed`, and a row for each program and target.

    Raises:
        InputError: If a file cannot be read.
    """
    entries, held = read_suite(Path(suite)), read_baseline(Path(baseline))
    return check(entries, count_all(entries, 1, None, progress), held)


@checked
def compare(
    files: Sequence[str | Path],
    targets: Sequence[str],
    compilers: Sequence[str],
    seeds: Annotated[int, range(1, 1001)] = 1,
    progress: Callable[[str], None] = lambda line: None,
) -> list[Result]:
    """Compile circuits by several compilers, and prove each result.

    Args:
        files: `.qasm` and `.qpy` files, and folders of such files.
        targets: Specs; a circuit that does not fit on one is left out.
        compilers: Names such as `qiskit`, `tket` and `stichwerk-fast`.
        seeds: Number of seeds of each compiler that takes one.
        progress: Is called with a line for each result and each file left out.

    Returns:
        A result for each circuit, target and compiler, in this order.

    Raises:
        InputError: If no file can be read, or no circuit fits on any target.
    """
    cases = own_cases(own_subjects([str(file) for file in files], progress), targets, progress)
    return [
        result
        for case in cases
        for result in compare_case(case, list(compilers), seeds, each_here, progress)
    ]
