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
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE.toml")] = "my-game.toml",
    force: bool = False,
) -> None:
    """Write a game's file from your answers to questions.

    An empty line takes the default answer; invalid answers are asked again.

    Examples:
    - `stichwerk new game`

    - `stichwerk new game -o my-hand.toml`

    Options:
        output: File to write.
        force: Overwrite a file.
    """
    path = output_path("game", output, (".toml",))
    if path.exists() and not force:
        raise InputError(f"game '{output}': is there already; --force overwrites it")
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        if is_relevant(question, answers):
            answers[question.key] = _answer(question, answers, path)
    write_output("game", path, game_file(answers).encode())
    say(f"written to {path}; stichwerk games {path} shows it")


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
            game_from_toml(game_file({**answers, question.key: answer}), path.name)
        except InputError as error:
            # There is no such file yet, of which a line could be named.
            message = str(error)
            say(one_line(message.partition(": ")[2] if message.startswith(path.name) else message))
        else:
            return answer
