"""The value of a small two-seat game by linear programming, from the rules alone.

The sequence form of Koller, Megiddo and von Stengel (1994): a seat's plan is the probability with
which it plays each sequence of its own cards, given its hand and what it sees; P(win) is bilinear
in the two plans. It shares nothing with the training but the moves.
"""

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog

from games.trick_taking.play.dealing import Dealing
from games.trick_taking.play.positions import Moves


def value_of(game):
    """Return the P(win) that the party can be sure of, which is all that its opponent leaves."""
    moves, deals = Moves(game), list(Dealing(game).all())
    rows = [{(): 0}, {(): 0}]
    parents = [{}, {}]
    payoff = defaultdict(float)

    def walk(state, seen, last):
        if len(state.table) == 2:
            return walk(moves.take(state), seen, last)
        if not any(state.hands[:2]):
            won = game.is_win(game.outcome(tuple(owner for owner, _ in moves.position(state))))
            payoff[last] += won / len(deals)
            return None
        seat = moves.seat(state)
        sees = (state.hands[seat], seen)
        parents[seat][sees] = last[seat]
        for after in moves.plays(state):
            card = after.table[-1]
            row = rows[seat].setdefault((*sees, card), len(rows[seat]))
            walk(after, (*seen, card), (row, last[1]) if seat == 0 else (last[0], row))
        return None

    for deal in deals:
        walk(moves.start(deal), (), (0, 0))
    matrix = np.zeros((len(rows[0]), len(rows[1])))
    for (mine, theirs), won in payoff.items():
        matrix[mine, theirs] = won
    if game.party == (1,):
        matrix = matrix.T
    ours, others = (0, 1) if game.party == (0,) else (1, 0)
    own, given = plan(rows[ours], parents[ours])
    against, start = plan(rows[others], parents[others])
    # Largest start·v with matrixᵀ x ≥ againstᵀ v for plans x.
    found = linprog(
        np.concatenate((np.zeros(own.shape[1]), -start)),
        A_ub=np.hstack((-matrix.T, against.T)),
        b_ub=np.zeros(against.shape[1]),
        A_eq=np.hstack((own, np.zeros((own.shape[0], start.size)))),
        b_eq=given,
        bounds=[(0, None)] * own.shape[1] + [(None, None)] * start.size,
    )
    assert found.success
    return -found.fun


def plan(rows, parents):
    """Return E and e of the plans E x = e: what follows a sequence adds up to its probability."""
    sets = {sees: number for number, sees in enumerate(parents, start=1)}
    matrix = np.zeros((len(sets) + 1, len(rows)))
    matrix[0, 0] = 1
    for sees, number in sets.items():
        matrix[number, parents[sees]] = -1
    for sequence, row in rows.items():
        if sequence:
            matrix[sets[sequence[:-1]], row] = 1
    return matrix, np.eye(len(sets) + 1)[0]
