"""A compilation that has been checked: it names things that exist, and the program fits."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import inf

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Reset
from qiskit.exceptions import QiskitError
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.compilation.options import Options
from compiler.compilation.selection import attempts
from compiler.compilation.size import size_up_to
from compiler.dynamic.needs import measures
from compiler.dynamic.pieces import final_part, is_dynamic, unconditional
from compiler.errors import InputError, StateTooLargeError, TooFewQubitsError
from compiler.lowering.draft import Clock, Setting, Shared, no_clock
from compiler.lowering.figures import calibrated
from compiler.lowering.fractional import has_fractional, without_fractional
from compiler.lowering.methods import LEAN, clean_qubits_for
from compiler.lowering.pipeline import LARGE, T_COUNT, Attempt, pipelines
from compiler.lowering.placement import placement
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.reuse.order import MAX_WIRES, best_order
from compiler.reuse.wires import wires_of
from compiler.targets import is_coupled, sized_spec, target_from_spec
from compiler.targets.device import carried_target, is_device
from compiler.targets.resonator import computational_qubits
from compiler.targets.target import restricted
from compiler.targets.universal import check_measurable, check_universal

WRITE_OUT = (
    "gates, measurements, resets, if and switch can be compiled: write loops out, or give "
    "them a fixed number of turns"
)

MAX_TARGETS = 8
"""Size of the cache of targets."""

MAX_REUSED_QUBITS = 100
"""Qubits and resets up to which it is looked whether a program that is too wide could be narrowed:
for those who have not asked for it, that may take a second and no more."""


@frozen(eq=False)
class Plan:
    """A compilation that can be carried out.

    Args:
        program: to be compiled.
        target: a complete spec, or the user's own target.
        options: with no value left to the program.
        attempts: in a fixed order.
    """

    program: Program
    target: str | Target = field(converter=carried_target)
    options: Options
    attempts: Sequence[Attempt] = ()

    @property
    def postponed(self) -> tuple[str, ...]:
        """Passes that refine the best results only; nothing refines dynamic circuits."""
        options = self.options
        quick = options.any_input and options.method == "fast"
        quick = quick and options.objective != "expected_fidelity"
        quick = quick and placement.suits(resolved(self.target))
        return (placement.name,) if quick and not self.dynamic else ()

    @property
    def reuses(self) -> bool:
        """True if pipelines use qubits again, which the program itself does not."""
        return _reuses(self.program, self.options)

    @cached_property
    def dynamic(self) -> bool:
        """True if the program measures, resets or branches before its end."""
        return is_dynamic(self.program.circuit)

    @cached_property
    def unitary(self) -> tuple[QuantumCircuit, Mapping[int, int]]:
        """The program's gates and its final measurements; see `final_measurements`."""
        return final_measurements(self.program.circuit)

    @cached_property
    def shared(self) -> Shared:
        """Work that attempts in this process share."""
        return Shared()

    def setting(
        self, attempt: Attempt, clock: Clock = no_clock, least: float = inf, *, refined: bool = True
    ) -> Setting:
        """Return the setting of the passes of an attempt.

        Args:
            attempt: of this plan.
            clock: measures passes.
            least: two-qubit gates of another result.
            refined: whether passes refine a result; before that, `fast` leaves out `placement`
                where it changes nothing that is minimised.
        """
        options, target = self.options, resolved(self.target)
        fractional = target if has_fractional(target) else None
        return Setting(
            target if fractional is None else without_fractional(fractional),
            attempt.synthesis,
            attempt.seed,
            options.budget,
            options.objective,
            any_input=bool(options.any_input),
            only_gains=not options.pipelines,
            quick=bool(options.any_input) and options.method == "fast",
            least=least,
            without=options.without if refined else (*options.without, *self.postponed),
            clock=clock,
            fractional=fractional,
            shared=self.shared,
        )


def settled(program: Program, target: str, options: Options) -> tuple[Program, str, Options]:
    """Fill in the values that depend on the program: the target's size, and the input.

    Returns:
        Also the program on the qubits that it needs, if these are to be used again.

    Raises:
        InputError: with the fault.
    """
    options = settled_options(program, options)
    program = settled_program(program, options, _sized(program, target))
    return program, _sized(program, target), options


def _sized(program: Program, target: str) -> str:
    return sized_spec(target, max(2, program.circuit.num_qubits))


def settled_program(program: Program, options: Options, target: str | Target) -> Program:
    """Return the program that is lowered.

    It is the same, unless measurements discard phases, its qubits are to be used again, or T gates
    to be saved by further ones. Qubits of wide programs are used again by pipelines, where there
    are some for the target.

    Args:
        program: which may use its qubits again already.
        options: with nothing left to the program.
        target: of the lowering.

    Raises:
        InputError: if it cannot be taken apart, or has no outcomes that could stay the same.
    """
    program = program.without_measured_phases()
    if options.objective == T_COUNT:
        return _with_clean_qubits(program, options)
    if not options.reuse_qubits or program.reuse is not None:
        return program
    _all_gates(program)
    if not measures(program.circuit):
        raise InputError(
            f"{program.name}: measures nothing, so that no qubit is ever done with and could be "
            "re-used; add measurements, or do not re-use qubits"
        )
    if options.any_input:
        raise InputError(
            f"{program.name}: a qubit that is re-used begins with |0⟩, so that the result cannot "
            "hold on any input; do not ask for both"
        )
    if _is_left_to_pipelines(program.circuit, options, resolved(target)):
        return program
    return program.reusing()


def _is_left_to_pipelines(circuit: QuantumCircuit, options: Options, target: Target) -> bool:
    """Return whether pipelines choose the qubits that are used again."""
    if is_dynamic(circuit) or circuit.parameters:
        return False
    if options.pipelines:
        return any(pipelines[name].reuses for name in options.pipelines)
    # No better order than the circuit's own is looked for there.
    wide = circuit.num_qubits > MAX_WIRES
    return wide and any(each.reuses and each.suits(target) for each in pipelines.values())


def _with_clean_qubits(program: Program, options: Options) -> Program:
    """Return a program on the further qubits with which its operators take few T gates.

    Raises:
        InputError: if T gates are not counted for it.
    """
    if options.reuse_qubits or is_dynamic(program.circuit):
        raise InputError(
            f"{program.name}: objective '{T_COUNT}' is for programs that measure at their end "
            "only; do not re-use qubits, or choose another objective or encoding"
        )
    if options.any_input or options.method not in ("best", "fast", LEAN):
        return program
    return program.with_clean(clean_qubits_for(_all_gates(program)))


def _all_gates(program: Program) -> QuantumCircuit:
    """Return all gates of a program that can be compiled.

    Raises:
        InputError: if it holds something else.
    """
    try:
        return unconditional(final_part(program.circuit)[0])
    except (StateTooLargeError, QiskitError) as error:
        raise InputError(f"{program.name}: {error}; {WRITE_OUT}") from error
    except InputError as error:
        raise InputError(f"{program.name}: {error}") from error


def settled_options(program: Program, options: Options) -> Options:
    """Fill in on which input the result must hold.

    Raises:
        InputError: with the fault.
    """
    if options.any_input and program.resets:
        raise InputError(
            f"{program.name}: begins with resets, so that it has one input only; take the "
            "resets out ('initialize' is one, a state preparation is none), or ask for |0…0⟩"
        )
    any_input = program.any_input if options.any_input is None else options.any_input
    return evolve(options, any_input=any_input)


def resolved(target: str | Target) -> Target:
    """Return the target that a spec names, the same object each time, or the one that is given."""
    return _named(target) if isinstance(target, str) else target


@lru_cache(MAX_TARGETS)
def _named(spec: str) -> Target:
    """Cached, because what passes prepare for a target is cached by its identity."""
    return target_from_spec(spec)


def plan(program: Program, target: str | Target | BackendV2, options: Options) -> Plan:
    """Check a compilation before anything is computed.

    Args:
        program: to be compiled.
        target: a spec, complete or without its size, a target, or a backend that has one.
        options: how.

    Raises:
        InputError: with the fault.
    """
    if not program.circuit.num_qubits:
        raise InputError(f"{program.name}: the circuit has no qubits; there is nothing to compile")
    if isinstance(target, str):
        family = target.partition(":")[0]
        program, target, options = settled(program, target, options)
        larger = "a larger one" if is_device(target) else f"'{family}:{_needed(program, options)}'"
        shown = f"target '{target}'"
    else:
        target = target.target if isinstance(target, BackendV2) else target
        check_universal(target, target.description or "given")
        options, unsized = settled_options(program, options), target
        program = settled_program(program, options, _of_size(unsized, program))
        target = _of_size(unsized, program)
        shown, larger = f"target '{target.description or 'given'}'", "a larger one"
    device, qubits = resolved(target), _needed(program, options)
    if qubits > (room := computational_qubits(device)):
        raise TooFewQubitsError(
            f"{program.name} needs {qubits} qubits, {shown} has {room}",
            qubits,
            larger,
            f"another encoding{_reuse_would_do(program, options, device)}",
        )
    check_measurable(program.circuit, device, device.description or "given")
    gates = _all_gates(program)
    if options.objective == "expected_fidelity" and not calibrated(device):
        raise InputError(
            f"objective 'expected_fidelity' needs calibration data, which {shown} "
            "lacks; try two_qubit_gates or two_qubit_depth"
        )
    if options.objective == T_COUNT and is_coupled(device):
        raise InputError(
            f"objective '{T_COUNT}' counts gates on error-corrected qubits, any two of which can "
            f"meet; {shown} couples some only; try 'all:{qubits}'"
        )
    reuses = _reuses(program, options)
    first, *_ = attempts(program.circuit, options, 0, device, reuses=reuses)
    try:
        size = size_up_to(gates, first.synthesis, LARGE)
    except QiskitError as error:
        raise InputError(f"{program.name}: cannot be lowered: {error}") from error
    chosen = attempts(program.circuit, options, size, device, reuses=reuses)
    return Plan(program, target, options, chosen)


def _of_size(target: Target, program: Program) -> Target:
    """Return a target whose gates act on any qubits with as many as a program has."""
    if target.num_qubits:
        return target
    return restricted(target, num_qubits=max(2, program.circuit.num_qubits))


def _reuses(program: Program, options: Options) -> bool:
    """Return whether pipelines use qubits again, which the program itself does not."""
    return options.reuse_qubits and program.reuse is None


def _needed(program: Program, options: Options) -> int:
    """Return the number of qubits that a program needs; no more are open at a time."""
    if _reuses(program, options):
        return best_order(wires_of(program.circuit))[1]
    return program.circuit.num_qubits


def _reuse_would_do(program: Program, options: Options, target: Target) -> str:
    """Return in words that a program would fit if it used its qubits again, or nothing."""
    resets = sum(isinstance(item.operation, Reset) for item in program.circuit.data)
    if program.circuit.num_qubits + resets > MAX_REUSED_QUBITS:
        return ""
    try:
        reusing = settled_program(program, evolve(options, reuse_qubits=True), target)
        narrow = reusing.circuit.num_qubits
    except InputError:
        return ""
    return f"; with its qubits re-used (--reuse-qubits) it needs {narrow}" * (
        narrow <= computational_qubits(target)
    )
