"""The tables of `docs/openqasm.md`, made from the constructs that the tests hold the reader to.

Run `.venv/bin/python -m tools.openqasm_constructs` after `make .venv/.dev`.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.compiler.formats.openqasm.version_3.constructs import (
    CONDITIONS,
    PROGRAMS,
    REFUSED,
    Condition,
    Construct,
)
from tests.compiler.formats.openqasm.version_3.other_readers import verdicts

PAGE = Path(__file__).parents[1] / "docs" / "openqasm.md"
BEGIN = "## Constructs\n"
"""The tables are the last part of the page."""


def tables() -> str:
    """Return the tables in Markdown, with the verdicts of two other readers."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield (
        "Made by `python -m tools.openqasm_constructs` from the tests: each example has the effect "
        "that the page of the specification defines, worked out by hand. Conditions are asked of "
        "all values of a measured `bit[4] c`. `same`, `other` and `refuses` say what two other "
        "readers make of it, pyqasm and the interpreter of Amazon Braket's local simulator."
    )
    yield ""
    yield "| page of the specification | construct | example | pyqasm | Braket |"
    yield "|---|---|---|---|---|"
    constructs: list[Construct | Condition] = [*PROGRAMS, *CONDITIONS]
    for each in constructs:
        example = each.text if isinstance(each, Condition) else _shortened(each.text)
        pyqasm, braket = verdicts(each)
        yield f"| {each.page} | {each.name} | {_code(example)} | {pyqasm} | {braket} |"
    yield ""
    yield "Refused in one line:"
    yield ""
    yield "| what | valid by the specification | example |"
    yield "|---|---|---|"
    for refusal in REFUSED:
        valid = "yes" if refusal.valid else "no"
        yield f"| {refusal.name} | {valid} | {_code(_shortened(refusal.text))} |"


def _shortened(text: str) -> str:
    """Return a program without the declarations and measurements that most have."""
    for usual in ("qubit[4] q; bit[4] c;", "c = measure q;"):
        text = text.replace(usual, "")
    return " ".join(text.replace("\n", " ⏎ ").split())


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def main() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(f"{text.partition(BEGIN)[0]}{BEGIN}\n{tables()}", encoding="utf-8")


if __name__ == "__main__":
    main()
