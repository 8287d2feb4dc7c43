"""Five in a row written coherently into flags: right in every game, and nothing else changed."""

from random import Random

import numpy as np
import pytest

from compiler.errors import GameError
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.verification.program import program_state
from games import encoded, encodings_of, named_game
from games.board.encodings.five import independent, price
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import LENGTH, FiveInARow
from games.board.rules.groups import in_a_row, lines_through
from games.board.rules.moves import name_of, read_move
from games.board.rules.options import Options
from games.board.rules.superposition import Stone
from tests.games.board.test_compiled import board_game, measured

FLAGGED = ("stones-five", "points-five", "parities-five")
SIZE = 9


def won_game(seed):
    """Return a game that ends with a stone on which up to three of black's lines meet."""
    random = Random(seed)
    position = FiveInARow().begin(SIZE, Options(scheme="cqc"))
    last = random.randrange(SIZE * SIZE)
    lines = [line for line in lines_through(range(SIZE * SIZE), SIZE, LENGTH) if last in line]
    chosen = random.sample(lines, random.randint(1, 3))
    wanted = sorted({point for line in chosen for point in line} - {last})
    spare = [p for p in range(SIZE * SIZE) if p not in wanted and p != last]
    random.shuffle(wanted)
    random.shuffle(spare)
    while wanted:
        names = [name_of(wanted.pop(), SIZE)]
        kind = random.choice("XSS")
        if kind == "S":
            rest = wanted if wanted and random.random() < 0.4 else spare
            names.append(name_of(rest.pop(), SIZE))
        sign = random.choice("+-") if kind == "S" else ""
        position = position.after(read_move(f"{kind}{sign} {' '.join(names)}", SIZE))
        if position.end is not None or position.board.games > 100:
            break
        free = [name_of(spare.pop(), SIZE) for _ in range(3)]
        moves = [f"X {free[0]}", f"S- {free[0]} {free[1]}"]
        if len(names) == 2:
            moves.append(f"E {names[0]}-{free[0]} {names[1]}-{free[1]}")
            moves.append(f"T {names[0]}-{free[0]} {names[1]}+{free[1]},{free[2]}")
        try:
            position = position.after(read_move(random.choice(moves), SIZE))
        except GameError:
            position = position.after(read_move(moves[0], SIZE))
    if position.end is None:
        position = position.after(read_move(f"X {name_of(last, SIZE)}", SIZE))
    moves = tuple(turn.move for turn in position.turns)
    return BoardGame(f"won {seed}", FiveInARow(), SIZE, moves, Options(scheme="cqc"))


def amplitudes(game, encoding):
    """Return the amplitudes of a program by its board's bits, and the rest of its qubits."""
    gates, _ = final_measurements(encoded(game, encoding).circuit)
    state = program_state(lower_operators(gates, "cheapest"))
    added = [gates.find_bit(q).index for r in gates.qregs if r.name in ("flags", "work") for q in r]
    work = [gates.find_bit(q).index for r in gates.qregs if r.name == "work" for q in r]
    board = [q for q in range(gates.num_qubits) if q not in added]
    assert not state.bits[:, work].any()
    keys = [row.tobytes() for row in state.bits[:, board]]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, state.amplitudes, strict=True))


@pytest.mark.parametrize("encoding", FLAGGED)
def test_flags_are_right_in_every_game_and_nothing_else_is_changed(encoding):
    tried, chances = 0, set()
    for seed in range(40):
        game = won_game(seed)
        won = bool(in_a_row(game.position.board, Stone.BLACK).any())
        board = encoding.removesuffix("-five")
        assert (encoding in encodings_of(game)) == (won and board in encodings_of(game))
        if encoding not in encodings_of(game) or tried == 12:
            continue
        tried += 1
        exact = {outcome: float(p) for outcome, p in game.exact_distribution().items()}
        # A flag that contradicted its board would be no outcome.
        assert measured(game, encoding) == pytest.approx(exact, abs=1e-9)
        before, after = amplitudes(game, board), amplitudes(game, encoding)
        assert before.keys() == after.keys()
        factors = [after[key] / before[key] for key in before]
        assert np.allclose(factors, factors[0])
        chances.add(game.average("black_has_five"))
    assert tried == 12
    assert len(chances) > 3


@pytest.mark.parametrize(
    ("encoding", "gates", "qubits"),
    [("points-five", 23, 27), ("stones-five", 16, 10), ("parities-five", 15, 9)],
)
def test_two_lines_that_cross_cost_fifteen_gates(encoding, gates, qubits):
    """Each asks for two coins of its own: 3, 6 and 6 CX for A + B + AB."""
    game = named_game("five-in-a-row:crossing")
    assert game.average("black_has_five") == 0.4375
    circuit, _ = final_measurements(encoded(game, encoding).circuit)
    lowered = lower_operators(circuit, "cheapest")
    assert (price(lowered), lowered.num_qubits) == (gates, qubits)


def test_games_without_a_line_have_no_flags():
    assert not {*FLAGGED} & {*encodings_of(named_game("five-in-a-row:appendix-b"))}
    assert not {*FLAGGED} & {*encodings_of(named_game("weiqi:fig10"))}
    certain = "A1;A9;B1;B9;C1;C9;D1;S+ D9 E9;E1"
    assert encodings_of(board_game("five", 9, certain)) == (
        "stones", "points", "parities", "stones-five", "points-five", "parities-five",
    )  # fmt: skip
    assert measured(board_game("five", 9, certain), "stones-five") == pytest.approx(
        measured(board_game("five", 9, certain), "stones")
    )


def test_independent_sums_hold_where_the_given_ones_do():
    random = Random(3)
    for _ in range(200):
        value = random.getrandbits(6)
        sums = []
        for _ in range(random.randint(1, 6)):
            qubits = frozenset(q for q in range(6) if random.random() < 0.5)
            # Adding 1 where needed: all of them are 1 for this value.
            sums.append((qubits, sum(value >> q & 1 for q in qubits) % 2 == 0))
        found = independent(sums)
        for bits in range(64):
            assert holds(sums, bits) == holds(found, bits)
        for qubits, _ in found:
            assert any(sum(q in other for other, _ in found) == 1 for q in qubits)


def holds(sums, bits):
    return all((sum(bits >> q & 1 for q in qubits) + one) % 2 for qubits, one in sums)
