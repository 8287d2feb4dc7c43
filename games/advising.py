"""Forms on which a position is described, and advice as pages show it."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from games.panels import Panel

Answers = Mapping[str, tuple[str, ...]]
"""What was chosen or written in each field; a field that is missing, or empty, says nothing."""


@frozen
class Face:
    """The face of a card.

    Args:
        name: by which it is written.
        rank: what stands in its corner.
        suit: `club`, `spade`, `heart` or `diamond`.
        words: what it is called.
    """

    name: str
    rank: str
    suit: str
    words: str


@frozen
class Field:
    """What is asked on a form.

    Args:
        key: of its answer.
        label: what it is.
        choices: value → words of what can be chosen; none for a field to write in.
        faces: cards of which any number can be chosen.
        hint: how it is written, or when it is needed.
        rare: whether most questions do without it.
    """

    key: str
    label: str
    choices: Mapping[str, str] = {}
    faces: Sequence[Face] = ()
    hint: str = ""
    rare: bool = False


@frozen
class Holding:
    """Where some cards are.

    Args:
        title: who holds them, or where they lie.
        faces: of those that are known.
        hidden: how many are not.
        note: what else is known of them.
    """

    title: str
    faces: Sequence[Face]
    hidden: int = 0
    note: str = ""


@frozen
class Chance:
    """A probability of a choice.

    Args:
        label: of what.
        value: the probability.
        text: it and its interval, as people read them.
    """

    label: str
    value: float
    text: str


@frozen
class Choice:
    """A card that may be played, and what speaks for it."""

    face: Face
    chances: Sequence[Chance]


@frozen(eq=False)
class Advised:
    """An advice.

    Args:
        title: what was asked.
        supported: whether samples are enough to recommend the first card.
        said: the recommendation, or what is missing for one, sentence by sentence.
        holdings: the deal as far as it is known.
        choices: the best first.
        panels: tables, and how all this was got.
        file: the position as a game's file.
        command: what asks the same on the command line about that file.
        circuit: makes the circuit that plays on from the first card in all ways at once.
    """

    title: str
    supported: bool
    said: Sequence[str]
    holdings: Sequence[Holding]
    choices: Sequence[Choice]
    panels: Sequence[Panel]
    file: str
    command: str
    circuit: Callable[[], QuantumCircuit]
