"""What `stichwerk` alone answers: the things people do most, and where the rest is."""

from textwrap import fill

ABOUT = (
    "stichwerk compiles quantum games to real machines, and measures how well the machines play "
    "them."
)
MOST_DONE = {
    "stichwerk games": "which games there are; with a name or file, one of them",
    "stichwerk advise my-game.toml": "which card to play",
    'stichwerk skat bid --hand "CARDS"': "how far to bid with ten cards of Skat",
    "stichwerk play six-nimmt": "play against bots",
    "stichwerk compile skat-4 -t star": "a circuit for a target, proven right",
    "stichwerk run skat-4 -b aer:torino": "run it, and score what was measured",
}
REST = (
    "stichwerk --help lists all commands, stichwerk COMMAND --help tells one with examples.",
    "Files of your own games: docs/programs.md.",
)
WIDE = 72
"""Characters of a line that has room for commands beside what they do."""
COLUMN = 40


def start(width: int) -> str:
    """Return the page for lines of so many characters; commands are never broken."""
    if width < WIDE:
        done = [f"  {command}\n{_folded(told, width, 4)}" for command, told in MOST_DONE.items()]
    else:
        done = [
            f"  {command}".ljust(COLUMN) + _folded(told, width, COLUMN).lstrip()
            for command, told in MOST_DONE.items()
        ]
    return "\n".join([_folded(ABOUT, width), "", *done, "", *(_folded(one, width) for one in REST)])


def _folded(text: str, width: int, indent: int = 0) -> str:
    margin = " " * indent
    return fill(text, width, initial_indent=margin, subsequent_indent=margin,
                break_on_hyphens=False)  # fmt: skip
