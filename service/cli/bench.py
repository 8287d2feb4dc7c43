"""The command `bench`: compile, verify, run and score a suite, then write the report."""

from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.near_misses import meant
from compiler.words.held_inputs import count_text, from_zero_suffix
from compiler.words.plurals import how_many
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes, Seed
from service.cli.output.printing import print_json, print_table, say
from service.cli.queue.tables import observable_words
from service.cli.report import check_report_path, write_report
from service.results.jobs.compilations import CandidateResult, CompilationResult
from service.results.jobs.runs import BenchResult, JobResult
from service.results.jobs.scores import scores_of
from workers.compilation.compiling import compile_program, verify_compilation
from workers.compilation.orders import plan
from workers.jobs.bench_suites import SUITES
from workers.jobs.without_queue import run_job
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Compilation, Job, now


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
    if suite not in SUITES:
        raise InputError(f"unknown suite '{suite}'; {meant(suite, SUITES)}")
    path = check_report_path(report)
    started = perf_counter()
    cases = SUITES[suite]
    batch = f"{suite} {now().isoformat(timespec='seconds')}"
    plans = [plan(case.order(seed, batch)) for case in cases]
    with Session(open_database(database)) as session:
        compilations, jobs = [], []
        with process_pool(processes) as pool:
            for case, checked in zip(cases, plans, strict=True):
                compilation = compile_program(session, checked, pool, say)
                compilations.append(verify_compilation(session, compilation, pool, say))
                for backend, shots in case.runs:
                    jobs.append(_run(session, compilations[-1], backend, shots, seed))
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
    if as_json:
        print_json(result)
    else:
        _print(result)


def _peak_memory_gib() -> float:
    """Return the most memory that this process or one of its children has held."""
    kibibytes = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return kibibytes / (1 << 20)


def _run(session: Session, compilation: Compilation, backend: str, shots: int, seed: int) -> Job:
    say(f"{compilation.program} on {compilation.target}: {how_many(shots, 'shot')} on {backend}")
    return run_job(session, compilation, backend, shots, seed)


def _told(job: Job) -> str:
    """Return a run's result in one line, for those who watch."""
    chosen, score = job.compiled.chosen, scores_of(job)["raw"]
    suffix = from_zero_suffix(from_zero=chosen.from_zero)
    made = f"{job.program} on {job.target}: {chosen.two_qubit_gates} two-qubit gates{suffix}"
    fidelity = f"{job.backend}: Hellinger fidelity {score.hellinger_fidelity:.3f}"
    return f"{made}, {chosen.verified}; {fidelity}; {observable_words(score.observables)}"


def _print(result: BenchResult) -> None:
    candidates = [(c, one) for c in result.compilations for one in c.candidates]
    best: dict[tuple[str, str, str, str], CandidateResult] = {}
    for compilation, one in candidates:
        key = (compilation.program, compilation.target, one.synthesis, one.pipeline)
        if one.verified not in ("refuted", "failed"):
            best[key] = min(best.get(key, one), one, key=lambda c: c.two_qubit_gates or 0)
    print_table(
        "The best seed of every pipeline (* = the one that ran)",
        ("program", "target", "operators", "pipeline", "seed", "2q gates", "2q depth", "depth",
         "qubits", "duration us", "expected fidelity", "verified", "seconds"),
        [
            (program, target, synthesis, pipeline + " *" * one.chosen, one.seed,
             *(count_text(count, from_zero=one.from_zero)
               for count in (one.two_qubit_gates, one.two_qubit_depth, one.depth)), one.qubits,
             one.duration_ns and one.duration_ns / 1000, one.expected_fidelity,
             one.verified, one.lower_seconds)
            for (program, target, synthesis, pipeline), one in best.items()
        ],
    )  # fmt: skip
    print_table(
        "Runs (post = post-selected on legal outcomes)",
        ("program", "target", "backend", "shots", "Hellinger", "normalized", "post Hellinger",
         "post normalized", "TVD", "legal", "observables", "seconds"),
        [_run_row(job) for job in result.jobs],
    )  # fmt: skip
    print(
        f"{result.seconds:.0f} s on {result.processes} processes, at most "
        f"{result.peak_memory_gib:.1f} GiB in one; records in "
        f"{result.database}; pictures in {Path(result.report).resolve()}"
    )


def _run_row(job: JobResult) -> tuple[object, ...]:
    raw = job.scores
    assert raw is not None, "programs of a suite have an exact distribution"
    post = raw.post_selected
    return (
        job.program, job.target, job.backend, job.shots,
        raw.hellinger_fidelity, raw.normalized_fidelity,
        post and post.hellinger_fidelity, post and post.normalized_fidelity,
        raw.tvd, raw.legal_fraction, observable_words(raw.observables),
        job.run_seconds,
    )  # fmt: skip
