"""The commands that list what there is."""

from typing import Annotated

import typer

from backends import backends
from compiler.games import games
from compiler.targets import target_families
from service.output import print_json, print_table

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]


def games_command(*, as_json: Json = False) -> None:
    """List the built-in games with their exact answers.

    Example: `stichwerk games --json`
    """
    rows = [
        {
            "game": name,
            "title": game.title,
            "p_win": str(game.p_win()),
            "expected_points": str(game.expected_points()),
            "qubits": ", ".join(f"{e} {game.program(e).num_qubits}" for e in game.encodings),
        }
        for name, game in ((name, build()) for name, build in games.items())
    ]
    if as_json:
        print_json({"games": rows})
        return
    print_table(
        "Games (or give a .toml file of your own)",
        ("game", "what it is", "P(win)", "expected points", "qubits by encoding"),
        [list(row.values()) for row in rows],
    )


def targets_command(*, as_json: Json = False) -> None:
    """List the targets that circuits can be lowered to.

    A target is written family:size, family:device or family:size:gates, with gates one of cx, cz
    and iqm. Without a size, all and star are as large as the program.

    Example: `stichwerk targets`
    """
    rows = [
        {"target": name, "summary": family.summary, "devices": list(family.devices)}
        for name, family in target_families.items()
    ]
    if as_json:
        print_json({"targets": rows})
        return
    print_table(
        "Targets",
        ("family", "how to write it", "devices"),
        [(r["target"], r["summary"], ", ".join(r["devices"])) for r in rows],
    )


def backends_command(*, as_json: Json = False) -> None:
    """List the backends that circuits can run on.

    Example: `stichwerk backends`
    """
    rows = [{"backend": name, "summary": family.summary} for name, family in backends.items()]
    if as_json:
        print_json({"backends": rows})
        return
    print_table("Backends", ("backend", "what it is"), [(r["backend"], r["summary"]) for r in rows])
