"""The command line: one group of commands, each of which is imported when it is called."""

import os
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from inspect import signature
from shutil import get_terminal_size
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from service.cli.front.commands import COMMANDS, GROUPS, PANELS, summary
from service.cli.front.parameters import describe_aliases, option_parameters, summary_and_options

SUMMARY = "Compile quantum games and circuits to devices, and measure how well the devices play."
FIRST_STEPS = {
    "stichwerk compile my.qasm -t star": "compile a circuit for a target, and prove it",
    "stichwerk run skat-4 -b aer:boston": "run a game with a device's noise, and score it",
    "stichwerk games": "list the games",
    "stichwerk advise skat-9": "advise which card to play",
    "stichwerk play six-nimmt": "play against bots",
}
FURTHER = (
    "stichwerk --help lists all commands, stichwerk COMMAND --help shows one with examples.",
    "Files of your own games: docs/programs.md.",
)
MIN_WIDTH = 72
"""Characters of a line that has room for commands beside their descriptions."""
DESCRIPTION_COLUMN = 40


class LazyGroup(TyperGroup):
    """Group whose `--help` needs no command; one is imported when it is called or completed."""

    places: Mapping[str, str | Mapping[str, str]]

    def declare(self, panels: Mapping[str, Mapping[str, str]]) -> None:
        """List commands, by the panel of `--help` and their words."""
        places: dict[str, Any] = {}
        for panel, commands in panels.items():
            for full_name, place in commands.items():
                name, _, word = full_name.partition(" ")
                if word:
                    places.setdefault(name, {})[word] = place
                else:
                    places[name] = place
                self.add_command(TyperCommand(name, rich_help_panel=panel or None))
        self.places = places

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, each of which then has its summary."""
        for name, place in self.places.items():
            command = self.commands[name]
            command.help = command.help or (
                summary(place) if isinstance(place, str) else GROUPS[name]
            )
        return super().list_commands(ctx)

    def load(self, name: str) -> None:
        """Import a command; an unknown name is left to the parser."""
        place = self.places.get(name)
        if isinstance(place, str):
            self.add_command(_command(name, place))
        elif place is not None:
            group = LazyGroup(
                name=name, help=GROUPS[name], no_args_is_help=True, rich_markup_mode="markdown"
            )
            group.declare({"": place})
            self.add_command(group)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of a command, the command, and its arguments."""
        self.load(args[0])
        return super().resolve_command(ctx, args)


def _command(name: str, place: str) -> TyperCommand:
    module, _, attribute = f"service.cli.{place}".partition(":")
    function = getattr(import_module(module), attribute)
    describe_aliases()
    text, _ = summary_and_options(function)
    parameters = option_parameters(function).values()
    function.__signature__ = signature(function).replace(parameters=list(parameters))
    app = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )
    app.command(name, help=text)(function)
    command = get_command(app)
    assert isinstance(command, TyperCommand), "an application with one command is this command"
    return command


def command_line() -> LazyGroup:
    """Return the command line; none of its commands is imported."""
    app = typer.Typer(
        cls=LazyGroup,
        help=SUMMARY,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    app.callback()(_options)
    group = get_command(app)
    assert isinstance(group, LazyGroup), "an application with a callback is a group"
    group.declare(PANELS)
    return group


def all_commands() -> dict[str, TyperCommand]:
    """Return all commands by their words, imported, for references and tests."""
    return {name: _command(name.split()[-1], place) for name, place in COMMANDS.items()}


def _show_version(requested: bool) -> None:
    if requested:
        print(f"stichwerk {version('stichwerk')}")
        raise typer.Exit


def _disable_colour(requested: bool) -> None:
    if requested:
        os.environ["NO_COLOR"] = "1"


def _options(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
    no_color: Annotated[
        bool,
        typer.Option(
            "--no-color",
            is_eager=True,
            callback=_disable_colour,
            help="Disable colour (same as NO_COLOR=1).",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(start_page(get_terminal_size((100, 24)).columns))


def start_page(width: int) -> str:
    """Return the output of `stichwerk` alone, in lines of `width`; commands are never broken."""
    if width < MIN_WIDTH:
        steps = [f"  {command}\n{_folded(text, width, 4)}" for command, text in FIRST_STEPS.items()]
    else:
        steps = [
            f"  {command}".ljust(DESCRIPTION_COLUMN)
            + _folded(text, width, DESCRIPTION_COLUMN).lstrip()
            for command, text in FIRST_STEPS.items()
        ]
    about = _folded(f"stichwerk: {SUMMARY}", width)
    return "\n".join([about, "", *steps, "", *(_folded(line, width) for line in FURTHER)])


def _folded(text: str, width: int, indent: int = 0) -> str:
    margin = " " * indent
    return fill(
        text, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
    )
