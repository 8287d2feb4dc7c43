"""Rules of a nonlocal game, and the largest win rates that players without entanglement reach."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import floor, inf, lcm
from typing import Any

import numpy as np
from attrs import frozen
from scipy.sparse import csr_array

from compiler.errors import GameTooLargeError

Numbers = tuple[int, ...]
"""A question, or an answer, of each player."""

MAX_SECONDS = 60.0
"""Time limit of a program; the bound proven by then holds, but may not be reached."""
SOLVER = 1e-6
"""Default tolerance of HiGHS: its dual bound may be lower by it."""
MAX_CELLS = 100_000
"""Questions times answers of a no-signalling distribution."""


@frozen
class ClassicalBound:
    """A certificate of the largest win rate of players who share no entanglement.

    Args:
        reached: the win rate of `answers`.
        proven: an upper bound of every classical strategy; shared randomness does not help.
        answers: answers of each player to each question.
    """

    reached: Fraction
    proven: Fraction
    answers: tuple[Numbers, ...]


@frozen
class Rules:
    """The referee's part of a game.

    Args:
        questions: number of questions of each player.
        answers: number of answers of each player.
        distribution: the probability of each question to all players.
        wins: the winning answers to each of these questions.
    """

    questions: Numbers
    answers: Numbers
    distribution: Mapping[Numbers, Fraction]
    wins: Mapping[Numbers, frozenset[Numbers]]

    def win_rate(self, answers: tuple[Numbers, ...]) -> Fraction:
        """Return the win rate of fixed answers, by player and question."""
        return sum(
            (
                probability
                for question, probability in self.distribution.items()
                if tuple(of[q] for of, q in zip(answers, question, strict=True))
                in self.wins[question]
            ),
            Fraction(0),
        )

    @cached_property
    def classical(self) -> ClassicalBound:
        """The classical value, by an integer program of HiGHS.

        x_{k,q,a} = 1 if player k answers q with a; z = 1 for a question and its winning answers if
        all players give them. A win rate is a multiple of 1/D, D the least common denominator of
        the probabilities, so that the solver's dual bound is rounded down to such a multiple.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        columns: dict[tuple[int, int, int], int] = {}
        for player, (questions, answers) in enumerate(
            zip(self.questions, self.answers, strict=True)
        ):
            for question, answer in product(range(questions), range(answers)):
                columns[player, question, answer] = len(columns)
        wins = [(q, a) for q in self.distribution for a in sorted(self.wins[q])]
        rows: defaultdict[tuple[object, ...], dict[int, float]] = defaultdict(dict)
        for (player, number, _), column in columns.items():
            rows["answers once", player, number][column] = 1.0
        for column, (numbers, winning) in enumerate(wins, len(columns)):
            for player, (q, a) in enumerate(zip(numbers, winning, strict=True)):
                row = rows[numbers, player, a]
                row[column], row[columns[player, q, a]] = 1.0, -1.0
        low = [1.0 if row[0] == "answers once" else -inf for row in rows]
        high = [float(row[0] == "answers once") for row in rows]
        matrix = _matrix(list(rows.values()), len(columns) + len(wins))
        gain = [0.0] * len(columns) + [float(self.distribution[q]) for q, _ in wins]
        solved = milp(
            [-g for g in gain],
            constraints=LinearConstraint(matrix, low, high),
            integrality=[1] * len(columns) + [0] * len(wins),
            bounds=Bounds(0, 1),
            options={"time_limit": MAX_SECONDS, "mip_rel_gap": 0.0},
        )
        solution = np.zeros(len(gain)) if solved.x is None else solved.x
        chosen = [[0] * questions for questions in self.questions]
        for (player, number, answer), column in columns.items():
            if solution[column] > 0.5:
                chosen[player][number] = answer
        answered = tuple(map(tuple, chosen))
        unit = lcm(*(p.denominator for p in self.distribution.values()))
        dual = 1.0 if solved.mip_dual_bound is None else -solved.mip_dual_bound
        reached = self.win_rate(answered)
        proven = max(reached, Fraction(floor(min(1.0, dual + SOLVER) * unit), unit))
        return ClassicalBound(reached, proven, answered)

    @cached_property
    def no_signalling(self) -> float:
        """The largest win rate of any distribution whose answers reveal no other question.

        A linear program over P(answers | questions): for each player, the marginal of the others
        is the same for every question to that player.

        Raises:
            GameTooLargeError: if the distribution has more than `MAX_CELLS` probabilities, or
                after `MAX_SECONDS`.
        """
        from scipy.optimize import linprog

        shape = (*self.questions, *self.answers)
        if np.prod(shape, dtype=float) > MAX_CELLS:
            raise GameTooLargeError("no-signalling bound: too many questions and answers")
        players, cells = len(self.questions), np.arange(np.prod(shape)).reshape(shape)
        rows: list[dict[Any, float]] = [
            dict.fromkeys(cells[q].flat, 1.0) for q in np.ndindex(self.questions)
        ]
        ends = [1.0] * len(rows)
        for player in range(players):
            marginal = np.moveaxis(cells, (player, players + player), (0, -1))
            for first, second in pairwise(marginal):
                for plus, minus in zip(
                    first.reshape(-1, self.answers[player]),
                    second.reshape(-1, self.answers[player]),
                    strict=True,
                ):
                    rows.append({**dict.fromkeys(plus, 1.0), **dict.fromkeys(minus, -1.0)})
                    ends.append(0.0)
        gain = np.zeros(shape)
        for question, probability in self.distribution.items():
            for answer in self.wins[question]:
                gain[question + answer] = float(probability)
        solved = linprog(
            -gain.ravel(),
            A_eq=_matrix(rows, cells.size),
            b_eq=ends,
            options={"time_limit": MAX_SECONDS},
        )
        if solved.status:
            raise GameTooLargeError(f"no-signalling bound: not computed in {MAX_SECONDS:.0f} s")
        return abs(float(solved.fun))


def _matrix(rows: Sequence[Mapping[Any, float]], columns: int) -> csr_array:
    places = [(row, column) for row, entries in enumerate(rows) for column in entries]
    values = [value for entries in rows for value in entries.values()]
    return csr_array((values, tuple(np.transpose(places))), shape=(len(rows), columns))
