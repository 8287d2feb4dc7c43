"""Tables of the pages on constructs of OpenQASM 3, written from the constructs of the tests.

Run `.venv/bin/python -m tools.openqasm_constructs` after `make .venv/.dev`.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.compiler.formats.openqasm.version_3.constructs import (
    CONDITIONS,
    PROGRAMS,
    REFUSED,
    Condition,
    Construct,
)
from tests.compiler.formats.openqasm.version_3.other_readers import verdicts
from tools.tables import table

DOCS = Path(__file__).parents[1] / "docs"
MARK = "<!-- table: tools/openqasm_constructs.py -->\n"
"""Beginning of the table, which is the last part of a page."""
QUANTUM = ("gates", "insts", "delays")
"""Pages of the specification on gates, measurement, reset and timing."""


def tables() -> dict[str, str]:
    """Return the tables in Markdown by the names of their pages."""
    quantum = [each for each in PROGRAMS if each.page in QUANTUM]
    classical = [each for each in PROGRAMS if each.page not in QUANTUM]
    return {
        "openqasm-gates.md": _supported(quantum),
        "openqasm-classical.md": _supported(classical),
        "openqasm-conditions.md": _supported(CONDITIONS),
        "openqasm-refused.md": table(
            ("construct", "valid", "example"),
            ((each.name, "yes" if each.valid else "no", _code(each.text)) for each in REFUSED),
        ),
    }


def _supported(constructs: Sequence[Construct | Condition]) -> str:
    rows = []
    for each in constructs:
        example = each.text if isinstance(each, Condition) else _shortened(each.text)
        rows.append((each.page, each.name, _code(example), *verdicts(each)))
    return table(("page", "construct", "example", "pyqasm", "Braket"), rows)


def _shortened(text: str) -> str:
    """Return a program without the declarations and the last measurement that most have."""
    return re.sub(r"(?<=[;}]) c = measure q;$", "", text.replace("qubit[4] q; bit[4] c;", ""))


def _code(text: str) -> str:
    text = " ".join(text.replace("\n", " ⏎ ").split())
    return f"`{text}`".replace("|", "\\|")


def main() -> None:
    """Write the tables into their pages."""
    for name, text in tables().items():
        page = DOCS / name
        before = page.read_text(encoding="utf-8").partition(MARK)[0]
        page.write_text(f"{before}{MARK}{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
