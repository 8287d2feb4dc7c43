"""Two-qubit gates and compile time against cards, and against the size of a target."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import cast

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.lowering import Setting, pipelines
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import passes_from_zero
from compiler.lowering.portfolio import FAST
from compiler.lowering.resources import resources
from compiler.measurement import final_measurements
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis.method import chosen_method, params_of, predictions
from compiler.targets import target_from_spec
from games import encoded, named_game
from games.trick_taking.cards import POINTS
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators import CardPlay, HandPlay, UniformDeal
from games.trick_taking.rules import PAPER, Rules
from games.trick_taking.synthesis.literal_card_play import LiteralCardPlay


@frozen
class Point:
    """One size.

    Args:
        size: cards, or qubits of the target.
        two_qubit_gates: counted.
        seconds: from operators or gates to the counted circuit.
        predicted: by the formula of the method that was used, where there is one.
        literal: by the formula of the papers' construction, where there is one.
    """

    size: int
    two_qubit_gates: int
    seconds: float
    predicted: int | None = None
    literal: int | None = None


@frozen
class Fit:
    """A power law, figure = factor · size^exponent, by least squares on logarithms.

    Args:
        exponent: the slope.
        factor: the figure at size 1.
        r_squared: share of the logarithms' variance that the law explains.
    """

    exponent: float
    factor: float
    r_squared: float


@frozen
class Curve:
    """A family of programs.

    Args:
        name: of the family.
        axis: what its size is: `cards` or `qubits`.
        sizes: in ascending order.
        point: makes and counts the one of a size.
    """

    name: str
    axis: str
    sizes: Sequence[int]
    point: Callable[[int], Point]


def fit(sizes: Sequence[float], figures: Sequence[float]) -> Fit | None:
    """Fit a power law to positive figures; None for fewer than two sizes, or a figure of 0.

    Args:
        sizes: positive numbers, at least two different ones.
        figures: as many positive numbers.
    """
    if len(sizes) < 2 or min(figures) <= 0:
        return None
    x, y = np.log(sizes), np.log(figures)
    slope, offset = np.polyfit(x, y, 1)
    scatter = float(((y - y.mean()) ** 2).sum())
    missed = float(((y - slope * x - offset) ** 2).sum())
    return Fit(float(slope), float(np.exp(offset)), 1 - missed / scatter if scatter else 1.0)


def _deal(cards: int) -> Point:
    return _operator(cards, UniformDeal((cards - cards // 2, cards // 2), (None,) * cards))


def _play(cards: int, share: int) -> Point:
    hand = max(2, cards // share)
    literal = LiteralCardPlay().two_qubit_gates(*map(int, CardPlay(cards, hand, 0, 2).params))
    return _operator(cards, HandPlay(cards, hand), literal)


def _operator(cards: int, operator: Gate, literal: int | None = None) -> Point:
    prices = predictions(operator)
    circuit = QuantumCircuit(operator.num_qubits)
    started = perf_counter()
    circuit.compose(chosen_method(operator).build(*params_of(operator)), inplace=True)
    counted = resources(circuit).two_qubit_gates
    seconds = perf_counter() - started
    return Point(cards, counted, seconds, min(prices.values()), prices.get("literal", literal))


def _two_players(cards: int) -> Point:
    deck = _whole().deck[:cards]
    game = TrickTakingGame(
        name=f"two players, {cards} cards",
        players=2,
        hand=cards // 2,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=(None,) * cards,
        party=(0,),
        threshold=1,
        rules=PAPER,
    )
    return _game(cards, game)


def _skat(cards: int) -> Point:
    """Three hands in skat rules; what cannot be shared out is the skat, as in the whole game."""
    whole = _whole()
    hand = (cards - 2) // 3 if cards == len(whole.deck) else cards // 3
    deck = whole.deck[:cards]
    game = TrickTakingGame(
        name=f"three players, {cards} cards",
        players=3,
        hand=hand,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=(None,) * cards,
        party=(0,),
        threshold=1,
        rules=Rules("C"),
    )
    return _game(cards, game)


def _whole() -> TrickTakingGame:
    return cast(TrickTakingGame, named_game("skat-32"))


def _game(cards: int, game: TrickTakingGame) -> Point:
    started = perf_counter()
    gates, _ = final_measurements(encoded(game, "lists").circuit)
    counted = resources(lower_operators(gates, "cheapest")).two_qubit_gates
    return Point(cards, counted, perf_counter() - started)


def _routed(qubits: int, family: str, circuit: str) -> Point:
    """Return what one attempt makes of a circuit as wide as the target."""
    program = circuit_from_spec(f"{circuit}:{qubits}", 0)
    target = target_from_spec(f"{family}:{qubits}")
    routed = next(pipelines[name] for name in FAST if pipelines[name].suits(target))
    started = perf_counter()
    lowered = routed.lower(program, Setting(target), passes_from_zero())
    gates = sum(len(item.qubits) == 2 for item in lowered.circuit.data)
    return Point(qubits, gates, perf_counter() - started)


DECKS = (4, 6, 8, 12, 16, 24, 32)
WIDTHS = (5, 8, 12, 18, 24, 30)

CURVES = (
    Curve("deal D(n, n/2)", "cards", DECKS, _deal),
    Curve("hand play, n/2 in hand", "cards", DECKS, partial(_play, share=2)),
    Curve("hand play, n/3 in hand", "cards", DECKS[1:], partial(_play, share=3)),
    Curve("game, 2 players, paper rules", "cards", (4, 6, 8, 12, 16, 20), _two_players),
    Curve("game, 3 players, skat rules", "cards", (9, 12, 18, 24, 32), _skat),
    *(
        Curve(f"{circuit} on {family}", "qubits", WIDTHS, partial(_routed, family=family,
                                                                 circuit=circuit))
        for circuit in ("random-cx", "qft")
        for family in ("all", "star", "heavy-hex")
    ),
)  # fmt: skip


def measured(curves: Sequence[Curve] = CURVES) -> Iterator[tuple[Curve, Point]]:
    """Yield every point of every curve, as it is measured.

    The smallest one is made twice: the first call of a library takes as long as loading it.
    """
    for curve in curves:
        curve.point(curve.sizes[0])
        for size in curve.sizes:
            yield curve, curve.point(size)
