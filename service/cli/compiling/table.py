"""What is printed of a compilation."""

from pathlib import Path
from typing import Any

from compiler.lowering.figures import T_FIGURES
from service.cli.output.encodings import print_encodings
from service.cli.output.printing import print_table


def print_compilation(answer: dict[str, Any], path: Path | None) -> None:
    """Print a compilation's figures and passes, and the file it was written to."""
    hidden = T_FIGURES if answer["t_count"] is None else ()
    shown = [
        (key, value)
        for key, value in answer.items()
        if not isinstance(value, dict | list) and key not in hidden
    ]
    print_table("Compiled", ("figure", "value"), [(key, _text(value)) for key, value in shown])
    print_table(
        "Passes (0: what changed here does the same from |0…0⟩ only)",
        ("pass", "two-qubit gates", ""),
        [
            (step["name"], step["two_qubit_gates"], "0" if step["from_zero"] else "")
            for step in answer["steps"]
        ],
    )
    print_encodings(answer["encodings"])
    if path:
        print(f"written to {path}")


def _text(value: object) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
