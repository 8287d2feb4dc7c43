"""What is printed of a compilation."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.lowering.figures import T_FIGURES
from compiler.words.held_inputs import COUNTS, count_text
from service.cli.output.printing import print_rows, print_table, print_tables
from service.results.jobs.compilations import (
    CompilationList,
    CompilationResult,
    Step,
    encodings_table,
)


def print_compilation(result: CompilationResult, path: Path | None) -> None:
    """Print a compilation's figures and passes, and the file it was written to."""
    hidden = T_FIGURES if result.t_count is None else ()
    shown = [
        (key, value)
        for key, value in result.model_dump(mode="json").items()
        if not isinstance(value, dict | list) and key not in hidden
    ]
    print_table(
        "Compiled",
        ("figure", "value"),
        [
            (key, count_text(value, from_zero=result.from_zero and key in COUNTS))
            for key, value in shown
        ],
    )
    print_table("Passes", ("pass", "two-qubit gates"), list(_passes(result.steps)))
    print_tables([encodings_table(result.encodings)])
    if path:
        print(f"written to {path}")


def print_compilations(result: CompilationList) -> None:
    """Print a row for each program."""
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


def _passes(steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    """Yield each pass, and the gates that it left; what follows a pass from |0…0⟩ holds so, too."""
    from_zero = False
    for step in steps:
        from_zero = from_zero or step.from_zero
        yield step.name, count_text(step.two_qubit_gates, from_zero=from_zero)
