"""A circuit on its way from operators to native gates, and the setting of its passes.

Lowering passes: small steps that declare the properties they establish and preserve.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from math import inf

from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Qubit
from qiskit.transpiler import Target

from compiler.targets import is_coupled

Clock = Callable[[], float]
"""Returns seconds since some moment; a function that another process can import."""


def no_clock() -> float:
    """Return 0: no duration is measured."""
    return 0.0


@frozen
class Step:
    """Result of one pass: counts and time.

    Args:
        name: the pass.
        two_qubit_gates: gates on two qubits after it; None while there are wider ones.
        two_qubit_depth: depth counting only those; None likewise.
        from_zero: whether it changed the circuit to one that may do the same from |0…0⟩ only.
            That holds of passes that decompose gates on three or more qubits, too, unless any
            input was asked for: Qiskit takes qubits without a gate so far for clean ancillas.
        seconds: that it took; None if that is not measured.
    """

    name: str
    two_qubit_gates: int | None
    two_qubit_depth: int | None
    from_zero: bool
    seconds: float | None = None


@frozen(eq=False)
class Draft:
    """Circuit between two passes, with the places of its qubits; also the result of a pipeline.

    Args:
        circuit: gates without measurements; once it is laid out, qubit q is the target's
            physical qubit q. Qubits that no logical qubit starts on start in |0⟩ and end in |0⟩.
        initial_layout: for each logical qubit, the circuit's qubit that holds it at the start.
            Where qubits are reset to hold others, a logical qubit starts and ends in a stretch
            between two resets: that after r resets of a qubit is qubit + r·(the circuit's qubits),
            and -1 is none, as nothing happens to the logical qubit.
        final_layout: for each logical qubit, the circuit's qubit that holds it at the end.
        measured: the logical qubits that will be measured at the end; None if that is not known.
        logical: the circuit with its operators replaced by their synthesis, before all else; None
            until all passes have run.
        steps: the passes that ran, in their order; none until all have run.
    """

    circuit: QuantumCircuit
    initial_layout: tuple[int, ...]
    final_layout: tuple[int, ...]
    measured: frozenset[int] | None = None
    logical: QuantumCircuit | None = None
    steps: tuple[Step, ...] = ()

    @cached_property
    def two_qubit_figures(self) -> tuple[int | None, int | None]:
        """The gates on two qubits and their depth; None twice if there are wider gates."""
        gates = 0
        layers: dict[Qubit, int] = {}
        for item in self.circuit.data:
            qubits = item.qubits
            if len(qubits) < 2 or item.name == "barrier":
                continue
            if len(qubits) > 2:
                return None, None
            gates += 1
            a, b = qubits
            layers[a] = layers[b] = max(layers.get(a, 0), layers.get(b, 0)) + 1
        return gates, max(layers.values(), default=0)

    def relabelled(self, places: Sequence[int], qubits: int) -> "Draft":
        """Return the draft on other qubits, which are as good as these.

        Args:
            places: for each of the circuit's qubits another one.
            qubits: of the new circuit.
        """
        circuit = QuantumCircuit(qubits)
        circuit.compose(self.circuit, places, inplace=True)
        return evolve(
            self,
            circuit=circuit,
            initial_layout=tuple(places[q] for q in self.initial_layout),
            final_layout=tuple(places[q] for q in self.final_layout),
        )

    def with_circuit(self, circuit: QuantumCircuit) -> "Draft":
        """Return the draft with another circuit on its qubits; itself if that is its own."""
        return self if circuit is self.circuit else evolve(self, circuit=circuit)

    @classmethod
    def of(cls, circuit: QuantumCircuit, measured: Iterable[int] | None = None) -> "Draft":
        """Return the draft that a circuit without measurements begins as."""
        places = tuple(range(circuit.num_qubits))
        return cls(circuit, places, places, None if measured is None else frozenset(measured))


@define(eq=False)
class Shared:
    """Work that quick attempts of the same compilation share in one process.

    Attributes:
        results: drafts that passes have had, and their results, None where that is the very draft.
        least: the fewest two-qubit gates of a result that will be proven; attempts that are going
            to take more may end.
    """

    results: dict[Hashable, tuple[Draft, Draft | None]] = field(factory=dict)
    least: float = inf


@frozen(eq=False)
class Setting:
    """Target and options of lowering.

    Args:
        target: native gates, coupled pairs, and their errors where they are known.
        synthesis: name of the synthesis method for operators.
        seed: of random choices; the same seed gives the same result.
        budget: candidates that a searching pass may look at.
        objective: to be minimised, a name in `compiler.lowering.pipeline.OBJECTIVES`.
        any_input: whether the result must hold on any input and not from |0…0⟩ only. Passes that
            hold from there only are then left out in every pipeline, and no qubit is taken for
            a clean ancilla.
        start: for each logical qubit, the target's physical qubit that holds it at the start,
            where something has gone before; None if that is free.
        quick: whether a few candidates must do where a pass looks for the best among many.
        only_gains: whether a pipeline ends where the pass that it needs changes nothing.
        least: two-qubit gates of another result; a quick search may end once it is far above.
        without: names of optimisations that are left out.
        clock: measures how long each pass takes.
        fractional: the target with its fractional gates, which `target` lacks; None if it has none,
            or they are left out.
        shared: work that quick attempts of the same compilation share.
    """

    target: Target
    synthesis: str = "cheapest"
    seed: int = 0
    budget: int = field(default=100)
    objective: str = "two_qubit_gates"
    any_input: bool = False
    start: tuple[int, ...] | None = None
    quick: bool = False
    only_gains: bool = False
    least: float = inf
    without: Collection[str] = ()
    clock: Clock = no_clock
    fractional: Target | None = None
    shared: Shared = field(factory=Shared, repr=False)

    def start_of(self, draft: Draft) -> tuple[int, ...] | None:
        """Return where each of a draft's own qubits has to start, before it is laid out.

        None where that is free.
        """
        if self.start is None:
            return None
        place = {own: self.start[q] for q, own in enumerate(draft.initial_layout)}
        return tuple(place[own] for own in range(draft.circuit.num_qubits))


class Property(StrEnum):
    """Properties of a draft.

    - `gates`: operators are replaced by their synthesis.
    - `layout`: its qubits are the target's physical qubits.
    - `routing`: two-qubit gates, of any kind, act on coupled pairs only.
    - `native`: all gates are the target's.
    """

    GATES = "gates"
    LAYOUT = "layout"
    ROUTING = "routing"
    NATIVE = "native"


NOTHING: frozenset[Property] = frozenset()
ALL = frozenset(Property)
Run = Callable[[Draft, Setting], Draft]


def _frozen(properties: Iterable[Property]) -> frozenset[Property]:
    return frozenset(properties)


def anywhere(target: Target) -> bool:
    """Return True: the pass suits every target."""
    return True


def uncoupled(target: Target) -> bool:
    """Return whether any two qubits of a target are coupled."""
    return not is_coupled(target)


@frozen
class Pass:
    """One step of a pipeline.

    A pass that establishes nothing is an optimisation: it never adds two-qubit gates, may be
    left out, and returns the very draft it was given if there is nothing to gain.

    Args:
        name: in records and options.
        run: the step.
        establishes: properties of its result in any case.
        preserves: properties of its result if its argument has them.
        from_zero: whether it may use that all qubits start in |0⟩, so that its result holds
            from there only.
        takes_start: whether it lays circuits out as `Setting.start` says. Only such passes lower
            circuits after a measurement.
        suits: returns whether it is of use on a target.
        needs_fractional: whether it is of use on targets with fractional gates only.
        takes_parameters: whether it takes circuits with unbound parameters; others are left out
            there.
        rebuilds: whether it builds circuits anew from Pauli rotations.
    """

    name: str
    run: Run
    establishes: frozenset[Property] = field(default=NOTHING, converter=_frozen)
    preserves: frozenset[Property] = field(default=NOTHING, converter=_frozen)
    from_zero: bool = False
    takes_start: bool = False
    suits: Callable[[Target], bool] = anywhere
    needs_fractional: bool = False
    takes_parameters: bool = False
    rebuilds: bool = False

    @property
    def optional(self) -> bool:
        """Return whether it may be left out."""
        return not self.establishes

    def result(self, draft: Draft, setting: Setting) -> Draft:
        """Return the result on a draft; quick attempts of a compilation share it.

        They begin alike, and where a pass changes nothing they go on alike.
        """
        if not setting.quick:
            return self.run(draft, setting)
        key = (
            self.name,
            id(draft.circuit),
            draft.initial_layout,
            draft.final_layout,
            setting.synthesis,
            setting.seed,
            setting.least if Property.LAYOUT in self.establishes else None,
        )
        results = setting.shared.results
        if key not in results:
            result = self.run(draft, setting)
            # With the draft, whose circuit keeps its identity as long as it lives.
            results[key] = draft, None if result is draft else result
        return results[key][1] or draft

    def suits_setting(self, setting: Setting) -> bool:
        """Return whether it is of use on a setting's target and for its input."""
        if self.needs_fractional and setting.fractional is None:
            return False
        return self.suits(setting.target) and not (setting.any_input and self.from_zero)

    def holds_after(self, before: Collection[Property]) -> frozenset[Property]:
        """Return the properties of a draft after the pass, given those before."""
        return self.establishes | (self.preserves & frozenset(before))
