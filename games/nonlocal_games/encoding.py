"""Circuits of a nonlocal game: the shared state, then each player's measurement."""

from math import sqrt

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit.library import StatePreparation, UnitaryGate

from games.encoding import Encoding, encoding
from games.nonlocal_games.game import NonlocalGame, packed


@encoding("question")
class OneQuestion(Encoding[NonlocalGame]):
    """One question: register `players` has the qubits of all players, `answers` their answers."""

    family = NonlocalGame
    small = True

    def supports(self, game: NonlocalGame) -> bool:
        """Return whether the question is fixed, and the qubits are free to choose."""
        return game.question is not None and not game.path

    def program(self, game: NonlocalGame) -> QuantumCircuit:
        """Return state, measurements in the players' bases, and answers."""
        circuit = _registers(game)
        circuit.compose(game.strategy.state, inplace=True)
        assert game.question is not None
        for player, question in enumerate(game.question):
            gate = UnitaryGate(game.strategy.bases[player][question].conj().T)
            circuit.append(gate, _qubits(game, circuit, player))
        return _measured(game, circuit)


@encoding("drawn")
class Drawn(Encoding[NonlocalGame]):
    """Questions in a register `questions`, which controls the measurements and is measured too."""

    family = NonlocalGame
    small = True

    def supports(self, game: NonlocalGame) -> bool:
        """Return whether questions are drawn, and are few enough."""
        return game.question is None and game.draws

    def program(self, game: NonlocalGame) -> QuantumCircuit:
        """Return state, questions, controlled measurements, answers and questions."""
        circuit = _registers(game)
        questions = QuantumRegister(sum(game.question_bits), "questions")
        circuit.add_register(questions)
        circuit.compose(game.strategy.state, inplace=True)
        circuit.compose(game.drawing or _drawing(game), questions, inplace=True)
        for player, bases in enumerate(game.strategy.bases):
            below, size = sum(game.question_bits[:player]), game.question_bits[player]
            own = _qubits(game, circuit, player)
            circuit.append(UnitaryGate(bases[0].conj().T), own)
            for question in range(1, len(bases)):
                # After the measurement for question 0, the one for another in its place.
                gate = UnitaryGate(bases[question].conj().T @ bases[0])
                controlled = gate.control(size, ctrl_state=question)
                circuit.append(controlled, [*questions[below : below + size], *own])
        _measured(game, circuit)
        bits = ClassicalRegister(len(questions), "question")
        circuit.add_register(bits)
        # Qiskit refuses to measure an empty register, which a game with one question has.
        for qubit, bit in zip(questions, bits, strict=True):
            circuit.measure(qubit, bit)
        return circuit


@encoding("placed")
class Placed(Encoding[NonlocalGame]):
    """One question to players far apart, written on the qubits of a target.

    The state (|0…0⟩ + |1…1⟩)/√2 grows along a path; qubits between players are returned to |0⟩.
    """

    family = NonlocalGame

    def supports(self, game: NonlocalGame) -> bool:
        """Return whether the question is fixed, and the path is known."""
        return game.question is not None and bool(game.path)

    def program(self, game: NonlocalGame) -> QuantumCircuit:
        """Return the path's gates, measurements and answers."""
        circuit = QuantumCircuit(QuantumRegister(game.width, "target"), name=game.name)
        circuit.h(game.path[0])
        for a, b in zip(game.path, game.path[1:], strict=False):
            circuit.cx(a, b)
        for place in reversed(range(1, len(game.path))):
            if place % game.distance:
                circuit.cx(game.path[place - 1], game.path[place])
        assert game.question is not None
        players = game.path[:: game.distance]
        for player, question in enumerate(game.question):
            gate = UnitaryGate(game.strategy.bases[player][question].conj().T)
            circuit.append(gate, [players[player]])
        answers = ClassicalRegister(len(players), "answers")
        circuit.add_register(answers)
        circuit.measure(players, answers)
        return circuit


def _registers(game: NonlocalGame) -> QuantumCircuit:
    return QuantumCircuit(QuantumRegister(sum(game.strategy.qubits), "players"), name=game.name)


def _qubits(game: NonlocalGame, circuit: QuantumCircuit, player: int) -> list[object]:
    below = sum(game.strategy.qubits[:player])
    return list(circuit.qubits[below : below + game.strategy.qubits[player]])


def _measured(game: NonlocalGame, circuit: QuantumCircuit) -> QuantumCircuit:
    answers = ClassicalRegister(sum(game.bits), "answers")
    circuit.add_register(answers)
    own = [_qubits(game, circuit, player)[:bits] for player, bits in enumerate(game.bits)]
    circuit.measure([qubit for qubits in own for qubit in qubits], answers)
    return circuit


def _drawing(game: NonlocalGame) -> QuantumCircuit:
    """Return a circuit that prepares √P(questions)."""
    bits, chances = game.question_bits, game.rules.distribution
    circuit = QuantumCircuit(sum(bits))
    if len(set(chances.values())) == 1 and len(chances) == 1 << sum(bits):
        for qubit in circuit.qubits:
            circuit.h(qubit)
        return circuit
    amplitudes = [0.0] * (1 << sum(bits))
    for question, chance in chances.items():
        amplitudes[packed(question, bits)] = sqrt(chance)
    circuit.append(StatePreparation(amplitudes), circuit.qubits)
    return circuit
