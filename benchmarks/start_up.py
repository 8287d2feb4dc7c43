"""`python -m benchmarks.start_up`: CPU seconds of commands that hardly work, over those of Qiskit.

Each is run several times in processes of its own, and the least is told: all modules are compiled
to bytecode by then. What it is over the CPU seconds of `import qiskit`, measured in turn with it,
depends less on the machine and on what else runs there.

The list of games is kept from one time to the next; each turn begins with none.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from attrs import frozen

REFERENCE = ("-c", "import qiskit")
MAIN = ("-m", "service")

WORK = {
    "stichwerk --help": (*MAIN, "--help"),
    "stichwerk games, the first time": (*MAIN, "games"),
    "stichwerk games": (*MAIN, "games"),
    "stichwerk compile, of no file": (*MAIN, "compile", "there-is-none.qasm"),
    "import compiler.lowering": ("-c", "import compiler.lowering"),
    "import compiler.compilation": ("-c", "import compiler.compilation"),
}


@frozen
class StartUp:
    """What a process costs.

    Args:
        name: what is run.
        seconds: the least CPU seconds.
        reference: those of `import qiskit`.
    """

    name: str
    seconds: float
    reference: float

    @property
    def ratio(self) -> float:
        """How many imports of Qiskit it is worth."""
        return self.seconds / self.reference


def cpu_seconds(arguments: Sequence[str], cache: str) -> float:
    """Return what a Python process uses of any core until it has ended, whatever its exit code.

    Args:
        arguments: of Python.
        cache: the folder for what is kept from one time to the next.
    """
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(turns: int) -> list[StartUp]:
    """Run everything in turn so many times, and return the least of each."""
    everything = {"": REFERENCE, **WORK}
    runs = [_turn(everything) for _ in range(turns)]
    found = {name: min(run[name] for run in runs) for name in everything}
    return [StartUp(name, found[name], found[""]) for name in WORK]


def _turn(everything: Mapping[str, Sequence[str]]) -> dict[str, float]:
    with TemporaryDirectory() as cache:
        return {name: cpu_seconds(each, cache) for name, each in everything.items()}


def main() -> None:
    """Print a row for each."""
    parser = argparse.ArgumentParser(description="CPU seconds of commands that hardly work")
    parser.add_argument("--turns", type=int, default=5, help="runs of each, of which the least")
    rows = measured(parser.parse_args().turns)
    print(f"{'import qiskit':32} {rows[0].reference:6.2f} CPU s")
    for row in rows:
        print(f"{row.name:32} {row.seconds:6.2f} CPU s  {row.ratio:5.2f}")


if __name__ == "__main__":
    main()
