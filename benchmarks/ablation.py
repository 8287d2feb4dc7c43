"""`python -m benchmarks.ablation`: the gain by each pipeline, synthesis and pass.

Every program of the gate suite, every public circuit of `stichwerk peers --suite circuits --suite
random --suite device`, from |0…0⟩ and on any input, and fifty circuits of MQT Bench are compiled
by the method `best`. One compilation tries all suitable pipelines, and its candidates are
sufficient. MQT Bench is no dependency: install it by `pip install mqt.bench` (MIT licence).

With `--keep FILE` a run that was stopped goes on; with `--print` it only prints the tables.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import getfile
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from attrs import evolve, field, frozen

from compiler.compilation import Options
from compiler.compilation.attempts import lower_all
from compiler.compilation.listener import Listener
from compiler.compilation.plan import plan
from compiler.errors import StichwerkError
from compiler.lowering import Pass, pipelines
from compiler.lowering.pipeline import best, refinements
from compiler.program import Program
from compiler.synthesis.method import Operator, params_of, predictions
from games.sources import read_program
from tools.tables import table
from workers.gate_counts.programs import source_of, written
from workers.gate_counts.suite import read_suite
from workers.peers.suites import cases as peer_cases

Candidate = Mapping[str, Any]

FAMILIES = (
    "ae", "bmw_quark_cardinality", "bmw_quark_copula", "bv", "cdkm_ripple_carry_adder", "dj",
    "draper_qft_adder", "full_adder", "ghz", "graphstate", "half_adder", "hhl",
    "hrs_cumulative_multiplier", "modular_adder", "multiplier", "qaoa", "qft", "qftentangled",
    "qnn", "qpeexact", "qpeinexact", "randomcircuit", "rg_qft_multiplier",
    "vbe_ripple_carry_adder", "vqe_real_amp", "vqe_su2", "vqe_two_local", "wstate",
)  # fmt: skip
"""Families of MQT Bench that measure at their end only and stay small."""
SIZES, MQT_CIRCUITS = (8, 16), 50


@frozen
class Case:
    """A program on a target; `name` and `target` tell it from all other cases."""

    name: str
    program: Callable[[], Program] = field(repr=False)
    target: str
    any_input: bool | None = None
    objective: str = "two_qubit_gates"


def gate_suite() -> Iterator[Case]:
    """Yield the programs of the gate suite, without their methods."""
    for entry in read_suite(Path("gates.toml")):
        order = entry.order
        if not order.options.pipelines:
            yield Case(
                f"{entry.program}, {entry.encoding}, {order.options.objective}",
                lambda order=order: read_program(written(order.source), order.encoding),
                entry.target,
                order.options.any_input,
                order.options.objective,
            )


def public_circuits() -> Iterator[Case]:
    """Yield the public circuits, from |0…0⟩ and on any input."""
    for case in peer_cases(("circuits", "random", "device")):
        name = f"benchmark:{case.subject.name}"
        for any_input in (False, True):
            yield Case(
                f"{name}, {'any input' if any_input else 'from zero'}",
                lambda name=name: read_program(source_of(name, Path())),
                case.target,
                any_input,
            )


def mqt_bench() -> Iterator[Case]:
    """Yield circuits of MQT Bench, on their default input |0…0⟩."""
    bench = import_module("mqt.bench")
    count = 0
    for family, size in ((family, size) for size in SIZES for family in FAMILIES):
        try:
            circuit = bench.get_benchmark(family, bench.BenchmarkLevel.INDEP, size)
        except (AssertionError, ValueError):
            continue  # The family has no circuit of this size.
        if (count := count + 1) <= MQT_CIRCUITS:
            program = Program.of_circuit(circuit, None)
            yield Case(f"mqt:{family}:{size}", lambda program=program: program, "heavy-hex:boston")


SUITES = {"gates": gate_suite, "public": public_circuits, "mqt": mqt_bench}


class Bounded(Listener):
    """Calls in this process, none of which begins after a number of CPU seconds."""

    clock = staticmethod(process_time)

    def __init__(self, seconds: float) -> None:
        self.deadline = process_time() + seconds

    def late(self) -> bool:
        """Return whether the CPU seconds have passed."""
        return process_time() > self.deadline


def candidates(case: Case, options: Options, seconds: float) -> list[Candidate]:
    """Lower a case, and return its candidates without proofs; none if it cannot be compiled.

    Args:
        case: to be compiled.
        options: of all cases.
        seconds: CPU seconds after which no further attempt begins.
    """
    options = evolve(options, any_input=case.any_input, objective=case.objective)
    try:
        every = lower_all(plan(case.program(), case.target, options), Bounded(seconds))
    except StichwerkError:
        return []
    lowered = [(each, each.figures) for each in every if each.figures is not None]
    chosen = best(lowered, case.objective) if lowered else None
    return [
        {
            "pipeline": candidate.attempt.pipeline,
            "gates": figures.two_qubit_gates,
            "depth": figures.two_qubit_depth,
            "seconds": candidate.seconds,
            "chosen": candidate is chosen,
            "steps": [(step.name, step.two_qubit_gates, step.seconds) for step in candidate.steps],
        }
        for candidate, figures in lowered
    ]


def print_table(heads: Sequence[str], rows: Iterable[tuple[str, *tuple[int, ...]]]) -> None:
    """Print a table whose first column holds names in code, and all others numbers."""
    print(table(heads, [(f"`{name}`", *map("{:,}".format, figures)) for name, *figures in rows]))


def print_alternatives(title: str, rows: Sequence[Sequence[Candidate]]) -> None:
    """Print wins, gates lost and seconds for each value of the candidates' key `title`.

    A case counts if at least two alternatives got through. Gates are lost without the only
    alternative that reaches the fewest.
    """
    cases, wins, alone, lost = (Counter[str]() for _ in range(4))
    seconds = defaultdict[str, float](float)
    for row in rows:
        least: dict[str, float] = {}
        for candidate in row:
            name = candidate[title]
            least[name] = min(least.get(name, inf), candidate["gates"])
            seconds[name] += candidate["seconds"]
        fewest, *others = sorted(least.values()) or [0.0]
        winners = [name for name, gates in least.items() if gates == fewest and others]
        cases.update(least.keys())
        wins.update(winners)
        if len(winners) == 1:
            alone[winners[0]] += 1
            lost[winners[0]] += int(others[0] - fewest)
    print_table(
        (title, "cases", "wins", "alone", "gates lost without it", "CPU seconds"),
        (
            (name, cases[name], wins[name], alone[name], lost[name], round(seconds[name]))
            for name in sorted(cases, key=lambda name: (-alone[name], -wins[name]))
        ),
    )


def syntheses(cases: Iterable[Case]) -> Iterator[list[Candidate]]:
    """Yield the gates that methods predict, for each different operator that several build."""
    seen = set()
    for case in cases:
        for item in case.program().circuit.data:
            gate = item.operation
            if isinstance(gate, Operator) and (key := (gate.name, params_of(gate))) not in seen:
                seen.add(key)
                prices = predictions(gate).items()
                if len(prices) > 1:
                    yield [{"synthesis": f"{gate.name}.{method}", "gates": price, "seconds": 0.0}
                           for method, price in prices]  # fmt: skip


def print_passes(rows: Sequence[Sequence[Candidate]]) -> None:
    """Print in how many candidates each optional pass removed gates, and the lines of its code.

    These are the lines of its folder, or of its module if that is in none of its own.
    """
    runs, helped, removed = (Counter[str]() for _ in range(3))
    seconds = defaultdict[str, float](float)
    for candidate in (candidate for row in rows for candidate in row):
        for (_, before, _), (name, after, spent) in pairwise(candidate["steps"]):
            saved = (before or 0) - (after or 0) if before and after is not None else 0
            runs[name] += 1
            seconds[name] += spent
            helped[name] += saved > 0
            removed[name] += saved * candidate["chosen"]
    entries = (
        *(step for pipeline in pipelines.values() for step in pipeline.passes),
        *refinements.values(),
    )
    chosen = "gates removed from the chosen results"
    print_table(
        ("pass", "candidates", "with fewer gates", chosen, "CPU seconds", "lines"),
        (
            (name, runs[name], helped[name], removed[name], round(seconds[name]), code_lines(step))
            for name, step in {step.name: step for step in entries if step.optional}.items()
        ),
    )


def code_lines(step: Pass) -> int:
    """Return the lines of a pass's code that are neither blank nor comments."""
    path = Path(getfile(step.run))
    files = [path] if path.parent.name == "lowering" else path.parent.glob("*.py")
    lines = (line.strip() for file in files for line in file.read_text().splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


def main() -> None:
    """Compile the cases that are missing in the file, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--seeds", type=int, default=Options().seeds)
    parser.add_argument("--budget", type=int, default=Options().budget)
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU seconds of a case")
    parser.add_argument("--print", action="store_true", help="compile nothing")
    parser.add_argument("--keep", type=Path, required=True, help="file of the candidates")
    request = parser.parse_args()
    options = Options(method="best", seeds=request.seeds, budget=request.budget)
    lines = request.keep.read_text().splitlines() if request.keep.exists() else []
    rows = dict(map(json.loads, lines))
    suites = [SUITES[name]() for name in request.suite or ("gates", "public", "mqt")]
    cases = [case for suite in suites for case in suite]
    # In a random order, so that a run that is stopped has taken a fair sample.
    for case in Random(0).sample(cases, len(cases)):
        key = f"{case.name} on {case.target}"
        if key not in rows and not request.print:
            rows[key] = candidates(case, options, request.seconds)
            with request.keep.open("a") as file:
                print(json.dumps([key, rows[key]]), file=file)
    print(f"{len(rows)} of {len(cases)} cases\n")
    print_alternatives("pipeline", [*rows.values()])
    print_alternatives("synthesis", [*syntheses(cases)])
    print_passes([*rows.values()])


if __name__ == "__main__":
    main()
