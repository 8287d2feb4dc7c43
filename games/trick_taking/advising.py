"""What can be asked about a card of Skat on a page."""

from games.advising import Advised, Adviser, Answers, Bounds, adviser
from games.trick_taking.advice.page.fields import EXAMPLES, FIELDS


# The search is compiled by Numba, which no other part of these games needs: imported when asked.
def _position(answers: Answers, bounds: Bounds) -> Advised:
    from games.trick_taking.advice.page.answer import advised
    from games.trick_taking.advice.page.asked import position_of

    return advised(position_of(answers), bounds)


def _example(name: str, bounds: Bounds) -> Advised:
    from games.trick_taking.advice.page.answer import advised
    from games.trick_taking.advice.page.asked import example_of

    return advised(example_of(name), bounds)


adviser("skat")(Adviser("Skat", FIELDS, EXAMPLES, _position, _example))
