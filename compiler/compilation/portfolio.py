"""Compiling as one function: a portfolio made, refined, proven, and the best of it chosen."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Protocol, TypeVar

from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from compiler.certainty import how_verified
from compiler.compilation.options import Options
from compiler.compilation.plan import Plan, plan
from compiler.compilation.proof import Claim, prove_claim, prove_program
from compiler.compilation.task import (
    Clock,
    Native,
    Refinable,
    Task,
    is_refinable,
    lower,
    no_clock,
    refine,
)
from compiler.errors import LoweringError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import pipelines
from compiler.lowering.portfolio import (
    AFTER_TKET,
    FAR,
    FAR_ON_ANY_INPUT,
    LAST,
    REFINABLE,
    REFINED,
    SMALL,
    Attempt,
    best,
    ranked,
)
from compiler.program import Program
from compiler.verification.program import Verdict

A = TypeVar("A")
R = TypeVar("R")

PROOFS = ("exact", "sampled", "unverified")
"""How far a circuit may be proven that is chosen, the best first."""


class Each(Protocol):
    """Makes independent calls, perhaps side by side in other processes."""

    def __call__(
        self, function: Callable[[A], R], arguments: Sequence[A], /
    ) -> Iterator[tuple[int, R]]:
        """Yield the place and the result of every call, as they finish."""
        ...


def in_order(function: Callable[[A], R], arguments: Sequence[A], /) -> Iterator[tuple[int, R]]:
    """Make the calls in this process, one after the other."""
    for place, argument in enumerate(arguments):
        yield place, function(argument)


class Listener:
    """Hears of a compilation while it goes on; this one does not care."""

    def lowered(self, place: int, native: Native) -> None:
        """An attempt has been made."""

    def left_out(self, places: Sequence[int], reason: str) -> None:
        """Attempts are not made, for a reason."""

    def refined(self, place: int, before: Native, native: Native) -> None:
        """A result has been refined."""

    def proven(self, place: int, verdict: Verdict, seconds: float) -> None:
        """A native circuit has been proven or refuted."""


@frozen
class Candidate:
    """One attempt and what came of it.

    Args:
        attempt: synthesis, pipeline and seed.
        native: the circuit and its figures, or why there is none.
        verdict: how far it is proven; None if there is no circuit, or if a better one is proven.
    """

    attempt: Attempt
    native: Native
    verdict: Verdict | None = None


@frozen(eq=False)
class Compiled:
    """A program as a native circuit, with all that was tried.

    Args:
        program: what was compiled.
        target: a complete spec, or the target that was given.
        options: with nothing left to the program.
        candidates: every attempt that was made.
        chosen: the one that won.
        verified: how far its circuit is proven: `exact`, `sampled` or `unverified`.
    """

    program: Program
    target: str | Target
    options: Options
    candidates: Sequence[Candidate]
    chosen: Candidate
    verified: str

    @property
    def circuit(self) -> QuantumCircuit:
        """The native circuit with its measurements, on the target's physical qubits."""
        return read_qpy(self.chosen.native.native, self.program.name)

    @property
    def figures(self) -> Figures:
        """What was counted on the circuit."""
        figures = self.chosen.native.figures
        assert figures is not None
        return figures


def compile(
    program: Program,
    target: str | Target | BackendV2 = "all",
    options: Options | None = None,
    *,
    each: Each = in_order,
    clock: Clock = no_clock,
    listener: Listener | None = None,
) -> Compiled:
    """Lower a program to native gates, prove the results right, and choose the best.

    Args:
        program: what is compiled.
        target: a spec such as `heavy-hex:torino` or `star`, or a target or backend of Qiskit's
            with any native gates on two qubits in which a CX can be written.
        options: how; by default everything is tried.
        each: makes the attempts; by default one after the other in this process.
        clock: measures how long passes take, such as `time.perf_counter`.
        listener: hears of what is done.

    Raises:
        InputError: if something does not fit together.
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    planned = plan(program, target, options or Options())
    return carried_out(planned, each=each, clock=clock, listener=listener)


def carried_out(
    planned: Plan,
    *,
    each: Each = in_order,
    clock: Clock = no_clock,
    listener: Listener | None = None,
) -> Compiled:
    """Do what is planned; see `compile`.

    Raises:
        LoweringError: if no pipeline gets through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    program, heard = planned.program, listener or Listener()
    lowered = lower_all(planned, each, clock, heard)
    ((_, proven),) = each(prove_program, [program])
    candidates = [Candidate(*pair) for pair in lowered]
    made = [place for place, (_, native) in enumerate(lowered) if native.native]
    claims = [claim_of(planned, *lowered[place], clock) for place in made]
    found = [figures for place in made if (figures := lowered[place][1].figures) is not None]
    proofs = prove_until_sure(claims, found, planned.options.objective, each, heard)
    for place, (verdict, _) in proofs:
        candidates[made[place]] = evolve(candidates[made[place]], verdict=verdict)
    chosen = choose(
        [(one, one.verdict, one.native.figures) for one in candidates], planned.options.objective
    )
    if chosen is None:
        raise failure(program.name, [(one.native.error, one.verdict) for one in candidates])
    best_proof = chosen.verdict.verified if chosen.verdict else "unverified"
    verified = how_verified(proven, best_proof)
    return Compiled(program, planned.target, planned.options, candidates, chosen, verified)


def lower_all(
    planned: Plan,
    each: Each,
    clock: Clock,
    listener: Listener,
    late: Callable[[], bool] = lambda: False,
) -> list[tuple[Attempt, Native]]:
    """Make the attempts of a plan, and refine the best.

    Pipelines that take long are tried after the others, and only if these leave something to
    gain. Of pipelines that are far behind after their first seed no other is tried.

    Args:
        planned: what is to be done.
        each: makes the calls; it may leave out some if it is too late.
        clock: measures them.
        listener: hears of each.
        late: tells whether there is no time left to begin or refine anything.

    Returns:
        The attempts and what came of each; of one that was too late to begin, that.
    """
    tasks = [
        Task(planned.program, planned.target, planned.options, attempt, clock)
        for attempt in planned.attempts
    ]
    natives: dict[int, Native] = {}

    def make(places: Sequence[int]) -> None:
        for number, native in each(lower, [tasks[place] for place in places]):
            natives[places[number]] = native
            listener.lowered(places[number], native)

    first = [place for place, one in enumerate(tasks) if one.attempt.seed == planned.options.seed]
    early = [place for place in first if tasks[place].attempt.pipeline not in LAST]
    make(early or first)
    behind: list[int] = []

    def undone(places: Iterable[int]) -> list[int]:
        return [place for place in places if place not in natives and place not in behind]

    def leave_out(places: Iterable[int], reason: str) -> None:
        out = undone(places)
        behind.extend(out)
        listener.left_out(out, reason)

    if not late() and _nothing_is_left(planned, natives):
        leave_out(range(len(tasks)), "nothing is left to gain")
    elif not late():
        leave_out(_outdone(planned, natives), "tket simplifies the circuit no further")
        make(undone(first))
    if not late():
        leave_out(_far_behind(planned, natives), "far behind")
        make(undone(range(len(tasks))))
    if not late() and planned.options.objective in REFINABLE:
        chosen = worth_refining(natives, planned.options.objective)
        chosen = [place for place in chosen if is_refinable(tasks[place])]
        given = [Refinable(tasks[place], natives[place]) for place in chosen]
        for number, native in each(refine, given):
            place = chosen[number]
            before, natives[place] = natives[place], native
            listener.refined(place, before, native)
    return [
        (attempt, natives.get(place, NOT_BEGUN))
        for place, attempt in enumerate(planned.attempts)
        if place not in behind
    ]


def _nothing_is_left(planned: Plan, natives: Mapping[int, Native]) -> bool:
    """Tell whether no other attempt is expected to take fewer two-qubit gates.

    So it is if there are none, and on any input if routing has added none. From |0…0⟩ more is
    known of a circuit that is routed than of one that is not.
    """
    if planned.options.objective != "two_qubit_gates":
        return False
    made = [each for each in natives.values() if each.figures is not None]
    least = min((each.figures.two_qubit_gates for each in made if each.figures), default=1)
    if least == 0 or not planned.options.any_input:
        return least == 0
    return any(least <= gates for gates in _before_routing(planned, natives).values())


def _before_routing(planned: Plan, natives: Mapping[int, Native]) -> dict[tuple[str, str], int]:
    """Return the two-qubit gates that were to be routed, by synthesis and pipeline."""
    found = {}
    for place, native in natives.items():
        attempt = planned.attempts[place]
        gates = pipelines[attempt.pipeline].before_routing(native.steps) if native.steps else None
        if gates is not None:
            found[attempt.synthesis, attempt.pipeline] = gates
    return found


def _outdone(planned: Plan, natives: Mapping[int, Native]) -> list[int]:
    """Return the places of attempts after tket's peephole where that takes no fewer gates."""
    gates = _before_routing(planned, natives)
    tkets = [key for key in gates if key[1].startswith("tket")]
    ours = [gates[key] for key in gates if key not in tkets]
    gains = {key[0] for key in tkets if gates[key] < min(ours, default=inf)}
    return [
        place
        for place, one in enumerate(planned.attempts)
        if one.pipeline == AFTER_TKET and tkets and one.synthesis not in gains
    ]


def _far_behind(planned: Plan, natives: Mapping[int, Native]) -> list[int]:
    """Return the places of attempts whose pipelines were far behind with their first seed."""
    if planned.options.objective != "two_qubit_gates":
        return []
    first = {
        (one.synthesis, one.pipeline): figures.two_qubit_gates
        for place, one in enumerate(planned.attempts)
        if place in natives and (figures := natives[place].figures) is not None
    }
    most = min(first.values(), default=0) * (FAR_ON_ANY_INPUT if planned.options.any_input else FAR)
    return [
        place
        for place, one in enumerate(planned.attempts)
        if first.get((one.synthesis, one.pipeline), 0) > most
    ]


NOT_BEGUN = Native(b"", b"", (), (), (), None, 0.0, "not begun: the time limit had passed")


class Made(Protocol):
    """What became of an attempt: a circuit as QPY, and its figures, if it has any."""

    @property
    def native(self) -> bytes:
        """The circuit; empty if there is none."""
        ...

    @property
    def figures(self) -> Figures | None:
        """Its figures."""
        ...


def worth_refining(natives: Mapping[int, Made], objective: str) -> list[int]:
    """Return the places of the best results, each circuit once; none where nothing is to save."""
    different: dict[bytes, tuple[int, Figures]] = {}
    for place, native in sorted(natives.items()):
        if native.figures is not None:
            different.setdefault(native.native, (place, native.figures))
    order = ranked(different.values(), objective)
    if not all(figures.two_qubit_gates for _, figures in different.values()):
        return []
    small = [place for place, figures in different.values() if figures.two_qubit_gates <= SMALL]
    return order[: REFINED if small else 2]


def claim_of(planned: Plan, attempt: Attempt, native: Native, clock: Clock) -> Claim:
    """Return the claim that what came of an attempt does what the program does."""
    return Claim(
        Task(planned.program, planned.target, planned.options, attempt, clock),
        native.native,
        native.logical,
        native.initial_layout,
        native.final_layout,
    )


def prove_until_sure(
    claims: Sequence[Claim],
    figures: Sequence[Figures],
    objective: str,
    each: Each,
    listener: Listener,
) -> Iterator[tuple[int, tuple[Verdict, float]]]:
    """Yield the places of claims with their verdicts and the seconds that they took.

    The circuits with the best figures come first. Once one is proven exactly, `choose` takes none
    that comes after it, so these are not asked.

    Args:
        claims: what is to be proven.
        figures: of the circuit of each.
        objective: what is minimised.
        each: makes the calls.
        listener: hears of each.
    """
    order = ranked(enumerate(figures), objective)
    begin, proofs = 0, list[str]()
    while begin < len(order) and PROOFS[0] not in proofs:
        # Most often the first is proven; where none can be, many are asked side by side.
        places = order[begin : max(1, 2 * begin)]
        begin += len(places)
        for number, (verdict, seconds) in each(prove_claim, [claims[place] for place in places]):
            listener.proven(places[number], verdict, seconds)
            yield places[number], (verdict, seconds)
            proofs.append(verdict.verified)


C = TypeVar("C")


def choose(
    candidates: Sequence[tuple[C, Verdict | None, Figures | None]], objective: str
) -> C | None:
    """Return the best candidate of those that are proven best, None if none survived."""
    for proof in PROOFS:
        survivors = [
            (one, figures)
            for one, verdict, figures in candidates
            if verdict is not None and verdict.verified == proof and figures is not None
        ]
        if survivors:
            return best(survivors, objective)
    return None


def failure(name: str, made: Sequence[tuple[str, Verdict | None]]) -> Exception:
    """Return what is wrong where nothing could be chosen.

    Args:
        name: of the program.
        made: of every attempt, why it failed or `""`, and its verdict if there is one.
    """
    refuted = [verdict.detail for _, verdict in made if verdict is not None]
    if refuted:
        return VerificationError(f"every candidate is proven wrong; the first: {refuted[0]}")
    reasons = "; ".join(dict.fromkeys(reason for reason, _ in made))
    return LoweringError(f"no pipeline could lower {name}: {reasons}")
