"""One call of one compiler, which any process can make, and what it costs."""

from contextlib import suppress
from functools import cache
from math import pi
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time

from attrs import evolve, field, frozen
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.dynamic.pieces import unconditional
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering import Lowered
from compiler.lowering.figures import Figures, figures
from compiler.targets import target_from_spec
from compiler.targets.device import carried
from workers.peers.peer import Given, Variant, peers
from workers.peers.subjects import Form, Kind, Subject

WARMING_QUBITS = 5
"""Qubits of the circuit that compilers are warmed up with, where the target has so many."""


@frozen
class Case:
    """One program in one form on one target.

    Args:
        suite: that it belongs to.
        subject: the program.
        form: which circuit the compilers are given.
        target: a complete spec.
    """

    suite: str
    subject: Subject
    form: Form
    target: str = field(converter=carried)


@frozen
class Trial:
    """One call of one compiler."""

    case: Case
    peer: str
    variant: Variant


@frozen
class Outcome:
    """What became of a trial.

    Args:
        native: the native circuit as QPY; empty if there is none.
        logical: the circuit that it was made from, its operators synthesised, as QPY.
        initial_layout: for each program qubit, the physical qubit that holds it at the start.
        final_layout: for each program qubit, the physical qubit that holds it at the end.
        figures: of the native circuit.
        seconds: that the call took.
        cpu_seconds: of all threads and processes of the call.
        swaps: of the compiler's routing alone, where it is asked for.
        error: why it failed, or `""`.
    """

    native: bytes
    logical: bytes
    initial_layout: tuple[int, ...]
    final_layout: tuple[int, ...]
    figures: Figures | None
    seconds: float
    cpu_seconds: float = 0.0
    swaps: int | None = None
    error: str = ""


@cache
def target_of(spec: str) -> Target:
    """Return the target of a complete spec, built once in a process: devices take a while."""
    return target_from_spec(spec)


@cache
def given(subject: Subject, form: Form) -> Given:
    """Return what compilers are given, built once in a process."""
    return subject.given(form)


def size(subject: Subject, form: Form) -> int:
    """Return the CX gates of what compilers are given, before any optimisation."""
    gates = given(subject, form).gates
    flat = unconditional(gates) if subject.kind is Kind.DYNAMIC else gates
    plain = transpile(flat, basis_gates=["cx", "u"], optimization_level=0)
    return int(plain.count_ops().get("cx", 0))


def attempt(trial: Trial) -> Outcome:
    """Call a compiler; one that fails has an outcome too."""
    case = trial.case
    target, work, compiler = (
        target_of(case.target),
        given(case.subject, case.form),
        peers[trial.peer],
    )
    if not compiler.own_process:
        warm_up(trial.peer, trial.variant.name, case.target)
    started, cpu_started = perf_counter(), cpu_seconds()
    try:
        made = compiler.compile(work, target, trial.variant)
        seconds, cpu = perf_counter() - started, cpu_seconds() - cpu_started
        counted = figures(made.circuit, target)
        alone = compiler.swaps if case.subject.fewest_swaps is not None else None
        swaps = None if alone is None else alone(work.gates, target, trial.variant)
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        seconds, cpu = perf_counter() - started, cpu_seconds() - cpu_started
        return Outcome(b"", b"", (), (), None, seconds, cpu, error=reason)
    return _outcome(made, counted, seconds, cpu, swaps)


def refine(refinable: tuple[Trial, Outcome]) -> Outcome:
    """Let a compiler refine a result of its own; a failure leaves the result as it is."""
    trial, outcome = refinable
    case, peer = trial.case, peers[trial.peer]
    target, work = target_of(case.target), given(case.subject, case.form)
    native, logical = read_qpy(outcome.native, trial.peer), read_qpy(outcome.logical, trial.peer)
    started, cpu_started = perf_counter(), cpu_seconds()
    better = outcome
    with suppress(Exception):
        lowered = Lowered(native, logical, outcome.initial_layout, outcome.final_layout)
        made = peer.refine and peer.refine(work, lowered, target, trial.variant)
        if made is not None:
            better = _outcome(made, figures(made.circuit, target), 0.0, 0.0, outcome.swaps)
    return evolve(
        better,
        seconds=outcome.seconds + perf_counter() - started,
        cpu_seconds=outcome.cpu_seconds + cpu_seconds() - cpu_started,
    )


def _outcome(
    made: Lowered, counted: Figures, seconds: float, cpu: float, swaps: int | None
) -> Outcome:
    layouts = tuple(made.initial_layout), tuple(made.final_layout)
    natives = qpy_bytes(made.circuit), qpy_bytes(made.logical)
    return Outcome(*natives, *layouts, counted, seconds, cpu, swaps)


def cpu_seconds() -> float:
    """Return what this process and those that it has ended have used of any core."""
    ended = getrusage(RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


@cache
def warm_up(peer: str, way: str, target: str) -> None:
    """Let a compiler work once in this process, so that no import or first use is measured."""
    device = target_of(target)
    # More qubits than the target has would end the process: Qiskit panics.
    gates = QuantumCircuit(min(WARMING_QUBITS, device.num_qubits))
    for qubit in range(gates.num_qubits):
        gates.h(qubit)
        for other in range(qubit):
            gates.cp(pi / 2 ** (qubit - other), other, qubit)
    with suppress(Exception):
        peers[peer].compile(Given(gates, gates, "cheapest"), device, Variant(way, 0))
