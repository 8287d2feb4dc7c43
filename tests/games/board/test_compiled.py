"""Games as circuits: every encoding against the rules, flags of five in a row, lowered and run."""

from itertools import count
from random import Random

import numpy as np
import pytest
from qiskit import ClassicalRegister

from backends import CircuitJob, backend_from_spec
from compiler.compilation import Options as CompileOptions
from compiler.compilation import compile
from compiler.errors import GameError, InputError
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.scores.scoring import score
from compiler.verification.program import outcome_distribution, program_state, verify_program
from games import encoded, encodings, encodings_of, named_game
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import LENGTH, FiveInARow
from games.board.rules.groups import in_a_row, lines_through
from games.board.rules.moves import name_of, read_move
from games.board.rules.position import Options
from games.board.rules.superposition import Stone
from games.toml import game_from_toml
from play.board.bots import random_move
from tests.games.board.boards import RULES

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
    board = encoding.removesuffix("-five")
    for game in map(won_game, count()):
        won = bool(in_a_row(game.position.board, Stone.BLACK).any())
        assert (encoding in encodings_of(game)) == (won and board in encodings_of(game))
        if encoding not in encodings_of(game):
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
        if tried >= 3 and len(chances) > 2:
            break


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


def board_game(rules, size, moves, **options):
    read = tuple(read_move(move, size) for move in moves.split(";"))
    return BoardGame("test", RULES[rules], size, read, Options(**options))


def random_game(seed, rules, moves=5, **options):
    """Return a random game of few games; under `some` stones meet others."""
    random = Random(seed)
    position = RULES[rules].begin(3, Options(**options))
    for _ in range(moves):
        move = random_move(position, random)
        if move is None or position.end is not None:
            break
        try:
            after = position.after(move)
        except GameError:
            continue
        if after.board.games <= 32:
            position = after
    played = tuple(turn.move for turn in position.turns)
    return BoardGame(f"random {seed}", RULES[rules], 3, played, Options(**options))


def measured(game, encoding, method="cheapest"):
    """Return the distribution of boards that a game's circuit gives."""
    gates, qubits = final_measurements(encoded(game, encoding).circuit)
    circuit = lower_operators(gates, method)
    circuit.add_register(ClassicalRegister(len(qubits)))
    circuit.measure(list(qubits.values()), list(qubits))
    found = {}
    for bits, p in outcome_distribution(circuit, program_state(circuit)).items():
        outcome = encodings[encoding].outcome(game, bits)
        found[outcome] = found.get(outcome, 0) + p
    return {outcome: p for outcome, p in found.items() if p > 1e-9}


@pytest.mark.parametrize(
    ("rules", "options", "method"),
    [
        ("five", {}, "cheapest"),
        ("five", {"targets": "some"}, "literal"),
        ("five", {"targets": "some", "counter": "any"}, "cheapest"),
        ("five", {"targets": "some", "counter": "empty"}, "literal"),
        ("weiqi", {"captures": "x", "targets": "some"}, "cheapest"),
    ],
)
def test_circuits_give_the_boards_of_the_rules(rules, options, method):
    split = 0
    for seed in range(4):
        game = random_game(seed, rules, **options)
        exact = {outcome: float(p) for outcome, p in game.exact_distribution().items()}
        assert "points" in encodings_of(game)
        assert measured(game, "points", method) == pytest.approx(exact, abs=1e-9)
        assert ("stones" in encodings_of(game)) == ("parities" in encodings_of(game))
        if "parities" in encodings_of(game):
            split += 1
            assert measured(game, "parities", method) == pytest.approx(exact, abs=1e-9)
            assert measured(game, "stones", method) == pytest.approx(exact, abs=1e-9)
    assert split


@pytest.mark.parametrize("size", [3, 25])
@pytest.mark.parametrize(
    ("moves", "gates"),
    [("A1", 0), ("S+ A1 B1", 1), ("S+ A1 B1;E A1-A2 B1-B2", 3), ("S+ A1 B1;T A1-A2 B1+B2,C2", 5),
     ("S+ A1 B1;F A1-A2,C1 B1+B2,C2", 7)],
)  # fmt: skip
def test_the_cost_of_a_move_does_not_depend_on_the_board(moves, gates, size):
    """P2."""
    game = board_game("five", size, moves)
    lowered = lower_operators(final_measurements(encoded(game, "points").circuit)[0], "cheapest")
    assert lowered.num_nonlocal_gates() == gates


@pytest.mark.parametrize(
    ("game", "encoding", "target", "gates"),
    [
        ("five-in-a-row:appendix-b", "points", "all", 3),
        pytest.param("weiqi:fig10", "stones", "star:17", 7, marks=pytest.mark.full),
    ],
)
def test_the_papers_games_are_compiled(game, encoding, target, gates):
    program = encoded(named_game(game), encoding)
    compiled = compile(program, target, CompileOptions("fast"))
    assert (compiled.verified, compiled.figures.two_qubit_gates) == ("exact", gates)
    counts = backend_from_spec("aer").run(CircuitJob(compiled.circuit, target, 2000, seed=3))
    found, _ = score(program, counts)
    assert found.legal_fraction == 1
    assert found.hellinger_fidelity > 0.98


def test_what_is_no_gate_has_no_circuit():
    game = board_game("weiqi", 9, "S+ A1 E5;B1;J1;A2", captures="all")
    assert encodings_of(game) == ()
    with pytest.raises(InputError, match="captures in superposed games are one with"):
        encoded(game)
    assert encodings_of(board_game("five", 9, "A1;B1")) == ("points",)


@pytest.mark.parametrize("captures", ["all", "x", "game"])
def test_captures_are_gates_while_nothing_is_superposed(captures):
    game = board_game("weiqi", 9, "E5;E6;D6;A9;F6;B8;E7;pass;S+ A1 H1", captures=captures)
    assert [turn.captured for turn in game.position.turns if turn.captured]
    assert "points" in encodings_of(game)
    for encoding in encodings_of(game):
        program = encoded(game, encoding)
        verify_program(program, program_state(program.circuit))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "moves: give a list of 1 to 2000 moves"),
        ('moves = ["Q"]', "move 1: 'Q' is no move"),
        ('moves = ["A1", "A1"]', "move 2: A1 is not empty"),
        ('moves = ["A1"]\nmost_games = 0', "most_games = 0: must be a whole number"),
        ('moves = ["A1"]\ncolour = 1', "colour: unknown key of weiqi"),
        ('moves = ["A1"]\noptions = 1', "options = 1: write a table"),
        ('moves = ["A1"]\n[options]\ntargets = 1', "targets = 1: must be 'every' or 'some'"),
    ],
)
def test_bad_files_get_the_reason(text, why):
    with pytest.raises(GameError, match=rf"g\.toml(, line \d+)?: {why}"):
        game_from_toml(f'game = "weiqi"\n{text}', "g.toml")
