"""One case by every compiler: the calls, the proofs, and what is counted."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from importlib.metadata import PackageNotFoundError, version
from statistics import median_low

from attrs import evolve, frozen

from workers.parallel import each
from workers.peers.peer import Peer, peers
from workers.peers.stichwerk import ANY_INPUT, OURS
from workers.peers.subjects import Kind
from workers.peers.trials import Case, Outcome, Trial, attempt, prove, size, target_of

PROVEN = ("exact", "sampled")
LARGE = 400
"""CX gates of a program beyond which seeds are limited to `SEEDS_IF_LARGE`."""

SEEDS_IF_LARGE = 4

Progress = Callable[[str], None]


@frozen
class Result:
    """What one compiler made of one case.

    Args:
        case: the case.
        peer: the compiler.
        calls: how often it was called, with different seeds or pipelines.
        seconds: of all calls together.
        two_qubit_gates: of the best result that is not refuted; None if there is none.
        two_qubit_depth: of the same.
        depth: of the same.
        gates: of the same, on any number of qubits.
        median: of the two-qubit gates of all results that are not refuted.
        variant: the seed or pipeline that made the best.
        verified: `exact`, `sampled`, `unverified`, `refuted`, `failed` or `skipped`.
        holds: for which inputs the best is proven right.
        detail: what was compared, or what is wrong.
    """

    case: Case
    peer: str
    calls: int
    seconds: float
    two_qubit_gates: int | None = None
    two_qubit_depth: int | None = None
    depth: int | None = None
    gates: int | None = None
    median: int | None = None
    variant: str = ""
    verified: str = "skipped"
    holds: str = ""
    detail: str = ""

    @property
    def counts(self) -> bool:
        """Whether the result is proven, so that it may be compared."""
        return self.verified in PROVEN


def compare(
    case: Case, names: Sequence[str], seeds: int, pool: Executor | None, progress: Progress
) -> list[Result]:
    """Let every compiler try one case; return a result for each, in the order of `names`.

    Args:
        case: what is compiled.
        names: of the compilers.
        seeds: how many each seeded compiler and pipeline tries, from 0.
        pool: where the calls are made, None for this process.
        progress: is told what has been found.
    """
    results: dict[str, Result] = {}
    gates = size(case.subject, case.form)
    for name in _of_use(case, names):
        result = _compare(case, peers[name], gates, seeds, pool)
        results[name] = result
        found = result.detail if result.two_qubit_gates is None else str(result.two_qubit_gates)
        progress(
            f"{case.subject.title}, {case.form} on {case.target}: {name}: {result.verified}, "
            f"{found} ({result.calls} calls, {result.seconds:.1f} s)"
        )
    if OURS in results and ANY_INPUT in results:
        results[OURS] = _better(results[OURS], results[ANY_INPUT])
    return list(results.values())


def _of_use(case: Case, names: Sequence[str]) -> Iterator[str]:
    """Leave out results of ours that would hold for other inputs than those that matter."""
    subject = case.subject
    proven_on_any_input = subject.kind is Kind.CIRCUIT
    beyond_zero = subject.kind is Kind.OPERATOR and any(subject.operator.legal_inputs())
    for name in names:
        unwanted = OURS if beyond_zero else "" if proven_on_any_input else ANY_INPUT
        if name != unwanted:
            yield name


def _compare(case: Case, peer: Peer, gates: int, seeds: int, pool: Executor | None) -> Result:
    nothing = Result(case, peer.name, 0, 0.0)
    if case.subject.kind is Kind.DYNAMIC and not peer.dynamic:
        reason = f"skipped: {peer.name} takes no circuits that measure or branch on the way"
        return evolve(nothing, detail=reason)
    if not peer.installed:
        return evolve(nothing, detail=f"skipped: package '{peer.package}' is not installed")
    if peer.largest is not None and gates > peer.largest:
        return evolve(nothing, detail=f"skipped: {gates} CX are more than {peer.largest}")
    tried = range(min(seeds, SEEDS_IF_LARGE) if gates > LARGE else seeds)
    variants = peer.variants(target_of(case.target), tried)
    trials = [Trial(case, peer.name, variant) for variant in variants]
    made = dict(each(pool, attempt, trials))
    return _judged(case, peer, [(trials[place], made[place]) for place in range(len(trials))])


def _judged(case: Case, peer: Peer, made: Sequence[tuple[Trial, Outcome]]) -> Result:
    """Prove the best outcome, or the next one if it is refuted, and so on."""
    seconds = sum(outcome.seconds for _, outcome in made)
    done = sorted(
        ((outcome.figures, trial, outcome) for trial, outcome in made if outcome.figures),
        key=lambda one: (one[0].two_qubit_gates, one[0].two_qubit_depth),
    )
    blank = Result(case, peer.name, len(made), seconds)
    if not done:
        return evolve(blank, verified="failed", detail=made[0][1].error if made else "no calls")
    refuted = ""
    for place, (figures, trial, outcome) in enumerate(done):
        proof = prove(trial, outcome)
        if proof.verified == "refuted":
            refuted = refuted or proof.detail
            continue
        return evolve(
            blank,
            two_qubit_gates=figures.two_qubit_gates,
            two_qubit_depth=figures.two_qubit_depth,
            depth=figures.depth,
            gates=figures.gates,
            median=median_low(one[0].two_qubit_gates for one in done[place:]),
            variant=str(trial.variant),
            verified=proof.verified,
            holds=proof.holds,
            detail=proof.detail + f"; {place} better ones refuted: {refuted}" * bool(place),
        )
    return evolve(blank, verified="refuted", detail=refuted)


def _better(from_zero: Result, any_input: Result) -> Result:
    """Return what holds from |0…0⟩ unless what holds on any input is as good."""
    gates = [r.two_qubit_gates for r in (from_zero, any_input) if r.counts]
    if any_input.counts and any_input.two_qubit_gates == min(g for g in gates if g is not None):
        calls, seconds = from_zero.calls + any_input.calls, from_zero.seconds + any_input.seconds
        return evolve(any_input, peer=from_zero.peer, calls=calls, seconds=seconds)
    return from_zero


def peer_versions(names: Sequence[str]) -> dict[str, str | None]:
    """Return the versions of compilers' packages, None where one is missing."""
    found: dict[str, str | None] = {}
    for name in names:
        package = "stichwerk" if peers[name].ours else peers[name].package
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
