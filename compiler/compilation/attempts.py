"""The attempts of a plan: in which order they are made, which are left out, which are refined."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Protocol

from compiler.compilation.calls import Each, Listener
from compiler.compilation.plan import Plan
from compiler.compilation.task import Clock, Native, Refinable, Task, is_refinable, lower, refine
from compiler.lowering.figures import Figures
from compiler.lowering.passes import Pass
from compiler.lowering.pipeline import pipelines
from compiler.lowering.portfolio import (
    FAR,
    FAR_ON_ANY_INPUT,
    REFINABLE,
    REFINED,
    SMALL,
    Attempt,
    ranked,
)


def lower_all(
    planned: Plan,
    each: Each,
    clock: Clock,
    listener: Listener,
    late: Callable[[], bool] = lambda: False,
) -> list[tuple[Attempt, Native]]:
    """Make the attempts of a plan, and refine the best.

    The first is tried alone, and pipelines that take long after the others, all only if there is
    something left to gain. Of pipelines that are far behind after their first seed no other is
    tried.

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
    early = [place for place in first if not pipelines[tasks[place].attempt.pipeline].late]
    make(first[:1])
    behind: list[int] = []

    def undone(places: Iterable[int]) -> list[int]:
        return [place for place in places if place not in natives and place not in behind]

    def leave_out(places: Iterable[int], reason: str) -> None:
        out = undone(places)
        behind.extend(out)
        listener.left_out(out, reason)

    if not late() and not _nothing_is_left(planned, natives):
        make(undone(early))
    if not late() and _nothing_is_left(planned, natives):
        leave_out(range(len(tasks)), "nothing is left to gain")
    elif not late():
        leave_out(_without_gain(planned, natives), "its first pass simplifies no further")
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


def _without_gain(planned: Plan, natives: Mapping[int, Native]) -> list[int]:
    """Return the places of attempts after a pass of others that takes no fewer gates than ours."""
    gates = _before_routing(planned, natives)

    def gains(synthesis: str, after: Pass) -> bool:
        theirs = {key for key in gates if after in pipelines[key[1]].passes}
        least = min((gates[key] for key in gates if key not in theirs), default=inf)
        return not theirs or any(gates[key] < least for key in theirs if key[0] == synthesis)

    return [
        place
        for place, one in enumerate(planned.attempts)
        if (after := pipelines[one.pipeline].after) and not gains(one.synthesis, after)
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
