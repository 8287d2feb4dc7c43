"""The TOML form of a nonlocal game: a named game, or rules and a strategy of a user's own."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Operator

from compiler.circuits.matrices import Matrix
from compiler.errors import GameError
from compiler.formats.circuit_files import circuit_from_qasm
from games.game import named_game
from games.nonlocal_games.game import NUMBER, NonlocalGame, Strategy, basis_of, pauli_sum
from games.nonlocal_games.rules import Numbers, Rules
from games.options import whole_number
from games.toml import checked_options, game_kind

PLACE = ("path", "width", "distance")
OF_NAMED = ("rules", "question", *PLACE)
OWN = ("question", "answers", "rounds", "qubits", "state", "observables", "circuits", *PLACE)
MAX_DENOMINATOR = 10**6
"""Maximum common denominator of probabilities, so that HiGHS can tell win rates apart."""
MAX_PLAYERS = 8
MAX_QUBITS = 8
MAX_NUMBER = 64
MAX_ROUNDS = 1000
MAX_WINS = 20_000
MAX_WIDTH = 10_000


@game_kind("nonlocal")
def nonlocal_from_toml(name: str, table: Mapping[str, Any]) -> NonlocalGame:
    """Read a nonlocal game.

    Keys: `rules`, the spec of a named game; or `answers` (how many each player has), `rounds`
    (each a table with `question`, `wins` and perhaps `probability`), `qubits` (of each player),
    `state` (OpenQASM of the shared state) and either `observables` or `circuits`, by player and
    question. `question` asks one question only.

    Raises:
        GameError: naming the offending key and value.
    """
    if "rules" in table:
        checked_options(table, OF_NAMED, "a nonlocal game that has a name")
        named = named_game(str(table["rules"]))
        if not isinstance(named, NonlocalGame):
            raise GameError(f"rules = {table['rules']!r}: no nonlocal game; write such as 'chsh'")
        result = evolve(named, name=name)
    else:
        checked_options(table, OWN, "a nonlocal game")
        result = _own(name, table)
    if "question" in table:
        result = result.fixed(_numbers(table["question"], "question", len(result.bits)))
    if not table.keys() & set(PLACE):
        return result
    if result.question is None:
        raise GameError("path: only for a game with a question; give one")
    width, distance = (
        whole_number(key, table.get(key), 0, MAX_WIDTH - 1) for key in ("width", "distance")
    )
    return result.along(_numbers(table.get("path"), "path", None, MAX_WIDTH), width, distance)


def _own(name: str, table: Mapping[str, Any]) -> NonlocalGame:
    missing = [key for key in ("answers", "rounds", "qubits", "state") if key not in table]
    if missing or ("observables" in table) == ("circuits" in table):
        wrong = missing[0] if missing else "observables"
        raise GameError(
            f"{wrong}: missing; give answers, rounds, qubits, state, and either observables or "
            "circuits"
        )
    answers = _numbers(table["answers"], "answers")
    players = len(answers)
    if not 2 <= players <= MAX_PLAYERS or min(answers) < 1:
        raise GameError(f"answers = {answers}: give 2 to {MAX_PLAYERS} players, 1 or more each")
    rules = _rules(table["rounds"], answers)
    qubits = _numbers(table["qubits"], "qubits", players)
    if not 1 <= min(qubits) <= sum(qubits) <= MAX_QUBITS:
        raise GameError(f"qubits = {qubits}: give each player one or more, {MAX_QUBITS} in all")
    for player, (most, size) in enumerate(zip(answers, qubits, strict=True)):
        if (most - 1).bit_length() > size:
            raise GameError(f"qubits: player {player} needs more for {most} answers")
    state = _circuit(table["state"], "state", sum(qubits))
    kind = "observables" if "observables" in table else "circuits"
    bases = _lists(table[kind], kind, [len(qubits)])
    measured = tuple(
        tuple(
            _basis(entry, kind, size, (most - 1).bit_length())
            for entry in _lists(of_player, f"{kind} {player + 1}", [questions])
        )
        for player, (of_player, questions, size, most) in enumerate(
            zip(bases, rules.questions, qubits, answers, strict=True)
        )
    )
    return NonlocalGame(name, name.partition(":")[0], rules, Strategy(qubits, state, measured))


def _rules(rounds: object, answers: Numbers) -> Rules:
    if not isinstance(rounds, list) or not 1 <= len(rounds) <= MAX_ROUNDS:
        raise GameError(f"rounds: give 1 to {MAX_ROUNDS} tables [[rounds]]")
    distribution: dict[Numbers, Fraction] = {}
    wins: dict[Numbers, frozenset[Numbers]] = {}
    for number, entry in enumerate(rounds, 1):
        if not isinstance(entry, Mapping) or not {"question", "wins"} <= entry.keys():
            raise GameError(f"rounds {number}: give question and wins")
        checked_options(entry, ("question", "wins", "probability"), f"rounds {number}")
        question = _numbers(entry["question"], f"rounds {number}", len(answers))
        if question in wins:
            raise GameError(f"rounds {number}: question {list(question)} is there twice; remove it")
        won = _lists(entry["wins"], f"rounds {number}", [])
        winning = [_numbers(each, f"rounds {number}", len(answers)) for each in won]
        if any(a >= most for each in winning for a, most in zip(each, answers, strict=True)):
            raise GameError(f"rounds {number}: wins {won!r}: an answer is too large")
        wins[question] = frozenset(winning)
        text = str(entry.get("probability", f"1/{len(rounds)}"))
        chance = Fraction(text if re.fullmatch(NUMBER, text) else 0)
        distribution[question] = chance.limit_denominator(MAX_DENOMINATOR)
        if not distribution[question]:
            raise GameError(
                f"rounds {number}: probability {text[:40]!r}: write a positive fraction such as "
                "'1/4'"
            )
    if sum(map(len, wins.values())) > MAX_WINS:
        raise GameError(f"rounds: more than {MAX_WINS} winning answers; choose a smaller game")
    if lcm(*(chance.denominator for chance in distribution.values())) > MAX_DENOMINATOR:
        raise GameError(
            f"rounds: common denominator of probabilities is above {MAX_DENOMINATOR:,}; "
            "choose simpler fractions"
        )
    if sum(distribution.values()) != 1:
        raise GameError(f"rounds: probabilities add up to {sum(distribution.values())}, not to 1")
    questions = tuple(max(numbers) + 1 for numbers in zip(*wins, strict=True))
    return Rules(questions, answers, distribution, wins)


def _basis(entry: object, kind: str, qubits: int, bits: int) -> Matrix:
    if kind == "circuits":
        circuit = _circuit(entry, kind, qubits)
        return np.asarray(Operator(circuit).data.conj().T)
    texts = _lists(entry, kind, [bits])
    if not texts:
        return np.eye(1 << qubits, dtype=complex)
    return basis_of([pauli_sum(str(text), qubits) for text in texts])


def _circuit(text: object, key: str, qubits: int) -> QuantumCircuit:
    circuit = circuit_from_qasm(str(text), key)
    if circuit.num_qubits != qubits or circuit.num_clbits or circuit.parameters:
        raise GameError(
            f"{key}: a circuit of {circuit.num_qubits} qubits and {circuit.num_clbits} bits. "
            f"Write one of {qubits} qubits without measurements and parameters"
        )
    try:
        Operator(circuit)
    except QiskitError as error:
        raise GameError(f"{key}: the circuit is not unitary; leave out measurements") from error
    return circuit


def _lists(value: object, key: str, sizes: Sequence[int]) -> list[Any]:
    if not isinstance(value, list) or any(len(value) != size for size in sizes):
        raise GameError(f"{key}: give a list" + "".join(f" of {size} entries" for size in sizes))
    return value


def _numbers(value: object, key: str, size: int | None = None, limit: int = MAX_NUMBER) -> Numbers:
    """Return whole numbers from 0 to below a limit."""
    listed = _lists(value, key, [] if size is None else [size])
    return tuple(whole_number(key, each, 0, limit - 1) for each in listed)
