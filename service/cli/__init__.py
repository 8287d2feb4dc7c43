"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import gc
import os
import select
import signal
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from service.cli.families.lists import Command, family_commands
from service.cli.front import called, completing
from service.cli.front.start_page import START
from service.cli.front.version import say_version

# All else is imported where Ctrl-C is already heard.
if TYPE_CHECKING:
    import typer


NO_COLOUR_OPTION = "--no-color"

OWN: dict[str, Command] = {
    "games": Command(
        "service.cli.games:games_command",
        "List the built-in games, or show one game and prove its program right.",
    ),
    "new": Command(
        "service.cli.new.command:new_app",
        "Write a file: of a game, by asking what it is.",
    ),
    "targets": Command(
        "service.cli.targets:targets_command",
        "List the targets that circuits can be lowered to, or show a device that a file describes.",
    ),
    "backends": Command(
        "service.cli.backends:backends_command",
        "List the backends that circuits can run on.",
    ),
    "costs": Command(
        "service.cli.costs:costs_command",
        "Compare synthesis methods by operator, short chains by target, and encodings by game.",
    ),
    "compile": Command(
        "service.cli.compile:compile_command",
        "Lower a program to a target's native gates, prove the result right, and record it.",
    ),
    "run": Command(
        "service.cli.run:run_command",
        "Compile a program, run it on a backend, and score what it measured.",
    ),
    "bench": Command(
        "service.cli.bench:bench",
        "Compile, verify, run, score and record a suite of programs, literally and at their best.",
    ),
    "report": Command(
        "service.cli.report:report_command",
        "Write an interactive HTML page of what was recorded: one file, which works offline.",
    ),
    "peers": Command(
        "service.cli.peers.command:peers_command",
        "Compile the same programs with Qiskit, tket, BQSKit and Stichwerk, and prove all results.",
    ),
    "gates": Command(
        "service.cli.gates.command:gates_app",
        "Hold a suite of programs to the gate counts that they once had.",
    ),
    "play": Command(
        "service.cli.play.command:play_command",
        "Play a game against bots in the terminal; without one, a line of input is a move.",
    ),
    "tournament": Command(
        "service.cli.play.tournament:tournament_command",
        "Let bots play against one another, and rate them.",
    ),
    "scaling": Command(
        "service.cli.scaling.command:scaling_command",
        "Count two-qubit gates and seconds from 4 to 32 cards, and from 5 to 30 qubits.",
    ),
    "fidelity": Command(
        "service.cli.fidelity.command:fidelity_command",
        "Compile a game for devices, play it with their noise, and score it raw and mitigated.",
    ),
    "volume": Command(
        "service.cli.volume.command:volume_command",
        "Play games of four to nine cards with the noise of devices: which is the largest it "
        "plays?",
    ),
    "score": Command(
        "service.cli.score.command:score_command",
        "Score a machine from 0, which is noise, to 1: games, an iterate, circuits that branch.",
    ),
    "campaign": Command(
        "service.cli.campaign.command:campaign_command",
        "Hand the run of a campaign that is due to the workers: one job, whose parts are jobs.",
    ),
    "crossover": Command(
        "service.cli.crossover.command:crossover_command",
        "Say when a quantum machine would find P(win) of a game sooner than classical playouts do.",
    ),
    "estimate": Command(
        "service.cli.estimate.command:estimate_command",
        "Estimate the probability of a game's event, or an expected value, by amplitude "
        "estimation.",
    ),
    "submit": Command(
        "service.cli.queue.submit:submit_command",
        "Record a job, or a suite of jobs, for the workers, and return its number at once.",
    ),
    "jobs": Command(
        "service.cli.queue.jobs:jobs_command",
        "List jobs, the newest first.",
    ),
    "job": Command(
        "service.cli.queue.job:job_command",
        "Show where a job is, what it has been through, and how long each stage took.",
    ),
    "result": Command(
        "service.cli.queue.result:result_command",
        "Write a job's counts and scores as JSON, an estimate, or what its provider sent.",
    ),
    "cancel": Command(
        "service.cli.queue.cancel:cancel_command",
        "Cancel jobs, also at their provider: those that are named, or all of a tag or state.",
    ),
    "retry": Command(
        "service.cli.queue.retry:retry_command",
        "Let jobs that have failed or were cancelled go on where they stopped.",
    ),
    "rescore": Command(
        "service.cli.queue.rescore:rescore_command",
        "Compute scores again from the stored raw results, here and now.",
    ),
    "up": Command(
        "service.cli.servers.up:up_command",
        "Start Redis, the HTTP API and the workers on this machine, until Ctrl-C.",
    ),
    "worker": Command(
        "service.cli.servers.worker:worker_command",
        "Start a worker: it takes queued jobs through their stages until it is stopped.",
    ),
    "serve": Command(
        "service.cli.servers.serve:serve_command",
        "Serve the HTTP API, described at /docs, and games, played at /play, until Ctrl-C.",
    ),
    "token": Command(
        "service.cli.administration.token:token_app",
        "Create, list and revoke the tokens that open the HTTP API.",
    ),
    "migrate": Command(
        "service.cli.administration.migrate:migrate_command",
        "Bring the tables of the database up to date, and make them if there are none.",
    ),
    "status": Command(
        "service.cli.queue.status:status_command",
        "Show whether the service can do its work: exit code 0 if it can, else 1.",
    ),
    "backup": Command(
        "service.cli.administration.backup:backup_command",
        "Copy records in SQLite to a file, as they are at one moment, while everything goes on.",
    ),
    "restored": Command(
        "service.cli.administration.restored:restored_command",
        "Say that the records were restored from a backup, before any worker is started.",
    ),
    "records": Command(
        "service.cli.records.command:records_app",
        "Keep the database small, and give what it holds away.",
    ),
    "replay": Command(
        "service.cli.records.replay:replay_command",
        "Check a bundle without a database: its circuits, its counts' scores, perhaps its runs.",
    ),
    "schema": Command(
        "service.cli.front.schema:schema_command",
        "Print the JSON Schema of what a command prints with --json, or list all that are "
        "published.",
    ),
    "providers": Command(
        "service.cli.servers.providers:providers_command",
        "Play IBM and Amazon Braket on this machine until Ctrl-C, with jobs run on Aer.",
    ),
}

COMMANDS: Mapping[str, Command] = OWN | family_commands()
"""All commands: our own, and those of families of games."""


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    called.remember(is_process=arguments is None)
    _open_streams()
    code = _code(given, is_process=arguments is None)
    if arguments is None:
        # What is left is Python's own end, which would answer Ctrl-C with a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def _code(arguments: list[str], is_process: bool) -> int:
    streams = sys.stdout, sys.stderr
    try:
        result = _run(arguments, is_process)
        sys.stdout.flush()
    except SystemExit:
        # So Typer ends, in place of the streams' errors, when nobody reads any more.
        if _reader_has_left(streams):
            return 0
        raise
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - told, never swallowed
        if _reader_has_left(streams):
            return 0
        return _tell(error)
    return result


def _run(arguments: list[str], is_process: bool) -> int:
    from service.cli.failures import INTERRUPTED, check_is_text

    check_is_text(arguments, os.environ)
    completes = completing.is_asked(os.environ)
    if not arguments and not completes:
        print(START)
        return 0
    line = completing.words(os.environ) if completes else arguments
    first = next((word for word in line if not word.startswith("-")), "")
    if NO_COLOUR_OPTION in arguments[: arguments.index(first) if first in arguments else None]:
        os.environ["NO_COLOR"] = "1"
    if is_process:
        gc.disable()
    chosen = [first] if first in COMMANDS else []
    app = build_app(chosen) if chosen and not completes else build_list(chosen)
    if is_process:
        # What has been imported stays: no search for garbage needs to go through it.
        gc.freeze()
        gc.enable()
    result = app(arguments, prog_name="stichwerk", standalone_mode=False)
    if result == INTERRUPTED:
        # Typer has made this of it, without a word.
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _tell(error: BaseException) -> int:
    """Say in one line on stderr why a command has failed, and return its exit code."""
    from service.cli.failures import DEBUG, failure
    from service.cli.output.printing import one_line

    told = failure(error)
    if told.ours and os.environ.get(DEBUG):
        traceback.print_exception(error)
    with suppress(OSError):
        print(f"stichwerk: {one_line(told.message)}", file=sys.stderr, flush=True)
    return told.code


def _open_streams() -> None:
    """Let anything be printed, on terminals that lack characters and where nothing is open."""
    sys.stdout = _writable(sys.stdout)
    sys.stderr = _writable(sys.stderr)


def _writable(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _reader_has_left(streams: Iterable[TextIO]) -> bool:
    """Tell whether the reader of a pipe, such as `head`, has left; nothing is wrong then."""
    left = False
    for stream in streams:
        if _descriptor(stream) is None:
            continue
        try:
            left = left or _is_broken(stream)
            stream.flush()
        except BrokenPipeError:
            left = True
            _give_up(stream)
        except OSError:
            _give_up(stream)
    return left


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        # Nothing of the system's, or closed.
        return None


def _is_broken(stream: TextIO) -> bool:
    # What was written without a buffer is lost already, and the next flush finds nothing wrong.
    asked = select.poll()
    asked.register(stream, 0)
    return any(event & select.POLLERR for _, event in asked.poll(0))


def _give_up(stream: TextIO) -> None:
    # Python writes what is left when it ends, and would tell that it cannot.
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
