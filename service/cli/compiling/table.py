"""Sentence and figures of a compilation."""

from collections.abc import Iterator

from compiler.words import NO_ENCODING
from compiler.words.held_inputs import ANY_INPUT, COUNTS, FROM_ZERO, count_text
from compiler.words.plurals import how_many
from service.cli.output.printing import print_rows, print_table, print_tables
from service.results.jobs.compilations import (
    CircuitFigures,
    CompilationList,
    CompilationResult,
    encodings_table,
)

FIGURES = (*CircuitFigures.model_fields, "t_count", "logical_qubits")


def circuit_words(result: CompilationResult) -> str:
    """Return gates, target and proof, such as `43 two-qubit gates on star:17, proven exact …`."""
    gates = how_many(result.two_qubit_gates or 0, "two-qubit gate")
    t_gates = "" if result.t_count is None else f", {how_many(result.t_count, 'T gate')}"
    inputs = FROM_ZERO.removeprefix("from ") if result.from_zero else ANY_INPUT
    proof = "not proven" if result.verified == "unverified" else f"proven {result.verified}"
    return f"{gates}{t_gates} on {result.target}, {proof} for {inputs}"


def compilation_sentence(result: CompilationResult) -> str:
    """Return the result of a compilation in one sentence."""
    candidates = how_many(len(result.candidates), "candidate")
    seconds = result.compile_seconds
    taken = "" if seconds is None else f" in {seconds:.{int(seconds < 10)}f} s"
    return f"{circuit_words(result)}; best of {candidates}{taken}."


def print_figures(result: CompilationResult) -> None:
    """Print the size of a circuit, and the encodings of a game that were tried."""
    names = [name for name in FIGURES if getattr(result, name) is not None]
    encoding = "" if result.encoding == NO_ENCODING else f" encoding {result.encoding},"
    print_table(
        f"{result.program},{encoding} pipeline {result.pipeline}",
        [name.replace("_", " ").replace("two qubit", "two-qubit") for name in names],
        [list(_cells(result, names))],
    )
    print_tables([encodings_table(result.encodings)])


def print_compilations(result: CompilationList) -> None:
    """Print a row for each program."""
    number, failed = len(result.compilations), len(result.failures)
    print(f"{how_many(number, 'program')} compiled{(failed and f', {failed} not') or ''}.")
    print_rows(
        "Compiled",
        [
            (of, count_text(of.two_qubit_gates, from_zero=of.from_zero))
            for of in result.compilations
        ],
        "0.program", "0.target", "2q gates=1", "2q depth=0.two_qubit_depth", "0.depth",
        "proof=0.verified", "s=0.compile_seconds",
    )  # fmt: skip
    print_rows("Not compiled", result.failures.items(), "program=0", "reason=1")


def _cells(result: CompilationResult, names: list[str]) -> Iterator[str]:
    for name in names:
        yield count_text(getattr(result, name), from_zero=result.from_zero and name in COUNTS)
