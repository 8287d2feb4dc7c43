"""The command `bench`: compile, verify, run and score a suite, then write the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

from attrs import evolve, frozen
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import InputError, meant
from compiler.lowering.pipeline import SEEDS, passes_from_zero, pipelines
from compiler.words.held_inputs import count_text
from compiler.words.plurals import how_many
from games.sources import Source
from service.cli.compiling.recorded import run_compiled
from service.cli.options import DATABASE, PROCESSES, Database, Details, Json, Processes, Seed
from service.cli.output.printing import print_result, print_rows, progress, say
from service.cli.report import check_report_path, write_report
from service.cli.run import run_sentence
from service.results.jobs.compilations import CompilationResult
from service.results.jobs.runs import BenchResult, JobResult
from service.results.jobs.tables import observable_words
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import now


@frozen
class Case:
    """One program on one target, run on some backends.

    Args:
        program: a game's name.
        target: spec of the target.
        runs: backend and shots of each run.
        method: `literal`, as the papers build it and with other people's passes, or `best`.
        seeds: how many each seeded pipeline tries.
    """

    program: str
    target: str
    runs: tuple[tuple[str, int], ...]
    method: str = "best"
    seeds: int = SEEDS

    def order(self, seed: int, batch: str) -> CompileOrder:
        """Return the order."""
        options = Options(self.method, seed=seed, seeds=self.seeds)
        if self.method == "literal":
            stock = tuple(pipeline.name for pipeline in pipelines.values() if pipeline.stock)
            options = evolve(options, pipelines=stock, without=passes_from_zero())
        return CompileOrder(Source(self.program), self.target, options, batch=batch)


EXACT = ("sparse", 4096)
NOISY = ("aer:boston", 24)

LITERAL = (
    Case("skat-4", "all:17", (EXACT,), "literal"),
    Case("skat-4", "star:17", (EXACT,), "literal"),
    Case("skat-4", "heavy-hex:boston", (EXACT,), "literal"),
)

FIRST = (evolve(LITERAL[0], seeds=1),)
"""A case that needs no search, so that a first result does not wait until these are compiled."""

QUICK = (
    Case("skat-4", "all:17", (EXACT,), seeds=1),
    Case("skat-4", "star:17", (EXACT,), seeds=1),
    Case("skat-4", "heavy-hex:boston", (EXACT, ("aer:boston", 200)), seeds=1),
    *LITERAL,
)
"""The quickest first."""

FULL = (
    Case("skat-4", "all:17", (EXACT,)),
    Case("skat-4", "star:17", (EXACT,)),
    Case("skat-4", "heavy-hex:boston", (EXACT, ("aer:boston", 200))),
    Case("skat-9", "all", (EXACT,)),
    *LITERAL[:2],
    Case("skat-4", "heavy-hex:boston", (EXACT, NOISY), "literal"),
    Case("skat-32", "all", ()),
    Case("skat-4", "star:17:iqm", (EXACT,), "literal"),
    Case("skat-4", "heavy-hex:marrakesh", (EXACT, ("aer:marrakesh", 24))),
    Case("skat-4", "heavy-hex:30", (EXACT,)),
    Case("skat-32:known", "all", (("sparse", 100),)),
    Case("skat-32:paper", "all", (("sparse", 100),)),
)

SUITES: Mapping[str, tuple[Case, ...]] = {"first": FIRST, "quick": QUICK, "full": FULL}


def bench(
    *,
    suite: str = "quick",
    seed: Seed = 0,
    report: str = "report.html",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Compile, prove, run and score a fixed suite, and write the report.

    Example: `stichwerk bench --suite quick`

    Options:
        suite: Suite: {SUITES}.
        report: File of the report.
    """
    path = check_report_path(report)
    if suite not in SUITES:
        raise InputError(f"unknown suite '{suite}'; {meant(suite, SUITES)}")
    started = perf_counter()
    cases = SUITES[suite]
    batch = f"{suite} {now().isoformat(timespec='seconds')}"
    plans = [plan_order(case.order(seed, batch)) for case in cases]
    with Session(open_database(database)) as session:
        compilations, jobs = [], []
        with process_pool(processes) as each:
            for case, checked in zip(cases, plans, strict=True):
                compilations.append(compile_order(session, *checked, each, progress))
                for backend, shots in case.runs:
                    jobs.append(run_compiled(session, compilations[-1], backend, shots))
                    say(run_sentence(JobResult.of_job(jobs[-1])))
        write_report(session, path)
        result = BenchResult(
            suite=suite,
            seconds=perf_counter() - started,
            processes=processes,
            database=database,
            report=str(path),
            peak_memory_gib=_peak_memory_gib(),
            compilations=[CompilationResult.of(compilation) for compilation in compilations],
            jobs=[JobResult.of_job(job) for job in jobs],
        )
    print_result(result, print_bench, as_json=as_json, details=details)


def _peak_memory_gib() -> float:
    """Return the most memory that this process or one of its children has held."""
    kibibytes = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return kibibytes / (1 << 20)


def print_bench(result: BenchResult) -> None:
    """Print the compilations and runs, with the figures of each run."""
    circuits = how_many(len(result.compilations), "circuit")
    proven = sum(compilation.verified != "unverified" for compilation in result.compilations)
    print(
        f"Suite {result.suite}: {circuits} compiled, {proven} proven, "
        f"{how_many(len(result.jobs), 'run')} scored in {result.seconds:.0f} s"
        f"{_saved(result.compilations)}. Pictures: {Path(result.report).resolve()}."
    )
    print_rows(
        "Runs (fidelity: 1 exact, 0 noise)",
        [
            (job, count_text(job.two_qubit_gates, from_zero=job.from_zero),
             job.scores and observable_words(job.scores.observables))
            for job in result.jobs
        ],
        "0.program", "0.target", "0.method", "two-qubit gates=1", "proof=0.verified", "0.backend",
        "fidelity=0.scores.normalized_fidelity", "observables=2",
    )  # fmt: skip


def _saved(compilations: Sequence[CompilationResult]) -> str:
    """Return where the best circuit saves most gates of the literal one; empty for no pair."""
    gates = {(of.program, of.target, of.method): of.two_qubit_gates or 0 for of in compilations}
    pairs = [
        (literal / best, program, target, best, literal)
        for (program, target, method), best in gates.items()
        if method == "best" and best and (literal := gates.get((program, target, "literal")))
    ]
    if not pairs:
        return ""
    _, program, target, best, literal = max(pairs)
    return f"; {program} on {target} takes {best} two-qubit gates, {literal:,} as in the paper"
