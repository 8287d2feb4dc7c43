"""A family's commands as the command line has them: options, JSON, panels and pictures."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer

from games import commands as games_commands
from games.commands import Means
from games.game import Game
from games.sources import Source, read_game
from service.cli.families.means import means
from service.cli.options import Json
from service.cli.output.files import output_path, write_output
from service.cli.output.plots import plot_path
from service.cli.program_argument import read_source

Output = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        "--plot",
        metavar="FILE.png|.svg|.pdf",
        help="Draw the picture to a .png, .svg or .pdf.",
    ),
]

SHORT = {"backend": ("--backend", "-b")}
"""Options that have a short name with every command."""


def shown(command: games_commands.Command) -> Callable[..., int]:
    """Return a command that prints what a family's command answers."""
    hints = get_type_hints(command, include_extras=True)
    sources = [name for name, hint in hints.items() if _kind(hint) is Source]
    games = [name for name, hint in hints.items() if _kind(hint) is Game]
    files = {name: found for name, hint in hints.items() if (found := _suffixes(hint))}
    given_means = [name for name, hint in hints.items() if hint is Means]
    parameters = [
        *_options(command),
        Parameter("output", Parameter.KEYWORD_ONLY, default="", annotation=Output),
        Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    ]

    def called(*, output: str, as_json: bool, **given: Any) -> int:
        path = plot_path(output)
        paths = {
            name: output_path(f"--{name}", given[name], suffixes)
            for name, suffixes in files.items()
            if given[name]
        }
        given |= {name: read_source(given[name]) for name in sources}
        given |= {name: read_game(read_source(given[name])) for name in games}
        answer = command(
            **given, **{name: means(pictured=path is not None) for name in given_means}
        )
        if path is not None:
            _write_picture(answer, path)
        for name, text in answer.written.items():
            write_output(f"--{name}", paths[name], text.encode())
        _print(answer, as_json)
        return 0 if answer.yes else 1

    called.__doc__ = command.__doc__
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _kind(hint: Any) -> Any:
    return next(iter(get_args(hint)), None)


def _suffixes(hint: Any) -> tuple[str, ...]:
    """Return how the name of a file ends that a parameter names; nothing if it names none."""
    _, *asked = get_args(hint) or (None,)
    return asked[0].suffixes if asked and isinstance(asked[0], games_commands.Asked) else ()


def _options(command: games_commands.Command) -> list[Parameter]:
    hints = get_type_hints(command, include_extras=True)
    found = []
    for name, parameter in signature(command).parameters.items():
        if hints[name] is Means:
            continue
        kind, asked = get_args(hints[name])
        if kind in (Game, Source):
            shown = typer.Argument(metavar=asked.metavar or None, help=asked.help)
            found.append(parameter.replace(annotation=Annotated[str, shown]))
        else:
            # A switch has its own name alone, none that turns it off.
            names = (f"--{name.replace('_', '-')}",) if kind is bool else SHORT.get(name, ())
            found.append(parameter.replace(annotation=Annotated[kind, _option(asked, names)]))
    return found


def _option(asked: games_commands.Asked, names: tuple[str, ...]) -> Any:
    return typer.Option(
        *names, help=asked.help, metavar=asked.metavar or None, min=asked.least, max=asked.most
    )


def _print(answer: games_commands.Answer, as_json: bool) -> None:
    from service.cli.output.printing import coloured, print_json, terminal_width
    from service.cli.play.screen import drawn

    if as_json:
        print_json(dict(answer.document))
    else:
        print(drawn(answer.panels, terminal_width(), colour=coloured()))


def _write_picture(answer: games_commands.Answer, path: Path) -> None:
    from compiler.errors import InputError
    from service.cli.output.plots import write_figure

    picture = answer.picture
    if picture is None:
        raise InputError(f"picture '{path}': this answer has none; leave it out")
    if callable(picture):
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        picture(figure)
    else:
        figure = picture.draw("mpl", initial_state=False)
    write_figure(figure, path)
