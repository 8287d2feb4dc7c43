"""A round with fewer gates: uses known levels, states of single qudits and successive cards.

The remaining steps act between lanes, each of which holds a qudit of its own dimension. Swaps
exchange lanes. Cards on one qudit are multiplied and wait until they are needed. As long as no
step has acted on a lane, the state of its qudit is known, and CNOT is cheaper:

- the control is a level: the target is moved;
- the target is an eigenvector of X: the control gets phases;
- both are known: the two become (M ⊗ 1) Σ|jj⟩/√d, with M a unitary, since single states are
  stabilizer states and d is prime;
- the target is known: the control's level is copied, and turned into Xʲ|t⟩, which are a basis;
- the control is known: the same with X and Z, and with control and target, exchanged.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from attrs import define, frozen

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from games.endless_fun.operators.cards import dense, levels_moved
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round


@frozen(eq=False)
class Start:
    """|0⟩ becomes a state."""

    lane: int
    state: Matrix


@frozen(eq=False)
class Turn:
    """Multiplies the state of a lane by a unitary matrix."""

    lane: int
    matrix: Matrix


@frozen
class Copy:
    """|a, 0⟩ → |a, a⟩."""

    source: int
    target: int


@frozen
class Add:
    """|a, b⟩ → |a, a + b⟩."""

    control: int
    target: int


LaneStep = Start | Turn | Copy | Add


@frozen(eq=False)
class Fused:
    """A round between lanes.

    Args:
        dimension: levels of a lane, d.
        steps: steps in order, from |0…0⟩.
        lanes: final lane of each qudit, from left to right.
    """

    dimension: int
    steps: Sequence[LaneStep]
    lanes: tuple[int, ...]


def fused(played: Round) -> Fused:
    """Return a round with all known states used."""
    return _Fusion(played).done()


@define
class _Qudit:
    """A qudit.

    Args:
        lane: its lane.
        state: its state if no step has acted on its lane; None afterwards.
        waiting: pending gate; `state` includes it already.
    """

    lane: int
    state: Matrix | None
    waiting: Matrix


class _Fusion:
    """Goes through a round, with its qudits from left to right and the steps so far.

    Args:
        played: all of it.
    """

    def __init__(self, played: Round) -> None:
        self.played, self._d = played, played.dimension
        self._identity: Matrix = np.eye(self._d, dtype=np.complex128)
        self._shift: Matrix = np.roll(self._identity, 1, axis=0)
        self._fourier = dense(Gate.H3 if self._d == 3 else Gate.H1, self._d)
        self.steps: list[LaneStep] = []
        self.qudits = [
            _Qudit(lane, self._identity[:, level], self._identity)
            for lane, level in enumerate(played.start)
        ]

    def done(self) -> Fused:
        for step in self.played.steps():
            on = [self.qudits[place] for place in step.qudits]
            if step.gate.swaps:
                first, second = step.qudits
                self.qudits[first], self.qudits[second] = on[1], on[0]
            elif len(on) == 2:
                self._cnot(*on)
            else:
                _act(on[0], dense(step.gate, self._d, self.played.pauli))
        for qudit in self.qudits:
            self._bring(qudit)
        return Fused(self._d, tuple(self.steps), tuple(qudit.lane for qudit in self.qudits))

    def _cnot(self, control: _Qudit, target: _Qudit) -> None:
        level = None if control.state is None else _level(control.state)
        if level is not None:
            _act(target, np.linalg.matrix_power(self._shift, level))
        elif target.state is not None and (value := self._eigenvalue(target.state)) is not None:
            _act(control, np.diag(value ** np.arange(self._d)))
        elif control.state is not None and target.state is not None:
            self._pair(control, target, control.state, target.state)
        elif target.state is not None:
            self._to_known(control, target, target.state)
        elif control.state is not None:
            self._from_known(control, target, control.state)
        else:
            self._bring(control)
            self._bring(target)
            self.steps.append(Add(control.lane, target.lane))

    def _pair(self, control: _Qudit, target: _Qudit, first: Matrix, other: Matrix) -> None:
        """CNOT on two known states."""
        together = np.array(
            [[first[a] * other[(b - a) % self._d] for b in range(self._d)] for a in range(self._d)],
            np.complex128,
        )
        self.steps.append(Start(control.lane, self._fourier[:, 0]))
        self.steps.append(Copy(control.lane, target.lane))
        self._taken(control, sqrt(self._d) * together)
        self._taken(target, self._identity)

    def _to_known(self, control: _Qudit, target: _Qudit, state: Matrix) -> None:
        """CNOT on a known target: |a⟩|t⟩ → |a⟩ Xᵃ|t⟩."""
        self._bring(control)
        self.steps.append(Copy(control.lane, target.lane))
        shifted = [np.linalg.matrix_power(self._shift, a) @ state for a in range(self._d)]
        self._taken(target, np.stack(shifted, axis=1))

    def _from_known(self, control: _Qudit, target: _Qudit, state: Matrix) -> None:
        """CNOT of a known control: |c⟩ F|k⟩ → Z⁻ᵏ|c⟩ F|k⟩."""
        target.waiting = self._fourier.conj().T @ target.waiting
        self._bring(target)
        self.steps.append(Copy(target.lane, control.lane))
        root = np.exp(-2j * np.pi / self._d)
        turned = [root ** (k * np.arange(self._d)) * state for k in range(self._d)]
        self._taken(control, np.stack(turned, axis=1))
        target.waiting = self._fourier

    def _taken(self, qudit: _Qudit, waiting: Matrix) -> None:
        qudit.state, qudit.waiting = None, waiting

    def _bring(self, qudit: _Qudit) -> None:
        """Append the pending gate."""
        if qudit.state is not None:
            if abs(qudit.state[0]) < 1 - SAME:
                self.steps.append(Start(qudit.lane, qudit.state))
            qudit.state = None
        elif not _is_phase(qudit.waiting):
            self.steps.append(Turn(qudit.lane, qudit.waiting))
        qudit.waiting = self._identity

    def _eigenvalue(self, state: Matrix) -> complex | None:
        """Return that of X, if a state has one."""
        value = complex(state.conj() @ self._shift @ state)
        return value if abs(value) > 1 - SAME else None


def _act(qudit: _Qudit, matrix: Matrix) -> None:
    if qudit.state is not None:
        qudit.state = matrix @ qudit.state
    else:
        qudit.waiting = matrix @ qudit.waiting


def _level(state: Matrix) -> int | None:
    """Return the level that a state is, if it is one."""
    level = int(np.abs(state).argmax())
    return level if abs(state[level]) > 1 - SAME else None


def _is_phase(matrix: Matrix) -> bool:
    return levels_moved(matrix) == tuple(range(len(matrix))) and bool(
        np.allclose(matrix, matrix[0, 0] * np.eye(len(matrix)))
    )
