"""The command `peers`: other compilers and this one on the same programs, in one run."""

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from statistics import geometric_mean
from time import perf_counter
from typing import Annotated
from uuid import uuid4

import typer
from attrs import evolve
from sqlalchemy.orm import Session

from compiler.words.plurals import how_many
from service.cli.devices import targets_named
from service.cli.options import (
    DATABASE,
    MAX_SECONDS,
    PROCESSES,
    Database,
    Details,
    Json,
    Processes,
)
from service.cli.output.plots import Plot, plot_path, write_figure
from service.cli.output.printing import print_result, print_rows, progress, say
from service.cli.output.progress import say_if_first
from service.results.peers import PeersResult
from workers.parallel import process_pool
from workers.peers import peers
from workers.peers.comparison import Result, compare, peer_versions
from workers.peers.own_circuits import MQT_BENCH, mqt_bench_subjects, own_cases, own_subjects
from workers.peers.storage import ResultFile, record_results
from workers.peers.subjects import Subject
from workers.peers.suites import TARGETS, cases
from workers.peers.trials import Case
from workers.provenance import revision, versions
from workers.records.database import open_database

ADVANTAGES = {
    "two_qubit_gates": ("No more two-qubit gates", "gates"),
    "two_qubit_depth": ("No higher two-qubit depth", "depth"),
    "expected_fidelity": ("No lower expected fidelity", "1/fidelity"),
}
"""The comparison by each objective in words, and the figure whose ratios are printed."""

MAX_SEEDS = 1000
LIMIT = 60.0


def peers_command(
    circuits: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CIRCUIT|FOLDER]...",
            help="Your own circuits instead of a suite: .qasm and .qpy files, and folders of them.",
            show_default=False,
        ),
    ] = None,
    *,
    suite: Annotated[
        list[str] | None,
        typer.Option(
            help="Suite of programs: games, floor, operators, qutrits, boards, circuits, random, "
            "generic, dynamic, device, qubikos, limits or all; mqt-bench or mqt-bench:N for the "
            "circuits of that package (pip install mqt.bench) on 10 or N qubits; may be repeated.",
            show_default="all; none if there are circuits",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            help="Target, or the file of a device; may be repeated.",
            callback=targets_named,
            show_default="star, heavy-hex:boston, heavy-hex:marrakesh; for device "
            "and qubikos heavy-hex:boston, for limits heavy-hex:boston and resonator:6",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option("--peer", help="Only this compiler; may be repeated.", show_default="all"),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=MAX_SEEDS, help="Seeds of each seeded compiler.")
    ] = 20,
    limit: Annotated[
        float, typer.Option(min=0, max=MAX_SECONDS, help="CPU seconds of a call; 0 for no limit.")
    ] = LIMIT,
    objective: Annotated[
        str,
        typer.Option(
            help="Figure by which results are compared: two_qubit_gates, two_qubit_depth or "
            "expected_fidelity. Stichwerk optimises it; the others use their defaults."
        ),
    ] = "two_qubit_gates",
    plot: Plot = None,
    seconds_plot: Annotated[
        Path | None,
        typer.Option(
            help="Plot gates against CPU seconds to a .png, .svg or .pdf.", callback=plot_path
        ),
    ] = None,
    state: Annotated[
        str, typer.Option(help="File of results; another call computes only missing ones.")
    ] = "",
    processes: Processes = PROCESSES,
    database: Database = DATABASE,
    details: Details = False,
    as_json: Json = False,
) -> int:
    """Compare Stichwerk with Qiskit, tket, BQSKit and QMAP on the same circuits.

    All compilers get the same gates: the literal circuit of the papers, Stichwerk's logical
    circuit, a public benchmark circuit, or your own. IQM's transpiler is compared on targets with a
    resonator. Circuits that a compiler does not support are listed with the reason. The best proven
    result of every compiler counts, with the CPU seconds of all its calls. Results are recorded
    if they are compared by two-qubit gates. The exit code is 2 if a file cannot be read; all others
    are compared.

    Examples:
    - `stichwerk peers --suite games --target star --plot peers.png`

    - `stichwerk peers my.qasm circuits/ --target my-device.toml --seeds 5`

    - `stichwerk peers --suite device --seeds 5 --state device.jsonl --seconds-plot seconds.png`
    """
    suites, names = suite or ([] if circuits else ["all"]), peer_names(peer)
    left_out = list[str]()

    def leave_out(reason: str) -> None:
        left_out.append(reason)
        say(f"left out: {reason}")

    subjects = own_subjects(circuits, leave_out) if circuits else []
    unreadable = len(left_out)
    cases = [
        evolve(case, objective=objective)
        for case in chosen_cases(subjects, suites, target, leave_out)
    ]
    started = perf_counter()
    results, comparison = compare_all(
        cases, names, seeds, limit=limit, state=state, processes=processes, database=database
    )
    _draw(results, plot, seconds_plot)
    result = PeersResult.of(
        results, objective=objective, suites=suites, seeds=seeds, limit=limit,
        seconds=perf_counter() - started, versions=used_versions(names), comparison=comparison,
        left_out=left_out,
    )  # fmt: skip
    print_result(result, print_peers, as_json=as_json, details=details)
    return 2 if unreadable else 0


def _draw(results: Sequence[Result], plot: Path | None, seconds_plot: Path | None) -> None:
    if plot is None and seconds_plot is None:
        return
    from service.cli.peers.plots import draw_peers, draw_seconds

    for path, draw in ((plot, draw_peers), (seconds_plot, draw_seconds)):
        if path is not None:
            write_figure(draw(results), path)


def peer_names(wanted: Sequence[str] | None) -> list[str]:
    """Return the compilers that are wanted, all of them by default, in the registry's order.

    Raises:
        UnknownNameError: if there is no such compiler.
    """
    for name in wanted or ():
        _ = peers[name]
    return [name for name in peers if name in (wanted or peers)]


def used_versions(names: Sequence[str]) -> dict[str, str | None]:
    """Return the versions that decide the results of compilers."""
    return versions() | peer_versions(names)


def chosen_cases(
    own_circuits: Sequence[Subject],
    suites: Sequence[str],
    targets: Sequence[str] | None,
    left_out: Callable[[str], None],
) -> list[Case]:
    """Return the programs of suites and of files, each for every target.

    Args:
        own_circuits: of the user.
        suites: names, also of sizes of MQT Bench.
        targets: specs; None for those that a suite is meant for.
        left_out: hears of circuits that fit on no target.

    Raises:
        InputError: if a suite or target is invalid.
    """
    optional = [name for name in suites if name.partition(":")[0] == MQT_BENCH]
    own = [name for name in suites if name not in optional]
    chosen = cases(own, targets) if own else []
    subjects = [*own_circuits]
    subjects += [subject for name in optional for subject in mqt_bench_subjects(name, left_out)]
    if own_circuits or optional:
        chosen += own_cases(subjects, targets or TARGETS, left_out)
    return chosen


def compare_all(
    cases: Sequence[Case],
    names: Sequence[str],
    seeds: int,
    *,
    limit: float,
    state: str,
    processes: int,
    database: str,
) -> tuple[list[Result], str]:
    """Return the results of compilers for all cases, and the identifier of the comparison.

    Records have those that are compared by two-qubit gates.

    Args:
        cases: see `chosen_cases`.
        names: of the compilers.
        seeds: of each seeded compiler.
        limit: CPU seconds of a call; 0 for no limit.
        state: file of results so far; empty for none.
        processes: that make calls.
        database: of the records.

    Raises:
        InputError: if the state file is of another comparison.
    """
    used, comparison, cache = used_versions(names), uuid4().hex, None
    if state:
        depends_on = {"peers": names, "seeds": seeds, "limit": limit}
        depends_on |= {"versions": used, "revision": revision()}
        cache = ResultFile(state, depends_on, comparison)
        comparison = cache.comparison
    say_if_first("compiler")
    calls = process_pool(processes, limit or None)
    results: list[Result] = []
    with Session(open_database(database)) as session, calls as each:
        for number, case in enumerate(cases, 1):
            of_case = cache.of(case) if cache else None
            if of_case is None:
                progress(
                    f"{number} of {len(cases)}: {case.subject.title}, {case.form}, {case.target}"
                )
                of_case = compare(case, names, seeds, each, progress)
                if case.objective == "two_qubit_gates":
                    record_results(session, comparison, of_case, used)
                if cache:
                    cache.keep(case, of_case)
            results += of_case
    return results, comparison


def print_peers(result: PeersResult) -> None:
    """Print how ours compares with the best of the others, and all results side by side."""
    ratios: dict[tuple[str, str, str], float] = {}
    for row in result.results:
        if row.ratio is not None:
            key = (row.title, row.form, row.target)
            ratios[key] = min(row.ratio, ratios.get(key, inf))
    programs = how_many(len(ratios), "program")
    no_more = sum(ratio <= 1 for ratio in ratios.values())
    better, figure = ADVANTAGES[result.objective]
    mean = (
        f", {geometric_mean(ratios.values()):.2f} of its {figure} on average"
        if all(ratios.values()) and ratios
        else ""
    )
    print(
        f"{better} than the best other compiler on {no_more} of {programs}{mean}; "
        f"{result.seconds:.0f} s."
    )
    print_rows(
        f"Compilers side by side (ratio of {figure}: ours / best proven peer)",
        result.results,
        "program=title", "form", "target", "compiler=peer", "2q gates=gates_text",
        "2q depth=depth_text", "CPU s=cpu_seconds", "verified=proof", "holds", "ratio=ratio_text",
    )  # fmt: skip
    print_rows("Left out", [(reason,) for reason in result.left_out], "reason=0")
