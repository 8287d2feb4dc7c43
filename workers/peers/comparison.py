"""One case by every compiler: calls, proofs and counts."""

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from statistics import median_low

from attrs import evolve, frozen

from compiler.compilation.attempts import worth_refining
from compiler.compilation.listener import Each
from compiler.lowering.pipeline import OBJECTIVES
from compiler.words.held_inputs import count_text
from workers.attributes import build
from workers.logs import Interim
from workers.parallel import Ended
from workers.peers.compilers.stichwerk import ANY_INPUT, OURS, QUICK
from workers.peers.own_circuits import OWN
from workers.peers.peer import Peer, peers
from workers.peers.subjects import Kind
from workers.peers.suites import WIDE
from workers.peers.trials import (
    ZERO,
    Case,
    Outcome,
    Trial,
    attempt,
    given,
    prove,
    refine,
    size,
    target_of,
)

PROVEN = ("exact", "sampled")
LARGE = 400
"""CX gates of a program beyond which our own seeds are limited to `SEEDS_IF_LARGE`."""

SEEDS_IF_LARGE = 4

MAX_UNPROVEN = 4
"""Limit of a compiler's results that are tried until one can be proven."""

DENSE_QUBITS = 24
"""Qubits of a user's circuit up to which a state of all of them is compared."""

Progress = Callable[[str], None]


@frozen
class Result:
    """The result of one compiler on one case.

    Args:
        case: the case.
        peer: the compiler.
        calls: number of calls, with different seeds or pipelines.
        seconds: of all calls together.
        cpu_seconds: of all calls together, on all cores.
        two_qubit_gates: of the best result that is not refuted; None if there is none.
        two_qubit_depth: of the same.
        depth: of the same.
        gates: of the same, on any number of qubits.
        expected_fidelity: of the same, by the target's errors; None where they are not known.
        first_call: two-qubit gates of the first seed or pipeline alone, proven or not.
        median: of the two-qubit gates of all results that are not refuted.
        swaps: the fewest that its routing alone took in a call, where the optimum is known.
        variant: the seed or pipeline that made the best.
        verified: `exact`, `sampled`, `unverified`, `refuted`, `failed` or `skipped`.
        holds: inputs for which the best is proven right.
        detail: the compared property, or the fault.
    """

    case: Case
    peer: str
    calls: int
    seconds: float
    cpu_seconds: float = 0.0
    two_qubit_gates: int | None = None
    two_qubit_depth: int | None = None
    depth: int | None = None
    gates: int | None = None
    expected_fidelity: float | None = None
    first_call: int | None = None
    median: int | None = None
    swaps: int | None = None
    variant: str = ""
    verified: str = "skipped"
    holds: str = ""
    detail: str = ""

    @property
    def cost(self) -> float | None:
        """The figure that the case's objective minimises: of the fidelity the reciprocal."""
        value: float | None = getattr(self, self.case.objective)
        if self.case.objective == "expected_fidelity":
            return 1 / value if value else None
        return value

    @property
    def counts(self) -> bool:
        """Return whether the result is proven, so that it may be compared."""
        return self.verified in PROVEN


def compare(
    case: Case, names: Sequence[str], seeds: int, each: Each, progress: Progress
) -> list[Result]:
    """Try one case by every compiler; return a result for each, in the order of `names`.

    Args:
        case: to be compiled.
        names: of the compilers.
        seeds: number of seeds of each seeded compiler and pipeline, from 0.
        each: makes the calls, perhaps with a limit.
        progress: receives a line for each result.
    """
    results: dict[str, Result] = {}
    for name in _of_use(case, names):
        try:
            result = _compare(case, peers[name], size(case.subject, case.form), seeds, each)
        except Exception as error:  # noqa: BLE001 - third-party code may raise anything
            reason = " ".join(str(error).split()) or type(error).__name__
            result = Result(case, name, 0, 0.0, verified="failed", detail=reason)
        results[name] = result
        gates_found = count_text(result.two_qubit_gates, from_zero=result.holds == ZERO)
        result_text = result.detail if result.two_qubit_gates is None else gates_found
        progress(
            Interim(
                f"{case.subject.title}, {case.form} on {case.target}: {name}: {result.verified}, "
                f"{result_text} ({result.calls} calls, {result.cpu_seconds:.1f} CPU s)"
            )
        )
    if OURS in results and ANY_INPUT in results:
        results[OURS] = _better(results[OURS], results[ANY_INPUT])
    return list(results.values())


def _of_use(case: Case, names: Sequence[str]) -> list[str]:
    """Leave out our results that would hold for fewer inputs than required.

    Circuits for whole devices cannot be proven right from |0…0⟩ only; there a quick attempt is
    compared, as on a user's own circuit.
    """
    subject = case.subject
    wide = case.suite in WIDE
    beyond_zero = subject.kind is Kind.OPERATOR and any(subject.operator.legal_inputs())
    own = case.suite == OWN
    wide = wide or (own and given(subject, case.form).gates.num_qubits > DENSE_QUBITS)
    unwanted = set() if wide or own else {QUICK}
    if wide or beyond_zero:
        unwanted.add(OURS)
    elif subject.kind is not Kind.CIRCUIT:
        unwanted.add(ANY_INPUT)
    wanted = [name for name in names if name not in unwanted]
    ours = [name for name in names if peers[name].ours]
    if ours and not any(name in wanted for name in ours):
        # Whoever names one of ours alone sees it nevertheless, if need be on any input.
        wanted.append(ANY_INPUT if OURS in ours else ours[0])
    return wanted


def _compare(case: Case, peer: Peer, gates: int, seeds: int, each: Each) -> Result:
    nothing = Result(case, peer.name, 0, 0.0)
    refusal = peer.refuses(target_of(case.target)) if peer.refuses is not None else ""
    if refusal:
        return evolve(nothing, detail=f"skipped: {refusal}")
    if case.subject.kind is Kind.DYNAMIC and not peer.dynamic:
        reason = f"skipped: {peer.name} takes no circuits that measure or branch on the way"
        return evolve(nothing, detail=reason)
    if not peer.installed:
        return evolve(nothing, detail=f"skipped: package '{peer.package}' is not installed")
    if peer.largest is not None and gates > peer.largest:
        return evolve(nothing, detail=f"skipped: {gates} CX are more than {peer.largest}")
    tried = range(min(seeds, SEEDS_IF_LARGE) if gates > LARGE and peer.ours else seeds)
    variants = peer.variants(target_of(case.target), tried)
    trials = [Trial(case, peer.name, variant) for variant in variants]
    outcomes = {place: _outcome(result) for place, result in each(attempt, trials)}
    if peer.refine is not None:
        _refine(outcomes, trials, each, case.objective)
    return _judged(case, peer, [(trials[place], outcomes[place]) for place in range(len(trials))])


def _refine(
    outcomes: dict[int, Outcome], trials: Sequence[Trial], each: Each, objective: str
) -> None:
    """Refine the best outcomes in place, as a compilation does."""
    results = {place: (outcome.native, outcome.figures) for place, outcome in outcomes.items()}
    places = worth_refining(results, objective)
    refinable = [(trials[place], outcomes[place]) for place in places]
    for number, result in each(refine, refinable):
        place = places[number]
        if isinstance(result, Ended):
            spent = outcomes[place].cpu_seconds + (result.seconds or 0.0)
            outcomes[place] = evolve(outcomes[place], cpu_seconds=spent)
        else:
            outcomes[place] = result


def _outcome(result: Outcome | Ended) -> Outcome:
    """Return the result of a trial, also of one whose process was ended."""
    if isinstance(result, Outcome):
        return result
    return Outcome(cpu_seconds=result.seconds or 0.0, error=str(result))


def _judged(case: Case, peer: Peer, outcomes: Sequence[tuple[Trial, Outcome]]) -> Result:
    """Prove the best outcome, or the next one if it is refuted or not proven, and so on."""
    seconds = sum(outcome.seconds for _, outcome in outcomes)
    aim = OBJECTIVES[case.objective]
    done = sorted(
        ((outcome.figures, trial, outcome) for trial, outcome in outcomes if outcome.figures),
        key=lambda row: (aim(row[0]), row[0].two_qubit_gates, row[0].two_qubit_depth),
    )
    cpu_seconds = sum(outcome.cpu_seconds for _, outcome in outcomes)
    swaps = min((each.swaps for _, each in outcomes if each.swaps is not None), default=None)
    first = outcomes[0][1].figures if outcomes else None
    blank = Result(
        case, peer.name, len(outcomes), seconds, cpu_seconds, swaps=swaps,
        first_call=None if first is None else first.two_qubit_gates,
    )  # fmt: skip
    if not done:
        return evolve(
            blank, verified="failed", detail=outcomes[0][1].error if outcomes else "no calls"
        )
    failed = [outcome.error for _, outcome in outcomes if outcome.error]
    missing = f"; {len(failed)} of {len(outcomes)} calls failed: {failed[0]}" if failed else ""
    refuted: list[str] = []
    unproven: list[Result] = []
    for place, (figures, trial, outcome) in enumerate(done):
        proof = prove(trial, outcome)
        if proof.verified == "refuted":
            refuted.append(proof.detail)
            continue
        better = f"; {len(refuted)} better ones refuted: {refuted[0]}" if refuted else ""
        better += f"; {len(unproven)} better ones not proven" if unproven else ""
        median = median_low(row[0].two_qubit_gates for row in done[place:])
        result = build(
            Result, figures, proof, blank, median=median, variant=str(trial.variant),
            detail=proof.detail + better + missing,
        )  # fmt: skip
        if result.counts:
            return result
        unproven.append(result)
        if len(unproven) == MAX_UNPROVEN:
            break
    return unproven[0] if unproven else evolve(blank, verified="refuted", detail=refuted[0])


def _better(from_zero: Result, any_input: Result) -> Result:
    """Return the result that holds from |0…0⟩ unless one that holds on any input is as good."""
    costs = [r.cost for r in (from_zero, any_input) if r.counts and r.cost is not None]
    if any_input.counts and any_input.cost == min(costs, default=None):
        return evolve(
            any_input,
            peer=from_zero.peer,
            calls=from_zero.calls + any_input.calls,
            seconds=from_zero.seconds + any_input.seconds,
            cpu_seconds=from_zero.cpu_seconds + any_input.cpu_seconds,
        )
    return from_zero


def peer_versions(names: Sequence[str]) -> dict[str, str | None]:
    """Return the versions of compilers' packages, None where one is missing."""
    result: dict[str, str | None] = {}
    for name in names:
        peer = peers[name]
        package = "stichwerk" if peer.ours else peer.package
        if peer.environment is not None:
            result[package] = peer.environment.version(package)
            continue
        try:
            result[package] = version(package)
        except PackageNotFoundError:
            result[package] = None
    return result
