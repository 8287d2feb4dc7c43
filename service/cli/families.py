"""Commands that families of games have of their own, shown like all others."""

import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_type_hints

if TYPE_CHECKING:
    import typer

    from games import commands as games_commands

LISTS = "*/commands.toml"
PICTURES = (".png", ".svg")


class Command(NamedTuple):
    """Where a command is, and what it does in one line, so that a list need not import it.

    Args:
        place: `module:attribute`.
        summary: the first line of its help.
    """

    place: str
    summary: str


def family_commands() -> dict[str, Command]:
    """Return what families list, by the command's name; no game is imported for it."""
    found = find_spec("games")
    folders = [] if found is None else found.submodule_search_locations or []
    return {
        name: Command(**entry)
        for folder in folders
        for path in sorted(Path(folder).glob(LISTS))
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
    }


def family_app(name: str, summary: str, commands: "games_commands.Commands") -> "typer.Typer":
    """Return a family's commands as a group."""
    import typer

    app = typer.Typer(name=name, help=summary, no_args_is_help=True, rich_markup_mode="markdown")
    # With a callback, a single command keeps its name.
    app.callback()(lambda: None)
    for word, command in commands.items():
        app.command(word)(_shown(command))
    return app


def _shown(command: "games_commands.Command") -> Callable[..., None]:
    """Return a command that prints what a family's command answers."""
    import typer

    from service.cli.options import Json
    from service.cli.output.files import output_path

    output = Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE.png|.svg", help="Where the picture is written."
        ),
    ]
    parameters = [
        *_options(command),
        Parameter("output", Parameter.KEYWORD_ONLY, default="", annotation=output),
        Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    ]

    def called(*, output: str, as_json: bool, **given: Any) -> None:
        path = output_path("picture", output, PICTURES) if output else None
        answer = command(**given)
        if path is not None:
            _write_picture(answer, path)
        _print(answer, as_json)

    called.__doc__ = command.__doc__
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _options(command: "games_commands.Command") -> list[Parameter]:
    hints = get_type_hints(command, include_extras=True)
    found = []
    for name, parameter in signature(command).parameters.items():
        kind, asked = get_args(hints[name])
        found.append(parameter.replace(annotation=Annotated[kind, _option(asked)]))
    return found


def _option(asked: "games_commands.Asked") -> Any:
    import typer

    return typer.Option(
        help=asked.help, metavar=asked.metavar or None, min=asked.least, max=asked.most
    )


def _print(answer: "games_commands.Answer", as_json: bool) -> None:
    import sys

    from service.cli.output.printing import print_json, terminal_width
    from service.cli.play.screen import drawn

    if as_json:
        print_json(dict(answer.document))
    else:
        print(drawn(answer.panels, terminal_width(), colour=sys.stdout.isatty()))


def _write_picture(answer: "games_commands.Answer", path: Path) -> None:
    from matplotlib import rc_context

    from compiler.errors import InputError
    from service.cli.output.plots import write_figure

    if answer.picture is None:
        raise InputError(f"picture '{path}': this answer has none; leave it out")
    with rc_context({"svg.hashsalt": "circuit", "svg.fonttype": "path"}):
        write_figure(answer.picture.draw("mpl", initial_state=False), path)
