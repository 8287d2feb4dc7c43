"""Who runs a training's circuits: this command, one after the other, or workers later."""

from collections.abc import Sequence
from itertools import count as numbers

from attrs import evolve

from games.commands import Answer, Means, Run, Training
from games.playing.panels import Lines
from games.training import Count, Counted
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.weighted.card_plays import CARD_PLAYS


def running(means: Means, run: Run, backend: str) -> Count:
    """Return what runs circuits and waits for them.

    Args:
        means: what compiles and runs.
        run: how circuits are run; its seed is that of the first one's compiler and backend, and
            each further one has the next.
        backend: the spec.
    """
    seeds = numbers(run.seed)

    def count(documents: Sequence[str]) -> list[Counted]:
        ran = [
            means.run(
                evolve(run, name="weighted.toml", document=text, backend=backend, seed=next(seeds))
            )
            for text in documents
        ]
        return [Counted(one.job, one.counts, one.two_qubit_gates) for one in ran]

    return count


def handed(means: Means, run: Run, wanted: Wanted, *, tag: str, max_cost: str) -> Answer:
    """Hand a training to workers, and return what a command answers then.

    Args:
        means: what records it.
        run: the game as it is at the beginning, and how each circuit is run.
        wanted: what is trained; workers go on from what the game has.
        tag: of all jobs.
        max_cost: of all jobs together.
    """
    asked = {
        "kind": CARD_PLAYS, "objective": wanted.objective, "seat": wanted.seat,
        "steps": wanted.steps, "shots": run.shots, "backend": run.backend, "seed": run.seed,
    }  # fmt: skip
    given = means.hand_over(Training(run, asked, tag, max_cost))
    told = [f"job {given.job}: new, {given.circuits} circuits"]
    if float(given.least_cost_usd):
        told.append(f"together they cost at least {given.least_cost_usd} USD")
    told.append(f"then: job {given.job} --watch, result {given.job} -o trained.toml")
    answer = {"jobs": [given.job], "new": [given.job], "circuits": given.circuits}
    return Answer(
        [Lines("Handed to the workers", told)], answer | {"least_cost_usd": given.least_cost_usd}
    )
