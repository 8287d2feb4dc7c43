"""Nonlocal games that have a name."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import cos, pi, sin

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Matrix
from compiler.errors import GameError
from games.cost_table import listed
from games.game import game
from games.nonlocal_games.game import NonlocalGame, Strategy, basis_of, pauli_sum
from games.nonlocal_games.rules import Numbers, Rules

MAX_PLAYERS = 8
MAX_CYCLE = 31
G14 = "g14"


def uniform(
    questions: Numbers,
    answers: Numbers,
    rounds: Iterable[Numbers],
    wins: Callable[[Numbers, Numbers], bool],
) -> Rules:
    """Return rules whose questions are equally likely.

    Args:
        questions: number of questions of each player.
        answers: number of answers of each player.
        rounds: the questions that the referee asks.
        wins: whether answers to questions win.
    """
    every, tuples = list(rounds), list(product(*map(range, answers)))
    return Rules(
        questions,
        answers,
        dict.fromkeys(every, Fraction(1, len(every))),
        {question: frozenset(a for a in tuples if wins(question, a)) for question in every},
    )


def ghz_state(players: int) -> QuantumCircuit:
    """Return the circuit of (|0…0⟩ + |1…1⟩)/√2."""
    circuit = QuantumCircuit(players)
    circuit.h(0)
    for player in range(1, players):
        circuit.cx(player - 1, player)
    return circuit


def bell_pairs(pairs: int) -> QuantumCircuit:
    """Return the circuit of pairs (|00⟩ + |11⟩)/√2 of which each player has one qubit."""
    circuit = QuantumCircuit(2 * pairs)
    circuit.h(range(pairs))
    circuit.cx(range(pairs), range(pairs, 2 * pairs))
    return circuit


def turned(angles: Sequence[float]) -> tuple[Matrix, ...]:
    """Return the eigenbases of cos(θ) Z + sin(θ) X."""
    return tuple(
        basis_of([cos(angle) * pauli_sum("Z", 1) + sin(angle) * pauli_sum("X", 1)])
        for angle in angles
    )


def _of(question: str, result: NonlocalGame) -> NonlocalGame:
    if not question:
        return result
    numbers = _numbers(question, f"{result.name}:{question[:40]}: question")
    return result.fixed(tuple(numbers))


def _numbers(text: str, where: str) -> list[int]:
    digits = text.split(",")
    if not all(d.isascii() and d.isdigit() and len(d) < 4 for d in digits):
        raise GameError(f"{where}: write whole numbers with commas between, such as 0,1")
    return list(map(int, digits))


def _size(text: str, name: str, least: int, most: int, *, odd: bool = False) -> int:
    (size,) = _numbers(text, f"{name}:{text[:40]}") if "," not in text else [0]
    if not least <= size <= most or (odd and size % 2 == 0):
        kind = "an odd number" if odd else "a whole number"
        raise GameError(f"{name}:{text[:40]}: size must be {kind} from {least} to {most}")
    return size


@game("chsh")
def chsh(question: str = "") -> NonlocalGame:
    """Return the game of Clauser, Horne, Shimony and Holt.

    Args:
        question: `chsh:0,1` asks player 0 question 0 and player 1 question 1.
    """
    rules = uniform(
        (2, 2), (2, 2), product(range(2), repeat=2), lambda q, a: a[0] ^ a[1] == q[0] & q[1]
    )
    strategy = Strategy((1, 1), ghz_state(2), (turned([0, pi / 2]), turned([pi / 4, -pi / 4])))
    return _of(question, NonlocalGame(
        "chsh", "CHSH", rules, strategy, value="cos²(π/8)", classical=Fraction(3, 4),
        source="Cleve, Høyer, Toner and Watrous, arXiv:quant-ph/0404076, section 3.1",
    ))  # fmt: skip


@game("ghz")
def ghz(players: str = "3", question: str = "") -> NonlocalGame:
    """Return the game of Mermin and of Greenberger, Horne and Zeilinger.

    An even number 2m of players is asked 1; they win if the sum of their answers is m modulo 2.

    Args:
        players: `ghz:4` is the game of four players.
        question: `ghz:3:1,1,0` asks the first two players question 1.
    """
    n = _size(players, "ghz", 3, MAX_PLAYERS)
    even = (q for q in product(range(2), repeat=n) if sum(q) % 2 == 0)
    rules = uniform((2,) * n, (2,) * n, even, lambda q, a: (sum(a) - sum(q) // 2) % 2 == 0)
    bases = tuple(basis_of([pauli_sum(axis, 1)]) for axis in "XY")
    drawing = QuantumCircuit(n)
    drawing.h(range(n - 1))
    drawing.cx(range(n - 1), [n - 1] * (n - 1))
    return _of(question, NonlocalGame(
        f"ghz:{n}", f"Mermin-GHZ of {n} players", rules,
        Strategy((1,) * n, ghz_state(n), (bases,) * n), value="1",
        classical=Fraction(1, 2) + Fraction(1, 1 << (n + 1) // 2), drawing=drawing,
        source="Mermin, Phys. Rev. Lett. 65, 1838 (1990); Brassard, Broadbent and Tapp, "
        "arXiv:quant-ph/0408052",
    ))  # fmt: skip


SQUARE = (("IZ", "ZI", "ZZ"), ("XI", "IX", "XX"), ("-XZ", "-ZX", "YY"))
"""Products of rows are 1, of columns −1."""


@game("magic-square")
def magic_square(question: str = "") -> NonlocalGame:
    """Return the magic square: player 0 fills a row, player 1 a column; the common cell agrees.

    Answers are the bits of the first two cells. The third makes the sum of a row even, and that of
    a column odd.

    Args:
        question: `magic-square:0,2` asks for row 0 and column 2.
    """

    def wins(q: Numbers, a: Numbers) -> bool:
        row, column = ((x & 1, x >> 1, (x ^ x >> 1) & 1) for x in a)
        return row[q[1]] == column[q[0]] ^ (q[0] == 2)

    def bases(lines: Sequence[Sequence[str]]) -> tuple[Matrix, ...]:
        return tuple(basis_of([pauli_sum(cell, 2) for cell in line[:2]]) for line in lines)

    rules = uniform((3, 3), (4, 4), product(range(3), repeat=2), wins)
    columns = list(zip(*SQUARE, strict=True))
    strategy = Strategy((2, 2), bell_pairs(2), (bases(SQUARE), bases(columns)))
    return _of(question, NonlocalGame(
        "magic-square", "magic square", rules, strategy, value="1",
        classical=Fraction(8, 9),
        source="Mermin, Phys. Rev. Lett. 65, 3373 (1990); Aravind, arXiv:quant-ph/0206070",
    ))  # fmt: skip


@game("odd-cycle")
def odd_cycle(size: str = "5", question: str = "") -> NonlocalGame:
    """Return the game in which players pretend to colour an odd cycle with two colours.

    Both get the same vertex and answer alike, or player 1 gets the next one and they differ.

    Args:
        size: `odd-cycle:7` has seven vertices.
        question: `odd-cycle:5:4,0` asks for vertices 4 and 0.
    """
    n = _size(size, "odd-cycle", 3, MAX_CYCLE, odd=True)
    rounds = [(x, (x + step) % n) for x in range(n) for step in (0, 1)]
    rules = uniform((n, n), (2, 2), rounds, lambda q, a: (a[0] == a[1]) == (q[0] == q[1]))
    angles = [vertex * (pi - pi / n) for vertex in range(n)]
    bases = (turned(angles), turned([angle + pi / (2 * n) for angle in angles]))
    return _of(question, NonlocalGame(
        f"odd-cycle:{n}", f"odd cycle of {n}", rules, Strategy((1, 1), ghz_state(2), bases),
        value=f"cos²(π/{4 * n})", classical=1 - Fraction(1, 2 * n),
        source="Cleve, Høyer, Toner and Watrous, arXiv:quant-ph/0404076, section 3.2",
    ))  # fmt: skip


def vectors_of_g14() -> list[Numbers]:
    """Return a vector of R⁴ for each vertex; two vertices are coupled if theirs are orthogonal.

    The first 13 are those of R³ with entries −1, 0 and 1, up to the sign; the last is
    orthogonal to all of them.
    """
    rays = [(0, *v) for v in product((-1, 0, 1), repeat=3) if v > (0, 0, 0)]
    return [*rays, (1, 0, 0, 0)]


def quaternion_basis(vector: Numbers) -> Matrix:
    """Return v, iv, jv and kv for a unit quaternion v, as columns: they are orthogonal.

    Orthogonal u and v have orthogonal qu and qv, so that neighbours never answer alike.
    """
    w, x, y, z = vector
    columns = [(w, x, y, z), (-x, w, -z, y), (-y, z, w, -x), (-z, -y, x, w)]
    return np.array(columns, dtype=complex).T / np.linalg.norm(vector)


@game("colouring")
def colouring(graph: str = G14, question: str = "") -> NonlocalGame:
    """Return the game in which players pretend to colour a graph.

    Asked for the same vertex they answer alike, asked for neighbours they differ. All vertices and
    both directions of all edges are equally likely.

    Args:
        graph: `colouring:g14` has 14 vertices and four colours; `colouring:c5` is the cycle of five
            vertices with two colours, and any other odd cycle.
        question: `colouring:g14:0,13` asks for vertices 0 and 13.
    """
    if graph == G14:
        vectors = vectors_of_g14()
        n, colours = len(vectors), 4
        edges = [(v, w) for v, w in combinations(range(n), 2) if not np.dot(vectors[v], vectors[w])]
        bases = tuple(map(quaternion_basis, vectors))
        strategy = Strategy((2, 2), bell_pairs(2), (bases, bases))
        value, classical = "1", Fraction(43, 44)
        source = (
            "Mančinska and Roberson, arXiv:1801.03542; as it is asked: Than and others, "
            "arXiv:2603.18323; the classical value by integer program and enumeration"
        )
    else:
        if not graph.startswith("c"):
            raise GameError(f"colouring:{graph[:40]}: unknown graph. Use {G14} or such as c5")
        n, colours = _size(graph[1:], "colouring:c", 3, MAX_CYCLE, odd=True), 2
        edges = [(v, (v + 1) % n) for v in range(n)]
        bases = turned([v * (pi - pi / n) for v in range(n)])
        strategy = Strategy((1, 1), ghz_state(2), (bases, bases))
        value, classical = f"(1 + 2cos²(π/{2 * n}))/3", 1 - Fraction(2, 3 * n)
        source = "the odd cycle game with both directions of edges; see odd-cycle"
    rounds = [*((v, v) for v in range(n)), *edges, *((w, v) for v, w in edges)]
    rules = uniform((n, n), (colours,) * 2, rounds, lambda q, a: (a[0] == a[1]) == (q[0] == q[1]))
    return _of(question, NonlocalGame(
        f"colouring:{graph}", f"{colours}-colouring of {graph}", rules, strategy, value=value,
        classical=classical, source=source,
    ))  # fmt: skip


for _spec in ("chsh", "ghz:4", "magic-square:2,2", "colouring:g14:0,13"):
    listed.register(_spec)(())
