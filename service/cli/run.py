"""The commands `run`, for one program, and `bench`, for a suite and its report."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer
from attrs import evolve, frozen
from sqlalchemy.orm import Session

from backends import check_runnable, target_on
from compiler.compilation import Options
from compiler.errors import InputError, meant
from compiler.judge import enumerated
from compiler.lowering.pipeline import SEEDS, passes_from_zero, pipelines
from compiler.measurement import register_order
from compiler.program import ILLEGAL
from compiler.words.held_inputs import count_text
from compiler.words.plurals import how_many
from games.sources import Source, read_program
from service.cli.compile_options import (
    CompileArguments,
    MaxCost,
    Mitigation,
    compile_options,
)
from service.cli.compiling.recorded import compile_and_verify, run_compiled
from service.cli.compiling.table import circuit_words
from service.cli.devices import Backend, BackendTarget
from service.cli.options import (
    DATABASE,
    PROCESSES,
    Database,
    Details,
    Json,
    Processes,
    Seed,
    Shots,
    Tag,
)
from service.cli.output import printing
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import print_result, print_rows, progress, say
from service.cli.output.progress import backend_progress
from service.cli.program_argument import Expect, Program, read_source
from service.cli.queue.sending import batch_of, finish_batch
from service.cli.report import check_report_path, write_report
from service.results.jobs import tables
from service.results.jobs.compilations import CompilationResult
from service.results.jobs.runs import BenchResult, JobResult, RunResult, scores_of
from service.results.jobs.tables import observable_words
from workers.accounts.budgets import microusd
from workers.compilation.compiling import compile_order, source_of
from workers.compilation.orders import CompileOrder, plan_on, plan_order
from workers.jobs.request import Submission
from workers.jobs.submission import check_numbers
from workers.jobs.without_queue import check_account
from workers.mitigation.methods import methods_from_text
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Job, now
from workers.scoring import counts_of
from workers.settings import dollars

MAX_OUTCOMES = 8
K = TypeVar("K")


@compile_options
def run_command(
    *,
    program: Program,
    backend: Backend,
    target: BackendTarget = "",
    shots: Shots = 1000,
    expect: Expect = "",
    arguments: CompileArguments,
    mitigation: Mitigation = "",
    max_cost: MaxCost = "",
    tag: Tag = "",
    output: Annotated[str, typer.Option("--output", "-o")] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Compile a program, run it on a backend, and score its counts.

    Examples:
    - `stichwerk run skat-4 --backend sparse --shots 4096`

    - `stichwerk run skat-4 --backend aer:boston --shots 20 --json`

    - `stichwerk run circuit.qasm --backend aer:boston --expect counts.json`

    - `stichwerk run ansatz.qasm --backend aer:boston --bind theta=0.3 --bind phi=1.2`

    - `stichwerk run skat-4 --backend aer:boston --mitigation twirling,zne`

    Options:
        output: Also write the JSON object to this .json.
    """
    check_numbers(shots, 1, tag or None)
    path = output_path("output", output, (".json",)) if output else None
    limit = dollars(max_cost) if max_cost else None
    source = read_source(program, expect)
    orders = arguments.orders(source, target_on(backend, target))
    plans = [plan_on(backend, order) for order in orders]
    for _, plan in plans:
        check_runnable(backend, plan.program.circuit)
    checked = plans[0]
    check_account(backend)
    methods = methods_from_text(mitigation)
    with Session(open_database(database)) as session:
        together, runs = dict[str, Any](), list[JobResult]()
        submissions = [
            Submission(order, backend, shots, arguments.options.seed, tag=tag or None)
            for order, _ in plans
        ]
        if len(plans) > 1 or methods:
            key, batch = batch_of(submissions, methods)
            with process_pool(processes) as each, backend_progress():
                parent, (job, *others) = finish_batch(session, key, batch, limit, each)
            together = parent.result or {}
            if not methods:
                runs = [JobResult.of_job(of) for of in (job, *others)]
        else:
            compilation = compile_and_verify(session, checked, processes)
            job = run_compiled(
                session, compilation, backend, shots, tag=tag or None,
                max_cost_microusd=None if limit is None else microusd(limit),
            )  # fmt: skip
        result = RunResult.of_job(
            job, mitigation=together.get("mitigated"), runs=runs, win_rate=together.get("win_rate")
        )
    if path:
        write_output("output", path, printing.json_text(result).encode())
    printing.print_result(result, partial(_print, job=job), as_json=as_json, details=details)
    if path:
        printing.say(f"written to {path}")


def run_sentence(result: JobResult) -> str:
    """Return the result of a run, with its circuit, in one sentence."""
    score, observables = result.scores, ""
    if score is None:
        measured = f"no score: {result.unscored}" if result.unscored else "no score"
    else:
        measured = (
            f"Hellinger fidelity {tables.share(score.hellinger_fidelity)}"
            if score.normalized_fidelity is None
            else f"fidelity {tables.share(score.normalized_fidelity)} (1 exact, 0 noise)"
        )
        observables = tables.observable_words(score.observables)
    shots = how_many(result.shots, "shot")
    results = "; ".join(filter(None, (measured, observables, circuit_words(result))))
    return f"{result.program}, {shots} on {result.backend}: {results}."


def _print(result: RunResult, job: Job) -> None:
    print(run_sentence(result))
    printing.print_tables([tables.score_table(scores_of(job))])
    _print_outcomes(job)
    printing.print_rows(
        "Runs", result.runs,
        "job", "program", "values=parameter_values", "shots",
        "fidelity=scores.hellinger_fidelity", "expected fidelity=expected_fidelity",
    )  # fmt: skip
    if result.win_rate:
        printing.print_tables([tables.win_rate_table(result.win_rate)])
    if result.mitigation:
        printing.print_tables([tables.mitigation_table(result.mitigation)])


def _print_outcomes(job: Job) -> None:
    program = read_program(source_of(job.compiled), job.compiled.encoding)
    judge, title = program.judge, "Most frequent outcomes"
    if program.is_circuit:
        title += f" (bit 0 on the right{register_order(program.circuit)})"
    if judge is None:
        bits = program.circuit.num_clbits
        rows = [(format(measured, f"0{bits}b"), n) for measured, n in _top(counts_of(job))]
        printing.print_table(title, ("bits", "shots"), rows)
        return
    exact = enumerated(judge)
    printing.print_table(
        title,
        ("outcome", "shots", "expected"),
        [
            (ILLEGAL, n, None)
            if outcome is None
            else (judge.describe(outcome), n, exact and exact.get(outcome, 0.0) * job.shots)
            for outcome, n in _top(program.outcomes(counts_of(job)))
        ],
    )


def _top(counts: Mapping[K, int]) -> list[tuple[K, int]]:
    return sorted(counts.items(), key=lambda item: -item[1])[:MAX_OUTCOMES]


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
