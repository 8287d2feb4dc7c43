"""The command `stichwerk`: exit 0 done, 1 the answer is no, 2 bad input with one line why."""

import os
import sys
from collections.abc import Sequence

import typer
from sqlalchemy.exc import SQLAlchemyError
from typer.exceptions import TyperException

from compiler.errors import InputError, StichwerkError
from service.bench import bench
from service.compilation import compile_command, run_command
from service.costs import costs_command
from service.fidelity import fidelity_command
from service.games import games_command
from service.job_control import cancel_command, rescore_command, retry_command
from service.jobs import job_command, jobs_command, result_command
from service.lists import backends_command, targets_command
from service.peers import peers_command
from service.providers import providers_command
from service.report.command import report_command
from service.scaling import scaling_command
from service.serve import serve_command
from service.servers import worker_command
from service.submitting import submit_command
from service.tokens import token_app
from service.up import up_command

app = typer.Typer(
    name="stichwerk",
    help="Compile quantum games to real machines, and measure how well the machines play them.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("games")(games_command)
app.command("targets")(targets_command)
app.command("backends")(backends_command)
app.command("costs")(costs_command)
app.command("peers")(peers_command)
app.command("scaling")(scaling_command)
app.command("compile")(compile_command)
app.command("run")(run_command)
app.command("bench")(bench)
app.command("fidelity")(fidelity_command)
app.command("report")(report_command)
app.command("submit")(submit_command)
app.command("jobs")(jobs_command)
app.command("job")(job_command)
app.command("result")(result_command)
app.command("cancel")(cancel_command)
app.command("retry")(retry_command)
app.command("rescore")(rescore_command)
app.command("worker")(worker_command)
app.command("serve")(serve_command)
app.add_typer(token_app)
app.command("up")(up_command)
app.command("providers")(providers_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_code(given or ["--help"]))


def _code(arguments: list[str]) -> int:
    try:
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
    print(f"stichwerk: {' '.join(message.split())}", file=sys.stderr)
    return code
