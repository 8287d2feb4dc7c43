"""The right circuits that faults are put into, and how each is proven."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np
from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit

from benchmarks.mutations.faults import Faulty
from benchmarks.mutations.windows import same_unitary, same_where_reached
from compiler.circuits.matrices import Bits
from compiler.compilation import Options
from compiler.compilation.candidate import Candidate, lower
from compiler.compilation.plan import plan
from compiler.errors import StateTooLargeError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.draft import Draft, no_clock
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.public_circuits.public_circuit import circuit_from_spec
from compiler.synthesis.segments import cuts
from compiler.verification.block_matching import verdict_by_blocks
from compiler.verification.operator_proofs.operator_by_operator import Comparison, some_inputs
from compiler.verification.operator_proofs.played_parts import (
    Player,
    Stretch,
    parts_of,
    stretches_of,
)
from compiler.verification.program import compared, program_state
from games import encoded, named_game

PROVEN, REFUTED, UNPROVEN = "proven", "refuted", "not proven"

MAX_AMPLITUDES = 1 << 12
"""Amplitudes up to which a faulty circuit's state is followed."""

FIRST = 32
"""Inputs that are tried before all of them."""


class Subject(ABC):
    """A right circuit.

    Attributes:
        circuit: its gates.
        layout: for each of the program's qubits, the one that holds it at the end.
    """

    circuit: QuantumCircuit
    layout: tuple[int, ...]

    def verdict(self, faulty: Faulty) -> str:
        """Return the verdict on a circuit: `proven`, `refuted` or `not proven`."""
        try:
            return self.proof(faulty)
        except VerificationError:
            return REFUTED
        except StateTooLargeError:
            return UNPROVEN

    @abstractmethod
    def proof(self, faulty: Faulty) -> str:
        """Return the verdict on a circuit, or raise the proof's error."""

    def harmless(self, faulty: Faulty) -> str:
        """Return the check by which a proven circuit is right, `""` if there is none."""
        return "same unitary" if same_unitary(faulty) else ""


def _lowered(program: Program, target: str, **options: object) -> Candidate:
    planned = plan(program, target, Options(**options))  # type: ignore[arg-type]
    native = lower(planned, no_clock, planned.attempts[0])
    assert not native.error, native.error
    return native


class SmallGame(Subject):
    """A game whose exact state is compared with the program's."""

    def __init__(self, name: str, target: str) -> None:
        self.program = encoded(named_game(name))
        native = _lowered(self.program, target, method="fast")
        self.circuit, _ = final_measurements(read_qpy(native.native, "native"))
        self.layout = native.final_layout
        source = read_qpy(native.logical, "logical")
        self.wanted, _ = final_measurements(self.program.circuit.copy_empty_like())
        self.wanted.compose(source, self.wanted.qubits, inplace=True)
        self.state = program_state(self.wanted)

    def proof(self, faulty: Faulty) -> str:
        """Compare all amplitudes."""
        mutant = faulty.circuit(self.circuit)
        verdict = compared(
            self.wanted, self.state, mutant, faulty.final_layout, max_amplitudes=MAX_AMPLITUDES
        )
        return PROVEN if verdict.verified == "exact" else UNPROVEN

    def harmless(self, faulty: Faulty) -> str:
        """Check whether the gates around a fault are equivalent on their inputs."""
        if result := super().harmless(faulty):
            return result
        right = list(self.circuit.data)
        return "same state" * same_where_reached(right, faulty, self.circuit.qubits)


class WideCircuit(Subject):
    """A public circuit, matched block by block on any input."""

    def __init__(self, spec: str, target: str) -> None:
        self.original = circuit_from_spec(spec, 0)
        native = _lowered(
            Program.of_circuit(self.original), target, method="fast", pipelines=("qiskit",)
        )
        self.circuit = read_qpy(native.native, "native")
        self.start, self.layout = native.initial_layout, native.final_layout

    def proof(self, faulty: Faulty) -> str:
        """Match blocks; those that do not match prove nothing."""
        mutant = Draft(faulty.circuit(self.circuit), self.start, faulty.final_layout)
        verdict = verdict_by_blocks(self.original, mutant)
        return PROVEN if verdict.verified == "exact" else UNPROVEN


@frozen(eq=False)
class _Piece:
    """A stretch of the right circuit, between the items of two barriers, with inputs of it."""

    stretch: Stretch
    source: Stretch
    first: int
    last: int
    inputs: Bits
    fresh: Bits


@define(eq=False)
class LargeGame(Subject):
    """A game too large for a state, proven operator by operator.

    Only the operator with the fault is simulated, on the inputs that it has in the whole game.

    Args:
        program: the game, with barriers between its operators.
        target: of the lowering.
        inputs: random inputs; there are a quarter as many corner cases besides, and a quarter of
            the random ones are reserved for recognising harmless faults.
    """

    program: Program
    target: str
    inputs: int
    circuit: QuantumCircuit = field(init=False)
    layout: tuple[int, ...] = field(init=False)
    pieces: list[_Piece] = field(init=False)

    def __attrs_post_init__(self) -> None:
        native = _lowered(self.program, self.target, method="fast", pipelines=("qiskit",))
        gates, _ = final_measurements(self.program.circuit)
        self.circuit, _ = final_measurements(read_qpy(native.native, "native"))
        self.layout = native.final_layout
        logical = read_qpy(native.logical, "logical")
        places, within = range(logical.num_qubits), list(cuts(logical, gates.num_qubits))
        stretches = stretches_of(gates, self.circuit, native.initial_layout, self.layout, within)
        source = stretches_of(gates, logical, places, places, within, as_they_are=True)
        inputs = some_inputs(
            stretches,
            source,
            self.circuit.num_qubits,
            inputs=self.inputs,
            corners=self.inputs // 4,
            seed=0,
        )
        barriers = [
            place
            for place, item in enumerate(self.circuit.data)
            if item.name == "barrier" and len(item.qubits) == gates.num_qubits
        ]
        between = [place for place, inner in zip(barriers, within, strict=True) if not inner]
        ends = zip([-1, *between], [*between, len(self.circuit.data)], strict=True)
        fresh = self.inputs // 4
        self.pieces = [
            _Piece(stretch, other, first + 1, last, input_[fresh:], input_[:fresh])
            for stretch, other, (first, last), input_ in zip(
                stretches, source, ends, inputs, strict=True
            )
        ]

    def _piece(self, faulty: Faulty) -> _Piece:
        lasts = [piece.last for piece in self.pieces]
        return self.pieces[min(bisect_left(lasts, faulty.first), len(lasts) - 1)]

    def _mutant(self, piece: _Piece, faulty: Faulty) -> Stretch:
        longer = len(faulty.wrong) - len(faulty.right) if faulty.items else 0
        if faulty.first == len(self.circuit.data):
            longer = 0
        small = self.circuit.copy_empty_like()
        for item in faulty.items[piece.first : piece.last + longer]:
            small.append(item)
        end = piece.stretch.places[-1]
        if piece.last == len(self.circuit.data):
            end = faulty.final_layout
        ends = piece.stretch.places[0], end
        parts, places = parts_of(small, len(self.layout), ends)
        return evolve(piece.stretch, parts=parts, places=places)

    def proof(self, faulty: Faulty) -> str:
        """Hold all amplitudes against the specification, on few inputs and then on all."""
        piece = self._piece(faulty)
        mutant = self._mutant(piece, faulty)
        self._check(mutant, piece, piece.inputs, self._against_source)
        return PROVEN

    def _check(
        self,
        mutant: Stretch,
        piece: _Piece,
        inputs: Bits,
        hold: Callable[..., None],
    ) -> None:
        comparison = Comparison("it")
        pairs = [
            (Player(a, MAX_AMPLITUDES), Player(b, order=b.steps))
            for a, b in zip(mutant.parts, piece.source.parts, strict=True)
        ]
        for some in (inputs[-FIRST:], inputs[:-FIRST]):
            if len(some):
                hold(mutant, pairs, some, comparison)

    def _against_source(
        self,
        mutant: Stretch,
        pairs: Sequence[tuple[Player]],
        state: Bits,
        comparison: Comparison,
    ) -> None:
        random = np.random.default_rng(0)
        for number, (player, source) in enumerate(pairs):
            outputs = player.play(state)
            if len(pairs) == 1:
                comparison.specified(mutant, state, outputs)
            else:
                wanted = source.play(state[:, list(mutant.places[number])])
                comparison.like(outputs, mutant.places[number + 1], wanted, phases=True)
            state = outputs.chosen(None, random)

    def harmless(self, faulty: Faulty) -> str:
        """Check whether anything but phases of branches differs from the right circuit.

        The check uses fresh inputs, and all basis states, illegal ones too.
        """
        if result := super().harmless(faulty):
            return result
        piece = self._piece(faulty)
        mutant = self._mutant(piece, faulty)
        if len(mutant.parts) > 1:
            return ""
        comparison = Comparison("it")
        try:
            outputs = Player(mutant.parts[0]).play(piece.fresh)
            right = Player(piece.stretch.parts[0]).play(piece.fresh)
            comparison.like(outputs, range(self.circuit.num_qubits), right, phases=False)
        except VerificationError:
            return ""
        return "phases of branches only"


def subject_of(name: str) -> Subject:
    """Return one of `SUBJECTS`."""
    return SUBJECTS[name]()


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "skat-4 on star:17": lambda: SmallGame("skat-4", "star:17"),
    "skat-9 on all:59": lambda: SmallGame("skat-9", "all:59"),
    "skat-32 on all:433": lambda: LargeGame(encoded(named_game("skat-32")), "all:433", 128),
    "heisenberg:100 on heavy-hex:torino": lambda: WideCircuit("heisenberg:100", "heavy-hex:torino"),
}
