"""The table of Endless Fun in pictures: cards beneath qudits, players, hand, state."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import repeat

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate as DrawnGate

from compiler.words.plurals import how_many
from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.gates import Card, Gate, Hand, gates_of
from games.endless_fun.rules.round import Columns, Laid, Round
from games.endless_fun.rules.state import Values, ket, percent
from games.endless_fun.rules.winning import winner
from games.panels import Cell, Circuit, Grid, Lines, Panel

WIDTH = 100
"""Characters of a line."""


def round_picture(played: Round, names: Sequence[str] = ()) -> QuantumCircuit:
    """Return the picture of a round; its wires are qudits, and ⊕ adds the control to the target.

    The circuit is only for drawing; the encodings build circuits that run.

    Args:
        played: the round.
        names: the player of each qudit; empty for numbers.
    """
    called = names or [f"qudit {place}" for place in range(1, played.qudits + 1)]
    wires = [
        QuantumRegister(1, f"{name} |{value}⟩")
        for name, value in zip(called, played.start, strict=True)
    ]
    circuit = QuantumCircuit(*wires)
    for number, row in enumerate(played.rows):
        if number:
            circuit.barrier()
        for at, gate in enumerate(row):
            if gate.swaps:
                circuit.swap(at, at + gate.reach)
            elif gate.qudits == 2:
                circuit.cx(at, at + gate.reach)
            elif gate is not Gate.I:
                circuit.append(DrawnGate(gate.value, 1, []), [at])
    return circuit


def circuit_panel(played: Round, names: Sequence[str] = ()) -> Circuit:
    """Return the wires of a round, in characters and to be drawn; see `round_picture`."""
    picture = round_picture(played, names)
    drawn = str(picture.draw("text", fold=WIDTH, plot_barriers=True, initial_state=False))
    lines = [line.rstrip() for line in drawn.splitlines()]
    return Circuit("Circuit: ■ controls, and is added to X", lines, picture)


STATE_COLUMNS = ("state", "amplitude", "probability", "wins")
MAX_STATES = 9
"""Shown number of states so far, the most probable winners."""
MAX_SHOWN = 27
"""States of a round that is evaluated, the most probable winners."""


def columns_panel(names: Sequence[str], start: Values, table: Columns) -> Grid:
    """Return the cards beneath their qudits.

    Args:
        names: names of the qudits.
        start: the value of each.
        table: the cards.
    """
    places = [str(place) for place in range(1, len(names) + 1)]
    pawns = [
        Cell(f"{name}: {value}", action=place)
        for name, value, place in zip(names, start, places, strict=True)
    ]
    rows = [[Cell("starts"), *pawns]]
    for row in range(max(map(len, table.columns), default=0)):
        cards = map(_cell, table.columns, places, repeat(row))
        rows.append([Cell(f"row {row + 1}"), *cards])
    return Grid("Cards beneath qudits: a CNOT lies under its control", ("", *places), rows)


def _cell(column: Sequence[Laid], place: str, row: int) -> Cell:
    if row >= len(column):
        return Cell("", action=place)
    card = column[row]
    text, tone = (f"{card.gate}, cancelled", "faint") if card.cancelled else (card.gate, "plain")
    return Cell(text, tone, lean=card.gate.reach, action=f"{place}.{row + 1}")


def hand_panel(hand: Hand, dimension: int, stolen: Card | None) -> Grid:
    """Return a hand, each kind of card with its possible gates.

    Args:
        hand: its cards.
        dimension: levels of a qudit.
        stolen: the card that must be played first; None if there is none.
    """
    rows = []
    if stolen is not None:
        rows.append([Cell("stolen", "fair"), *_card_cells(stolen, dimension)])
    for card, number in Counter(hand).items():
        rows.append([Cell(f"{number} ×"), *_card_cells(card, dimension)])
    return Grid("Your hand: a line a card; l and r point left, right", (), rows)


def _card_cells(card: Card, dimension: int) -> list[Cell]:
    gates = [Cell(gate, move=gate, lean=gate.reach) for gate in gates_of(card, dimension)]
    return gates or [Cell(card, move=card)]


def now_panel(game: EndlessRound) -> Grid:
    """Return the exact state of the cards so far, and the winners if the round ended now."""
    rows, left = state_rows(game, MAX_STATES)
    more = [[Cell(f"and {left} more", "faint")]] if left else []
    return Grid(
        f"If the round ended now; {wins_words(game)}", STATE_COLUMNS, [*rows.values(), *more]
    )


def state_rows(game: EndlessRound, most: int) -> tuple[dict[Values, list[Cell]], int]:
    """Return the known end states, below `STATE_COLUMNS`, and the number of omitted ones.

    Args:
        game: the round.
        most: maximum number of states, the most probable winners first.
    """
    state, winning = game.state(), game.winning()
    order = sorted(winning.weights, key=lambda values: (-winning.weights[values], values))
    rows = {
        values: [
            Cell(ket(values)),
            Cell(str(amplitude := state.amplitude(values))),
            Cell(str(amplitude.weight)),
            Cell(percent(Fraction(winning.weights[values], winning.total))),
        ]
        for values in order[:most]
    }
    return rows, len(order) - len(rows)


def wins_words(game: EndlessRound) -> str:
    """Return the meaning of `wins`."""
    return f"wins: as the winning state of {how_many(game.measurements, 'measurement')}"


def evaluation_panels(
    game: EndlessRound, measured: Mapping[Values, int], seed: int
) -> Sequence[Panel]:
    """Return the tables of a round, with its circuit above them.

    Args:
        game: the round.
        measured: number of measurements by state.
        seed: seed of the measurements.
    """
    nothing = "No card lies, so that it ends as it starts; --gates names the cards."
    won = winner(measured)
    shown, left = state_rows(game, MAX_SHOWN)
    rows = [
        [
            *cells,
            Cell(str(measured.get(values, 0))),
            Cell("winning state" if values == won else "", "good"),
        ]
        for values, cells in shown.items()
    ]
    more = [Lines("Not shown", [f"{left} further states; --json has all"])] if left else []
    points = [
        [Cell(f"qudit {place}"), *map(Cell, (str(start), str(drawn), f"{float(mean):.6f}"))]
        for place, (start, drawn, mean) in enumerate(
            zip(game.round.start, won, game.winning().expected_points(), strict=True), start=1
        )
    ]
    return [
        Lines(
            "Evaluated round",
            [f"{game.title}, from {ket(game.round.start)}", *[nothing] * (not game.round.rows)],
        ),
        *[circuit_panel(game.round)] * bool(game.round.rows),
        Grid(
            f"End state, exact; {wins_words(game)}; seen: in these, seed {seed}",
            (*STATE_COLUMNS, "seen", ""),
            rows,
        ),
        *more,
        Lines(
            f"Winning state: {ket(won)}",
            ["the most frequent of the measured states with the highest value seen"],
        ),
        Grid("Points", ("", "start", "this draw", "on average"), points),
    ]
