"""The attempts of a plan: in which order they are made, which are left out, which are refined."""

from collections.abc import Iterable, Mapping
from functools import partial
from math import inf

from compiler.compilation.candidate import Candidate, is_refinable, lower, refine
from compiler.compilation.listener import Listener
from compiler.compilation.plan import Plan
from compiler.lowering.draft import Pass
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import REFINABLE, Attempt, pipelines, ranked
from compiler.verification.equivalence import NARROW

Results = Mapping[int, tuple[bytes, Figures | None]]
"""Native circuit and figures by place of the attempt; no figures where lowering failed."""

NOT_BEGUN = "not begun: the time limit had passed"
"""Why a candidate has no circuit if its attempt was too late."""


REFINED = 8
"""Results on which the passes that take long are run."""

QUICKLY_REFINED = 100
"""Two-qubit gates up to which results are refined in seconds."""

SMALL = 300
"""Two-qubit gates beyond which only the two best results are refined."""

FAR, FAR_ON_ANY_INPUT = 1.5, 1.15
"""Factor over the gates of the best pipeline up to which one gets more seeds than the first.

From |0…0⟩ it may be more, for the best are refined there, which brings them nearer to each other.
"""


def lower_all(plan: Plan, listener: Listener) -> list[Candidate]:
    """Make the attempts of a plan, and refine the best.

    The first is tried alone, and pipelines that take long after the others; only those that are
    always tried are tried where nothing is left to gain. Of pipelines that are far behind after
    their first seed no other is tried. Those that approximate are tried last of all.

    Args:
        plan: the attempts.
        listener: makes the calls, and is notified of each result.

    Returns:
        A candidate for each attempt that is not left out, also for those that were too late.
    """
    attempts, options = plan.attempts, plan.options
    natives: dict[int, Candidate] = {}
    behind: list[int] = []
    last = [i for i, attempt in enumerate(attempts) if pipelines[attempt.pipeline].approximates]

    def least() -> float:
        counts_gates = options.objective == "two_qubit_gates"
        return _gates(natives) if counts_gates and natives else inf

    def undone_of(places: Iterable[int]) -> list[int]:
        return [place for place in places if place not in (*natives, *behind, *last)]

    def make(places: Iterable[int]) -> None:
        undone = undone_of(places)
        calls = [attempts[place] for place in undone]
        lower_one = partial(lower, plan, listener.clock, least=least())
        for number, candidate in listener.each(lower_one, calls, listener.late):
            place = undone[number]
            if candidate.gains:
                natives[place] = candidate
                listener.lowered(place, candidate)
            else:
                alike = [
                    i
                    for i, attempt in enumerate(attempts)
                    if _kind(attempt) == _kind(attempts[place])
                ]
                leave_out(alike, candidate.error)

    def leave_out(places: Iterable[int], reason: str) -> None:
        out = undone_of(places)
        behind.extend(out)
        listener.left_out(out, reason)

    first = [place for place, attempt in enumerate(attempts) if attempt.seed == options.seed]
    make(first[:1])
    if not listener.late() and not _nothing_is_left(plan, natives):
        make(place for place in first if not pipelines[attempts[place].pipeline].late)
    if not listener.late() and _gates(natives) > 0:
        make(place for place in first if pipelines[attempts[place].pipeline].always)
    if not listener.late() and _nothing_is_left(plan, natives):
        leave_out(range(len(attempts)), "nothing is left to gain")
    elif not listener.late():
        leave_out(_without_gain(plan, natives), "its first pass simplifies no further")
        make(first)
    if not listener.late():
        leave_out(_far_behind(plan, natives), "far behind")
        further = _further_seeds(plan)
        make(place for place in range(len(attempts)) if place not in further)
        leave_out(_not_leading(plan, natives, further), "another pipeline is better")
    if not listener.late():
        make(range(len(attempts)))
    if not listener.late() and options.objective in REFINABLE:
        _refine(plan, listener, natives)
    last.clear()
    if not listener.late():
        make(range(len(attempts)))
    return [
        natives.get(place, Candidate(attempt, error=NOT_BEGUN))
        for place, attempt in enumerate(attempts)
        if place not in behind
    ]


def _refine(plan: Plan, listener: Listener, natives: dict[int, Candidate]) -> None:
    """Replace the best candidates by those that passes make of them that take long."""
    results = {place: (each.native, each.figures) for place, each in natives.items()}
    objective, fast = plan.options.objective, plan.options.method == "fast"
    places = worth_refining(results, objective, fast=fast)
    places = [place for place in places if is_refinable(plan, plan.attempts[place])]
    places = [*dict.fromkeys([*places, *_worth_placing(plan, results)])]
    refine_one = partial(refine, plan, listener.clock)
    chosen = [natives[place] for place in places]
    for number, candidate in listener.each(refine_one, chosen, listener.late):
        natives[places[number]] = candidate
        listener.refined(places[number], chosen[number], candidate)


def _kind(attempt: Attempt) -> tuple[str, str]:
    """Return the part that an attempt shares with others that differ in their seed alone."""
    return attempt.synthesis, attempt.pipeline


def _nothing_is_left(plan: Plan, natives: Mapping[int, Candidate]) -> bool:
    """Return whether no other attempt is expected to take fewer two-qubit gates.

    So it is if there are none, and on any input if routing has added none: to the fewest before
    it, or in the method `fast` to any of them. From |0…0⟩ more is known of a circuit that is
    routed than of one that is not.
    """
    if plan.options.objective != "two_qubit_gates":
        return False
    least = _gates(natives)
    if least == 0 or not plan.options.any_input:
        return least == 0
    before = _before_routing(plan, natives).values()
    return least <= (max if plan.options.method == "fast" else min)(before, default=0)


def _gates(natives: Mapping[int, Candidate]) -> int:
    """Return the fewest two-qubit gates so far, 1 if there are no circuits yet."""
    figures = (each.figures for each in natives.values())
    return min((each.two_qubit_gates for each in figures if each), default=1)


def _before_routing(plan: Plan, natives: Mapping[int, Candidate]) -> dict[tuple[str, str], int]:
    """Return the two-qubit gates that were to be routed, by synthesis and pipeline."""
    result = {}
    for place, native in natives.items():
        attempt = plan.attempts[place]
        gates = pipelines[attempt.pipeline].before_routing(native.steps) if native.steps else None
        if gates is not None:
            result[_kind(attempt)] = gates
    return result


def _without_gain(plan: Plan, natives: Mapping[int, Candidate]) -> list[int]:
    """Return the places of attempts after a pass of others that takes no fewer gates than ours."""
    gates = _before_routing(plan, natives)

    def gains(synthesis: str, after: Pass) -> bool:
        theirs = {key for key in gates if after in pipelines[key[1]].passes}
        least = min((gates[key] for key in gates if key not in theirs), default=inf)
        return not theirs or any(gates[key] < least for key in theirs if key[0] == synthesis)

    return [
        place
        for place, attempt in enumerate(plan.attempts)
        if (after := pipelines[attempt.pipeline].after) and not gains(attempt.synthesis, after)
    ]


def _far_behind(plan: Plan, natives: Mapping[int, Candidate]) -> list[int]:
    """Return the places of attempts whose pipelines were far behind with their first seed."""
    if plan.options.objective != "two_qubit_gates":
        return []
    first = {
        _kind(attempt): figures.two_qubit_gates
        for place, attempt in enumerate(plan.attempts)
        if place in natives and (figures := natives[place].figures) is not None
    }
    most = min(first.values(), default=0) * (FAR_ON_ANY_INPUT if plan.options.any_input else FAR)
    return [
        place for place, attempt in enumerate(plan.attempts) if first.get(_kind(attempt), 0) > most
    ]


def _further_seeds(plan: Plan) -> list[int]:
    """Return the places of the second half of the seeds of pipelines that take long."""
    half = -(-plan.options.seeds // 2)
    return [
        place
        for place, attempt in enumerate(plan.attempts)
        if pipelines[attempt.pipeline].late and attempt.seed - plan.options.seed >= half
    ]


def _not_leading(
    plan: Plan, natives: Mapping[int, Candidate], places: Iterable[int]
) -> Iterable[int]:
    """Return the places whose pipeline is not the best so far, all where circuits are large."""
    counted = [(at, each.figures) for at, each in natives.items() if each.figures is not None]
    if not counted or _gates(natives) > SMALL:
        return places
    leading = _kind(plan.attempts[ranked(counted, plan.options.objective)[0]])
    return [place for place in places if _kind(plan.attempts[place]) != leading]


def _worth_placing(plan: Plan, results: Results) -> list[int]:
    """Return the places of results that are refined by postponed passes, if there are any.

    These are the best one, and on many qubits the best of those that no other compiler has built
    anew from Pauli rotations: it comes next where such a circuit cannot be proven.
    """
    if not plan.postponed:
        return []
    counted = [(place, figures) for place, (_, figures) in results.items() if figures is not None]
    order = ranked(counted, plan.options.objective)
    if plan.program.circuit.num_qubits <= NARROW:
        return order[:1]
    ours = [place for place in order if not pipelines[plan.attempts[place].pipeline].rebuilds]
    return [*order[:1], *ours[:1]]


def worth_refining(results: Results, objective: str, *, fast: bool = False) -> list[int]:
    """Return the places of the best results, each circuit once; none where nothing is to save.

    Args:
        results: of all attempts.
        objective: to be minimised.
        fast: whether only the two best are refined, the second if it is small or near the first.
    """
    different: dict[bytes, tuple[int, Figures]] = {}
    for place, (native, figures) in sorted(results.items()):
        if figures is not None:
            different.setdefault(native, (place, figures))
    order = ranked(different.values(), objective)
    if not different or not all(figures.two_qubit_gates for _, figures in different.values()):
        return []
    small = [place for place, figures in different.values() if figures.two_qubit_gates <= SMALL]
    if fast:
        gates = {place: figures.two_qubit_gates for place, figures in different.values()}
        limit = max(FAR_ON_ANY_INPUT * gates[order[0]], QUICKLY_REFINED)
        order = [place for place in order if gates[place] <= limit]
    return order[: REFINED if small and not fast else 2]
