"""The command `new game`: a game file from a few questions."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from compiler.errors import InputError
from games.toml import game_from_toml
from games.trick_taking.toml.writing import QUESTIONS, Question, game_file, is_relevant
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import one_line, say

LONGEST_ANSWER = 1000


def new_game_command(
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.toml", help="File to write.")
    ] = "my-game.toml",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing; use defaults for missing options.")
    ] = False,
    contract: Annotated[str | None, typer.Option(help="A suit, grand or null.")] = None,
    deck: Annotated[str | None, typer.Option(help="'all', or the names of cards.")] = None,
    players: Annotated[str | None, typer.Option(help="2 or 3.")] = None,
    tricks: Annotated[str | None, typer.Option(help="Number of tricks.")] = None,
    declarer: Annotated[str | None, typer.Option(help="A, B or C.")] = None,
    leader: Annotated[str | None, typer.Option(help="A, B or C.")] = None,
    cards: Annotated[str | None, typer.Option(help="Cards that the leader holds.")] = None,
    threshold: Annotated[str | None, typer.Option(help="Points that win.")] = None,
) -> None:
    """Write a game's file from your answers to questions.

    An empty line takes the default answer; invalid answers are asked again. Options replace their
    questions.

    Examples:
    - `stichwerk new game`

    - `stichwerk new game --defaults --contract Pik --cards "CJ SJ SA S10 SK S9 HA H10 DA D7"`
    """
    path = output_path("game", output, (".toml",))
    if path.exists() and not force:
        raise InputError(f"game '{output}': is there already; --force overwrites it")
    answered = {
        "contract": contract, "deck": deck, "players": players, "tricks": tricks,
        "declarer": declarer, "leader": leader, "cards": cards, "threshold": threshold,
    }  # fmt: skip
    preset = {key: answer for key, answer in answered.items() if answer is not None}
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        if question.key in preset:
            answers[question.key] = preset[question.key]
            _check(answers, path)
        elif is_relevant(question, answers):
            answers[question.key] = (
                question.default(answers) if defaults else _answer(question, answers, path)
            )
    text = _check(answers, path)
    write_output("game", path, text.encode())
    say(f"written to {path}; stichwerk games {path} shows it")


def _check(answers: dict[str, str], path: Path) -> str:
    """Return the file of some answers, and of the defaults of all other questions."""
    text = game_file(answers)
    game_from_toml(text, path.name)
    return text


def _answer(question: Question, answers: dict[str, str], path: Path) -> str:
    default = question.default(answers)
    while True:
        print(f"{question.text} [{default}]: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline(LONGEST_ANSWER)
        if not line:
            print(file=sys.stderr)
            raise InputError(f"the input ends at '{question.key}'; nothing was written")
        answer = line.strip() or default
        try:
            _check({**answers, question.key: answer}, path)
        except InputError as error:
            # There is no such file yet, of which a line could be named.
            message = str(error)
            say(one_line(message.partition(": ")[2] if message.startswith(path.name) else message))
        else:
            return answer
