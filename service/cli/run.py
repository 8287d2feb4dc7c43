"""The command `run`."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, TypeVar

import typer
from sqlalchemy.orm import Session

from backends import check_runnable, target_on
from compiler.judge import enumerated
from compiler.measurement import register_order
from compiler.program import ILLEGAL
from compiler.words.plurals import how_many
from games.sources import read_program
from service.cli.compile_options import CompileArguments, MaxCost, Mitigation, compile_options
from service.cli.compiling.recorded import compile_and_verify, run_compiled
from service.cli.compiling.table import circuit_words
from service.cli.devices import Backend, BackendTarget
from service.cli.options import DATABASE, PROCESSES, Database, Details, Json, Processes, Shots, Tag
from service.cli.output import printing
from service.cli.output.plots import output_path, write_output
from service.cli.output.progress import backend_progress
from service.cli.program_argument import Expect, Program, read_source
from service.cli.queue.sending import batch_of, finish_batch
from service.results.jobs import tables
from service.results.jobs.runs import JobResult, RunResult, scores_of
from service.results.model import share
from workers.accounts.budgets import microusd
from workers.compilation.compiling import source_of
from workers.compilation.orders import plan_on
from workers.jobs.request import Submission
from workers.jobs.submission import check_numbers
from workers.jobs.without_queue import check_account
from workers.mitigation.methods import methods_from_text
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Job
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
            f"Hellinger fidelity {share(score.hellinger_fidelity)}"
            if score.normalized_fidelity is None
            else f"fidelity {share(score.normalized_fidelity)} (1 exact, 0 noise)"
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
