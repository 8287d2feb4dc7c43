"""A comparison of gate counts as tables, and as GitHub's Markdown."""

import re

from compiler.words.held_inputs import FROM_ZERO, count_text
from service.cli.output.printing import print_rows, print_table
from service.results.gates import GateEntry, GatesResult

COLUMNS = (
    "change", "program", "encoding", "target", "method", "2q gates", "2q depth", "depth", "gates",
    "proof", "why",
)  # fmt: skip
FIGURES = ("two_qubit_gates", "two_qubit_depth", "depth", "gates", "verified")
SPECIAL = re.compile(r"[^\w \-.,;:=→–]|_")
MAX_ROWS = 500
"""GitHub takes a summary of 1 MiB."""


def print_check(result: GatesResult) -> None:
    """Print what has changed, and how many entries have not."""
    rows = [_cells(entry) for entry in result.changed]
    if rows:
        print_table(f"Gate counts against {result.baseline}", COLUMNS, rows)
    print_rows(
        "What a Grover iterate adds, in two-qubit gates and in programs",
        result.iterates,
        "amplified program=program", "target", "it adds=adds", "encoding", "the program's=own",
        "programs",
    )  # fmt: skip
    if result.versions:
        print(f"other versions than the baseline's, which may be why: {result.versions_text}")
    print(f"{result.headline}; {result.seconds:.1f} s")


def check_markdown(result: GatesResult, held: str, update: str, *, outdated: bool) -> str:
    """Return a heading, what has changed, and what to do about it.

    Args:
        result: of the comparison.
        held: name of the baseline's file.
        update: command that writes the baseline.
        outdated: whether the baseline should be written although the check passed.
    """
    failing = dict.fromkeys(str(entry.change) for entry in result.changed if entry.change.fails)
    parts = [
        f"### Gate counts: {', '.join(failing) or 'no worse'}",
        f"{result.headline}, against {_code(result.baseline)}.",
    ]
    if result.changed:
        parts.append(_table(result.changed[:MAX_ROWS]))
    if (left := len(result.changed) - MAX_ROWS) > 0:
        parts.append(f"{left} more are left out.")
    if result.versions:
        versions = escaped(result.versions_text)
        parts.append(f"Other versions than the baseline's, which may be why: {versions}.")
    if not result.passed:
        parts.append(f"If this is meant, run {_code(update)}, commit {_code(held)}, say why.")
    elif outdated:
        parts.append(f"Run {_code(update)} and commit {_code(held)}, to hold what was won.")
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Return a text that Markdown and HTML take for nothing but text, in one line.

    Character references are never markup, not even in a table's cells.
    """
    return SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(text.split()))


def _code(text: str) -> str:
    # Not backticks: inside them references would be shown as they are.
    return f"<code>{escaped(text)}</code>"


def _table(entries: list[GateEntry]) -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS)]
    for entry in entries:
        change, program, encoding, target, method, *rest = _cells(entry)
        named = (_code(cell) for cell in (program, encoding, target, method))
        shown = f"**{change}**" if entry.change.fails else change
        lines.append((shown, *named, *map(escaped, rest)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(entry: GateEntry) -> tuple[str, ...]:
    gates, *figures = (_figure(entry, name) for name in FIGURES)
    return (
        entry.change, entry.program, entry.encoding, entry.target,
        ", ".join((entry.method, *entry.options)),
        count_text(gates, from_zero=entry.holds == FROM_ZERO), *figures, "; ".join(entry.reasons),
    )  # fmt: skip


def _figure(entry: GateEntry, name: str) -> str:
    """Return `old → new`, or the one there is."""
    texts = [
        "–" if counts.failed and name != "verified" else str(getattr(counts, name))
        for counts in (entry.before, entry.after)
        if counts is not None
    ]
    return " → ".join(dict.fromkeys(texts))
