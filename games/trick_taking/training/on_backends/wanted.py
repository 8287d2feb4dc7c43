"""What is to be trained by what is measured."""

from attrs import frozen

from games.trick_taking.training.tree import Floats


@frozen(eq=False)
class Wanted:
    """A training.

    Args:
        objective: one of those of `games.trick_taking.training.result`.
        seat: who learns a best response, or whose weights are shown of an equilibrium.
        steps: how often weights are moved.
        start: the probability of every choice at the beginning; None for equal ones.
        shots: of each circuit; 0 where all probabilities are computed.
    """

    objective: str
    seat: int
    steps: int
    start: Floats | None = None
    shots: int = 0
