"""A comparison as GitHub's Markdown."""

import re
from pathlib import Path

from service.cli.gates.answers import COLUMNS, changed_rows, headline, versions_text
from workers.gate_counts.checking import Check
from workers.gate_counts.counts import Change

SPECIAL = re.compile(r"[^\w \-.,;:=→–]|_")
MOST_ROWS = 500
"""GitHub takes a summary of 1 MiB."""


def check_markdown(done: Check, baseline: Path, update: str) -> str:
    """Return a heading, what has changed, and what to do about it: perhaps to call `update`."""
    failing = dict.fromkeys(str(row.change) for row in done.rows if row.change.fails)
    verdict = ", ".join(failing) or "no worse"
    parts = [f"### Gate counts: {verdict}", f"{headline(done)}, against {_code(str(baseline))}."]
    rows = changed_rows(done)
    if rows:
        parts.append(_table(rows[:MOST_ROWS]))
    if len(rows) > MOST_ROWS:
        parts.append(f"{len(rows) - MOST_ROWS} more are left out.")
    if versions := versions_text(done):
        parts.append(f"Other versions than the baseline's, which may be why: {escaped(versions)}.")
    held = _code(baseline.name)
    if not done.passed:
        parts.append(f"If this is meant, run {_code(update)}, commit {held}, say why.")
    elif done.outdated:
        parts.append(f"Run {_code(update)} and commit {held}, to hold what was won.")
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Return a text that Markdown and HTML take for nothing but text, in one line.

    Character references are never markup, not even in a table's cells.
    """
    return SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(text.split()))


def _code(text: str) -> str:
    # Not backticks: inside them references would be shown as they are.
    return f"<code>{escaped(text)}</code>"


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS)]
    for change, program, encoding, target, method, *figures, why in rows:
        named = (_code(cell) for cell in (program, encoding, target, method))
        shown = f"**{change}**" if Change(change).fails else change
        lines.append((shown, *named, *map(escaped, figures), escaped(why)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
