"""Game files from answers to questions: a family says what is asked, whoever asks it."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from compiler.registry import Registry

Answers = Mapping[str, str]


@frozen
class Question:
    """What is asked.

    Args:
        key: of its answer.
        text: the question.
        usual: its answer where nothing is said, from the answers before.
    """

    key: str
    text: str
    usual: Callable[[Answers], str]


@frozen
class Draft:
    """How a file of some kind of game is written.

    Args:
        questions: in the order in which they are asked.
        is_asked: whether a question has a meaning after the answers before it.
        drafted: returns the file, with usual answers to what is missing; it raises a GameError
            for an answer that is none to its question.
    """

    questions: Sequence[Question]
    is_asked: Callable[[Question, Answers], bool]
    drafted: Callable[[Answers], str]


drafts: Registry[Draft] = Registry("kind of game to be asked for", "games")
draft = drafts.register
