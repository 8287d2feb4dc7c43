"""The application: with the commands that are asked for, or listing all."""

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

from service.cli.front.commands import COMMANDS, OWN
from service.cli.front.version import say_version

# All else is imported where Ctrl-C is already heard.
if TYPE_CHECKING:
    import typer


def build_app(names: Iterable[str]) -> "typer.Typer":
    """Return the application with these commands only."""
    import typer

    app = _empty_app()
    for name in names:
        module, _, attribute = COMMANDS[name].place.partition(":")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        elif name not in OWN:
            from service.cli.families.shown import add_family

            add_family(app, name, COMMANDS[name].summary, command)
        else:
            app.command(name)(command)
    return app


def build_list(chosen: Iterable[str] = ()) -> "typer.Typer":
    """Return the application whose help lists all commands, of which only those are imported.

    Args:
        chosen: commands that work, and know their options; the others have a line of help.
    """
    app = build_app(chosen)
    for name, command in COMMANDS.items():
        if name not in chosen:
            app.command(name, help=command.summary)(lambda: None)
    return app


def _empty_app() -> "typer.Typer":
    import typer

    app = typer.Typer(
        name="stichwerk",
        help="Compile quantum games to real machines, and measure how well the machines play them.",
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )

    # With a callback, a single command keeps its name.
    @app.callback()
    def options(
        version: Annotated[
            bool,
            typer.Option("--version", is_eager=True, callback=say_version, help="Say which it is."),
        ] = False,
        no_color: Annotated[
            bool, typer.Option("--no-color", help="Colour nothing, as NO_COLOR does.")
        ] = False,
    ) -> None:
        pass

    return app
