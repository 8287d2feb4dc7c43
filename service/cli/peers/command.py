"""The command `peers`: other compilers and this one on the same programs, in one run."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer
from attrs import asdict
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.formats.circuit_files import qasm3_text
from compiler.public_circuits import circuit_from_spec
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, print_table, say
from workers.parallel import process_pool
from workers.provenance import revision, versions
from workers.records.database import open_database

if TYPE_CHECKING:
    from workers.peers.comparison import Result
    from workers.peers.ratios import Ratio

MOST_SEEDS = 1000


def peers_command(
    *,
    suite: Annotated[
        str,
        typer.Option(
            help="Which programs: games, floor, operators, qutrits, boards, circuits, random, "
            "generic, dynamic or all."
        ),
    ] = "all",
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            help="Where to lower to; may be repeated.",
            show_default="star, heavy-hex:torino, heavy-hex:marrakesh",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option("--peer", help="Only this compiler; may be repeated.", show_default="all"),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=MOST_SEEDS, help="Seeds of each seeded compiler.")
    ] = 20,
    plot: Annotated[str, typer.Option(help="Draw the ratios to a .png, .svg or .pdf.")] = "",
    export: Annotated[
        str, typer.Option(help="Write the suite's circuits as OpenQASM 3 to a folder, and stop.")
    ] = "",
    processes: Processes = PROCESSES,
    database: Database = DATABASE,
    as_json: Json = False,
) -> None:
    """Compile the same programs with Qiskit, tket, BQSKit and Stichwerk, and prove all results.

    Everybody gets the same gates: literally as the papers build them, our logical circuit, or a
    public benchmark circuit as it is. The best proven result of every compiler is counted, and
    recorded.

    Examples:
    - `stichwerk peers --suite games --target star --plot peers.png`

    - `stichwerk peers --suite circuits --export circuits`
    """
    from workers.peers import peers
    from workers.peers.comparison import compare, peer_versions
    from workers.peers.recording import record_results
    from workers.peers.suites import TARGETS, cases

    names = [name for name in peers if name in (peer or peers)]
    for name in peer or ():
        _ = peers[name]
    chosen = cases(suite, target or TARGETS)
    path = plot_path(plot)
    if export:
        _export(suite, export, as_json=as_json)
        return
    started = perf_counter()
    results: list[Result] = []
    used, comparison = versions() | peer_versions(names), uuid4().hex
    with Session(open_database(database)) as session, process_pool(processes) as pool:
        for case in chosen:
            found = compare(case, names, seeds, pool, say)
            record_results(session, comparison, found, used)
            results += found
    if path is not None:
        from service.cli.peers.plot import draw_peers

        write_figure(draw_peers(results), path)
    answer = _answer(results) | {
        "suite": suite,
        "seeds": seeds,
        "seconds": perf_counter() - started,
        "versions": used,
        "comparison": comparison,
        "revision": revision(),
    }
    if as_json:
        print_json(answer)
    else:
        _print(answer)


def _export(suite: str, folder: str, *, as_json: bool) -> None:
    from workers.peers.subjects import Kind
    from workers.peers.suites import SUITES

    names = SUITES if suite == "all" else (suite,)
    subjects = [s for name in names for s, _ in SUITES[name] if s.kind is Kind.CIRCUIT]
    if not subjects:
        raise InputError(f"suite '{suite}' has no public circuits; take circuits, random or all")
    written = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for subject in subjects:
            path = Path(folder) / (subject.name.replace(":", "-") + ".qasm")
            path.write_text(qasm3_text(circuit_from_spec(subject.name, subject.seed)))
            written.append(str(path))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    if as_json:
        print_json({"written": written})
    else:
        print("\n".join(written))


def _answer(results: Sequence["Result"]) -> dict[str, Any]:
    from workers.peers.ratios import bars, credits_of, ratios

    found = ratios(results)
    return {
        "results": [_row(result, found) for result in results],
        "credits": [asdict(credit) for credit in credits_of(found)],
        "bars": [asdict(bar) | {"met": bar.met} for bar in bars(found)],
    }


def _row(result: "Result", found: Sequence["Ratio"]) -> dict[str, Any]:
    case = result.case
    ratio = next((r for r in found if (r.case, r.name) == (case, result.peer)), None)
    plain = asdict(result, filter=lambda attribute, _: attribute.name != "case")
    return {
        "suite": case.suite,
        "program": case.subject.name,
        "encoding": case.subject.encoding or None,
        "circuit_seed": case.subject.seed,
        "form": str(case.form),
        "target": case.target,
        **plain,
        "best_peer": ratio and ratio.peer,
        "ratio": ratio and ratio.value,
        "ratio_from_zero_only": ratio and ratio.from_zero,
    }


def _print(answer: dict[str, Any]) -> None:
    print_table(
        "Compilers side by side (ratio: ours / best proven peer; 0: holds from |0…0⟩ only)",
        ("program", "form", "target", "compiler", "2q gates", "median", "2q depth", "calls",
         "seconds", "verified", "holds", "ratio", ""),
        [
            (", ".join(filter(None, (row["program"], row["encoding"]))), row["form"],
             row["target"], row["peer"], row["two_qubit_gates"], row["median"],
             row["two_qubit_depth"], row["calls"], row["seconds"],
             row["verified"] if row["verified"] not in ("failed", "refuted", "skipped")
             else row["detail"] if row["verified"] == "skipped"
             else f"{row['verified']}: {row['detail']}",
             row["holds"], row["ratio"], "0" if row["ratio_from_zero_only"] else "")
            for row in answer["results"]
        ],
    )  # fmt: skip
    if answer["credits"]:
        print_table(
            "Where two-qubit gates are saved",
            ("program", "target", "literal, best peer", "our synthesis, best peer", "all ours",
             "by synthesis", "by lowering", "together"),
            [
                (c["title"], c["target"], c["literal"], c["logical"], c["ours"],
                 c["literal"] and c["logical"] / c["literal"], c["ours"] / c["logical"],
                 c["literal"] and c["ours"] / c["literal"])
                for c in answer["credits"]
            ],
        )  # fmt: skip
    if answer["bars"]:
        print_table(
            "Ratios of two-qubit gates, geometric means",
            ("circuits", "mean ratio", "bar", "worst", "cases", "met"),
            [
                (b["name"], b["figure"], b["most"], b["worst"], b["cases"],
                 "yes" if b["met"] else "no")
                for b in answer["bars"]
            ],
        )  # fmt: skip
    named = ", ".join(f"{name} {found or 'missing'}" for name, found in answer["versions"].items())
    print(f"{answer['seconds']:.0f} s; seeds 0 to {answer['seeds'] - 1}; {named}")
