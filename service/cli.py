"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

import typer
from sqlalchemy.exc import SQLAlchemyError
from typer.exceptions import TyperException

from compiler.errors import InputError, StichwerkError
from service.output import say
from workers.redaction import redacted

COMMANDS: Mapping[str, str] = {
    "games": "service.games:games_command",
    "targets": "service.lists:targets_command",
    "backends": "service.lists:backends_command",
    "costs": "service.costs:costs_command",
    "compile": "service.compilation:compile_command",
    "run": "service.running:run_command",
    "bench": "service.bench:bench",
    "report": "service.report.command:report_command",
    "peers": "service.peers:peers_command",
    "gates": "service.gates.command:gates_app",
    "scaling": "service.scaling:scaling_command",
    "fidelity": "service.fidelity:fidelity_command",
    "submit": "service.submitting:submit_command",
    "jobs": "service.jobs:jobs_command",
    "job": "service.jobs:job_command",
    "result": "service.jobs:result_command",
    "cancel": "service.job_control:cancel_command",
    "retry": "service.job_control:retry_command",
    "rescore": "service.job_control:rescore_command",
    "up": "service.up:up_command",
    "worker": "service.servers:worker_command",
    "serve": "service.serve:serve_command",
    "token": "service.tokens:token_app",
    "migrate": "service.migrate:migrate_command",
    "status": "service.status:status_command",
    "backup": "service.backup:backup_command",
    "restored": "service.backup:restored_command",
    "providers": "service.providers:providers_command",
}
"""Where each command is: those that compile take seconds to import, the others do not."""


def build_app(names: Iterable[str]) -> typer.Typer:
    """Return the application with these commands only."""
    app = typer.Typer(
        name="stichwerk",
        help="Compile quantum games to real machines, and measure how well the machines play them.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    # With a callback, a single command keeps its name.
    app.callback()(lambda: None)
    for name in names:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_code(given or ["--help"]))


def _code(arguments: list[str]) -> int:
    first = arguments[0]
    try:
        app = build_app([first] if first in COMMANDS else COMMANDS)
        result = app(arguments, prog_name="stichwerk", standalone_mode=False)
    except TyperException as error:
        return _refuse(f"{error.format_message()} See 'stichwerk --help'.", 2)
    except StichwerkError as error:
        return _refuse(str(error), 2 if isinstance(error, InputError) else 1)
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        return _refuse(f"the database failed: {cause}; choose another with --database", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _refuse("interrupted", 130)
    except BrokenPipeError:
        # The reader of a pipe, such as `head`, has left; nothing is wrong with the answer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0


def _refuse(message: str, code: int) -> int:
    say(f"stichwerk: {redacted(' '.join(message.split()))}")
    return code
