"""The command `bench`: compile, verify, run and score a suite, then write the report."""

from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Annotated

import typer
from attrs import evolve, frozen
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.lowering.pipeline import passes_from_zero, pipelines
from compiler.lowering.portfolio import SEEDS
from compiler.near_misses import meant
from compiler.words.held_inputs import count_text, from_zero_suffix
from games.sources import Source
from service.cli.compiling.recorded import run_compiled
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes, Seed
from service.cli.output.printing import print_result, print_rows, say
from service.cli.report import check_report_path, write_report
from service.results.jobs.compilations import CandidateResult, CompilationResult
from service.results.jobs.runs import BenchResult, JobResult
from service.results.jobs.scores import scores_of
from service.results.jobs.tables import observable_words
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Job, now


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
        """Return what is to be compiled."""
        options = Options(self.method, seed=seed, seeds=self.seeds)
        if self.method == "literal":
            stock = tuple(pipeline.name for pipeline in pipelines.values() if pipeline.stock)
            options = evolve(options, pipelines=stock, without=passes_from_zero())
        return CompileOrder(Source(self.program), self.target, options, batch=batch)


EXACT = ("sparse", 4096)
NOISY = ("aer:torino", 24)

LITERAL = (
    Case("skat-4", "all:17", (EXACT,), "literal"),
    Case("skat-4", "star:17", (EXACT,), "literal"),
    Case("skat-4", "heavy-hex:torino", (EXACT,), "literal"),
)

FIRST = (evolve(LITERAL[0], seeds=1),)
"""A case that needs no search, so that a first result does not wait until these are compiled."""

QUICK = (
    Case("skat-4", "all:17", (EXACT,), seeds=1),
    Case("skat-4", "star:17", (EXACT,), seeds=1),
    Case("skat-4", "heavy-hex:torino", (EXACT, ("aer:torino", 200)), seeds=1),
    *LITERAL,
)
"""The quickest first."""

FULL = (
    Case("skat-4", "all:17", (EXACT,)),
    Case("skat-4", "star:17", (EXACT,)),
    Case("skat-4", "heavy-hex:torino", (EXACT, ("aer:torino", 200))),
    Case("skat-9", "all", (EXACT,)),
    *LITERAL[:2],
    Case("skat-4", "heavy-hex:torino", (EXACT, NOISY), "literal"),
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
    suite: Annotated[str, typer.Option(help=f"Which suite: {', '.join(SUITES)}.")] = "quick",
    seed: Seed = 0,
    report: Annotated[str, typer.Option("--report", help="Where the report goes.")] = "report.html",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Compile, verify, run, score and record a suite of programs, literally and at their best.

    Example: `stichwerk bench --suite quick`
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
                compilations.append(compile_order(session, *checked, each, say))
                for backend, shots in case.runs:
                    jobs.append(run_compiled(session, compilations[-1], backend, shots))
                    say(_told(jobs[-1]))
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
    print_result(result, print_bench, as_json=as_json)


def _peak_memory_gib() -> float:
    """Return the most memory that this process or one of its children has held."""
    kibibytes = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return kibibytes / (1 << 20)


def _told(job: Job) -> str:
    """Return a run's result in one line, for those who watch."""
    chosen, score = job.compiled.chosen, scores_of(job)["raw"]
    suffix = from_zero_suffix(from_zero=chosen.from_zero)
    summary = f"{job.program} on {job.target}: {chosen.two_qubit_gates} two-qubit gates{suffix}"
    fidelity = f"{job.backend}: Hellinger fidelity {score.hellinger_fidelity:.3f}"
    return f"{summary}, {chosen.verified}; {fidelity}; {observable_words(score.observables)}"


def print_bench(result: BenchResult) -> None:
    """Print the best seed of every pipeline, and the runs."""
    best: dict[tuple[str, str, str, str], CandidateResult] = {}
    for compilation in result.compilations:
        for candidate in compilation.candidates:
            key = (compilation.program, compilation.target, candidate.synthesis, candidate.pipeline)
            if candidate.verified not in ("refuted", "failed"):
                best[key] = min(
                    best.get(key, candidate), candidate, key=lambda c: c.two_qubit_gates or 0
                )
    print_rows(
        "The best seed of every pipeline (* = the one that ran)",
        [
            (*key[:3], key[3] + " *" * row.chosen, row,
             *(count_text(count, from_zero=row.from_zero)
               for count in (row.two_qubit_gates, row.two_qubit_depth, row.depth)),
             row.duration_ns and row.duration_ns / 1000)
            for key, row in best.items()
        ],
        "program=0", "target=1", "operators=2", "pipeline=3", "4.seed", "2q gates=5", "2q depth=6",
        "depth=7", "4.qubits", "duration us=8", "4.expected_fidelity", "4.verified",
        "seconds=4.lower_seconds",
    )  # fmt: skip
    print_rows(
        "Runs (post = post-selected on legal outcomes)",
        [(job, job.scores and observable_words(job.scores.observables)) for job in result.jobs],
        "0.program", "0.target", "0.backend", "0.shots", "Hellinger=0.scores.hellinger_fidelity",
        "normalized=0.scores.normalized_fidelity",
        "post Hellinger=0.scores.post_selected.hellinger_fidelity",
        "post normalized=0.scores.post_selected.normalized_fidelity", "TVD=0.scores.tvd",
        "legal=0.scores.legal_fraction", "observables=1", "seconds=0.run_seconds",
    )  # fmt: skip
    print(
        f"{result.seconds:.0f} s on {result.processes} processes, at most "
        f"{result.peak_memory_gib:.1f} GiB in one; records in "
        f"{result.database}; pictures in {Path(result.report).resolve()}"
    )
