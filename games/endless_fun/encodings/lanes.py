"""Steps between lanes on qubits: codes are kept track of, so that moving levels is free."""

from collections.abc import Sequence
from functools import lru_cache
from math import pi

import numpy as np
from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Qubit
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import NUMERICAL_ZERO
from games.encoding import Encoding, encoding, measure_registers, with_registers
from games.endless_fun.encodings.fused import Add, Copy, Fused, LaneStep, Start, Turn, fused
from games.endless_fun.game import EndlessRound
from games.endless_fun.operators.cards import QUBIT_GATES, cards_for, cards_from_zero, levels_moved
from games.endless_fun.operators.codes import SAME, Code, code_on, line, moved, words
from games.endless_fun.operators.qutrit import (
    QutritCards,
    QutritCnot,
    QutritStart,
    places,
    target_after,
)
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round

REGISTER = {2: "qubits", 3: "qutrits"}
ILLEGAL = 3


@define(eq=False)
class Lanes:
    """A round on qubits: operators on two qubits a qutrit, or gates on qubits.

    Args:
        round: the steps.

    Attributes:
        circuit: circuit with the measurements; lane i is on bits b·i to b·i + b − 1.
        codes: final codes of the lanes.
    """

    round: Fused
    circuit: QuantumCircuit = field(init=False)
    codes: list[Code] = field(init=False)

    def __attrs_post_init__(self) -> None:
        d, lanes = self.round.dimension, len(self.round.lanes)
        self.circuit = with_registers("round", {REGISTER[d]: (d - 1) * lanes})
        self.codes = [SAME] * lanes
        for step in self.round.steps:
            self._write(step)
        measure_registers(self.circuit)

    def values(self, measured: int) -> tuple[int, ...] | None:
        """Return the value of every qudit, None if a word is illegal."""
        d, bits = self.round.dimension, self.round.dimension - 1
        result = []
        for lane in self.round.lanes:
            word = measured >> bits * lane & (1 << bits) - 1
            if d == 3 and word == ILLEGAL:
                return None
            result.append(words(self.codes[lane], d).index(word))
        return tuple(result)

    def _write(self, step: LaneStep) -> None:
        match step:
            case Start(lane, state):
                self._start(lane, state)
            case Turn(lane, matrix):
                self._turn(lane, matrix)
            case Copy(source, target):
                self.circuit.cx(self._on(source), self._on(target))
                self.codes[target] = self.codes[source]
            case Add(control, target):
                self._add(control, target)

    def _on(self, lane: int) -> Sequence[Qubit]:
        bits = self.round.dimension - 1
        return self.circuit.qubits[bits * lane : bits * (lane + 1)]

    def _start(self, lane: int, state: Matrix) -> None:
        levels = np.flatnonzero(np.abs(state) > NUMERICAL_ZERO)
        if len(levels) == 1:
            # The level is the word 0.
            self.codes[lane] = code_on(1, -int(levels[0]), self.round.dimension)
        elif self.round.dimension == 3:
            self.circuit.append(
                QutritStart(SAME, 0, *places(*cards_from_zero(state))), self._on(lane)
            )
        else:
            turned = np.stack([state, [-state[1].conj(), state[0].conj()]], axis=1)
            self._rotate(lane, turned)

    def _turn(self, lane: int, matrix: Matrix) -> None:
        levels = levels_moved(matrix)
        before, after = self.codes[lane], self.codes[lane]
        if levels is not None:
            after = moved(before, levels)
            self.codes[lane] = after
            phases = matrix[list(levels), range(len(levels))]
            if np.allclose(phases, phases[0]):
                return
        if self.round.dimension == 3:
            cards = places(*cards_for(matrix))
            self.circuit.append(QutritCards(before, after, *cards), self._on(lane))
            return
        on_words = np.zeros_like(matrix)
        on_words[np.ix_(words(after, 2), words(before, 2))] = matrix
        self._rotate(lane, on_words)

    def _rotate(self, lane: int, matrix: Matrix) -> None:
        self.circuit.compose(OneQubitEulerDecomposer("U")(matrix), self._on(lane), inplace=True)

    def _add(self, control: int, target: int) -> None:
        codes, on = self.codes, [*self._on(control), *self._on(target)]
        before = codes[control], codes[target]
        if self.round.dimension == 3:
            codes[target] = target_after(*before)
            self.circuit.append(QutritCnot(*before), on)
            return
        self.circuit.cx(*on)
        # The words are added, and so are their offsets from the levels.
        codes[target] = code_on(1, line(before[0], 2)[1] + line(before[1], 2)[1], 2)


class RoundEncoding(Encoding[EndlessRound]):
    """An encoding of every round."""

    family = EndlessRound
    small = True

    def supports(self, game: EndlessRound) -> bool:
        """Return True."""
        return True


@encoding("cards")
class Cards(RoundEncoding):
    """Register `qutrits`: qubits 2i and 2i+1 are qutrit i, low bit first; `qubits` in 2D: qubit i.

    A card is an operator of its own, or a gate in 2D. A level is the same word all the time, and a
    qutrit is always on its own qubits.
    """

    place = 2

    def program(self, game: EndlessRound) -> QuantumCircuit:
        """Return the cards in their order and measurements of all qudits."""
        played, bits = game.round, game.bits
        circuit = with_registers(game.name, {REGISTER[played.dimension]: bits * played.qudits})
        (quantum,) = circuit.qregs
        for place, value in enumerate(played.start):
            for bit in range(bits):
                if value >> bit & 1:
                    circuit.x(bits * place + bit)
        for step in played.steps():
            on = [quantum[bits * place : bits * (place + 1)] for place in step.qudits]
            if step.gate.swaps:
                circuit.swap(*on)
            elif played.dimension == 2:
                _append_qubit_card(circuit, step.gate, [qubit for (qubit,) in on], played.pauli)
            elif len(on) == 2:
                circuit.append(QutritCnot(SAME, SAME), [*on[0], *on[1]])
            else:
                circuit.append(QutritCards(SAME, SAME, *places(step.gate)), on[0])
        return measure_registers(circuit)

    def outcome(self, game: EndlessRound, measured: int) -> int | None:
        """Return the measured bits, unless a word is illegal."""
        if game.round.dimension == 3 and ILLEGAL in game.values(measured):
            return None
        return measured


def _append_qubit_card(
    circuit: QuantumCircuit, card: Gate, qubits: Sequence[Qubit], pauli: bool
) -> None:
    names = QUBIT_GATES.get(card, ("cx",))
    if card is Gate.Y and pauli:
        names = ("y",)
    elif card is Gate.Y:
        circuit.global_phase += pi / 2
    for name in names:
        getattr(circuit, name)(*qubits)


KEPT = 64
"""Rounds whose circuits are kept, since every measured outcome asks for the last codes."""


@encoding("relabelled")
class Relabelled(RoundEncoding):
    """Register `qutrits`: qubits 2i and 2i+1 are lane i, low bit first; `qubits` in 2D: lane i.

    Swaps and cards that move levels change which lane and which words a qudit has, and take no
    gate. Cards on one qutrit are fused, and the known state of an unentangled qutrit is used. The
    last lanes and words decode the measured bits.
    """

    place = 0

    def program(self, game: EndlessRound) -> QuantumCircuit:
        """Return the round with measurements of all lanes."""
        circuit = _lanes(game.round).circuit.copy()
        circuit.name = game.name
        return circuit

    def outcome(self, game: EndlessRound, measured: int) -> int | None:
        """Return the values of all qudits."""
        values = _lanes(game.round).values(measured)
        return None if values is None else game.outcome_of(values)


@lru_cache(KEPT)
def _lanes(played: Round) -> Lanes:
    return Lanes(fused(played))
