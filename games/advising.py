"""Forms on which a position is described, and advice as pages show it."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from games.panels import Panel

Answers = Mapping[str, tuple[str, ...]]
"""Chosen or entered values by field; a missing or empty field gives no information."""


@frozen
class Face:
    """The face of a card.

    Args:
        name: written name of the card.
        rank: text in the corner.
        suit: `club`, `spade`, `heart` or `diamond`.
        words: spoken name of the card.
    """

    name: str
    rank: str
    suit: str
    words: str


@frozen
class Field:
    """A field of a form.

    Args:
        key: key of the field's value.
        label: label of the field.
        choices: value → text of each choice; empty for a text field.
        faces: cards of which any number can be chosen.
        hint: the format of the value, or when it is required.
        rare: whether most questions leave the field empty.
    """

    key: str
    label: str
    choices: Mapping[str, str] = {}
    faces: Sequence[Face] = ()
    hint: str = ""
    rare: bool = False


@frozen
class Holding:
    """A group of cards: a hand, a trick or a pile.

    Args:
        title: the holder of the cards, or their place.
        faces: known cards.
        hidden: number of unknown cards.
        note: further known facts.
    """

    title: str
    faces: Sequence[Face]
    hidden: int = 0
    note: str = ""


@frozen
class Chance:
    """A probability of a choice.

    Args:
        label: name of the event.
        value: probability of the event.
        text: probability and interval as text.
    """

    label: str
    value: float
    text: str


@frozen
class Choice:
    """A legal card and its probabilities."""

    face: Face
    chances: Sequence[Chance]


@frozen(eq=False)
class Advised:
    """The recommendation for a position.

    Args:
        title: the question.
        supported: whether the samples suffice to recommend the first card.
        said: the recommendation, or the missing evidence, one sentence per item.
        holdings: the known part of the deal.
        choices: legal cards, best first.
        panels: tables, and the method.
        file: the position as a game file.
        command: the command line that answers the same question from that file.
        circuit: builds the circuit that superposes all continuations after the first card.
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
