"""What only reads and sends records starts without the compiler."""

import subprocess
import sys
from pathlib import Path

LIGHT = (
    "service.cli.administration", "service.cli.queue.jobs", "service.cli.queue.jobs",
    "service.cli.queue.result", "workers.queue.sweeper_process",
)  # fmt: skip
HEAVY = {"compiler.compilation", "games", "numba", "qiskit", "qiskit_aer", "scipy"}


def test_who_compiles_nothing_imports_no_compiler():
    code = f"import sys, {', '.join(LIGHT)}; print(*sorted({HEAVY!r} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == []
