"""Random rounds for properties."""

from hypothesis import strategies as st

from games.endless_fun.rules.gates import GATES
from games.endless_fun.rules.round import Round


@st.composite
def rounds(draw, most_qudits=4, most_rows=6):
    """Draw a round of either dimension, in which gates on two qudits are as likely as others."""
    dimension = draw(st.sampled_from((2, 3)))
    qudits = draw(st.integers(1, most_qudits))
    start = tuple(draw(st.integers(0, dimension - 1)) for _ in range(qudits))
    rows = [
        [draw(cards(dimension, at, qudits)) for at in range(qudits)]
        for _ in range(draw(st.integers(0, most_rows)))
    ]
    return Round(dimension, start, rows, draw(st.booleans()))


def cards(dimension, at, qudits):
    """Return a strategy for what may lie under a qudit."""
    fitting = [gate for gate in GATES[dimension] if 0 <= at + gate.reach < qudits]
    pairs = [gate for gate in fitting if gate.reach]
    singles = st.sampled_from([gate for gate in fitting if not gate.reach])
    return st.one_of(singles, st.sampled_from(pairs)) if pairs else singles
