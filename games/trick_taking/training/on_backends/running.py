"""Who runs a training's circuits: this command, one after the other, or workers later."""

from collections.abc import Sequence
from itertools import count as numbers

from games.commands import Answer, Handed, Means, Run
from games.playing.panels import Lines
from games.training import Count, Counted


def running(means: Means, backend: str, shots: int, seed: int, pipelines: tuple[str, ...]) -> Count:
    """Return what runs circuits and waits for them.

    Args:
        means: what compiles and runs.
        backend: the spec.
        shots: of each circuit.
        seed: of the first circuit's compiler and backend; each further one has the next.
        pipelines: that lower the circuits; see `Run`.
    """
    seeds = numbers(seed)

    def count(documents: Sequence[str]) -> list[Counted]:
        ran = [
            means.run(Run("weighted.toml", text, backend, shots, next(seeds), pipelines))
            for text in documents
        ]
        return [Counted(one.job, one.counts, one.two_qubit_gates) for one in ran]

    return count


def handed(given: Handed) -> Answer:
    """Return the answer of a command that has handed a training to workers."""
    told = [
        f"job {given.job}: new, {given.circuits} circuits",
        f"then: stichwerk job {given.job} --watch; stichwerk result {given.job} -o trained.toml",
    ]
    if float(given.least_cost_usd):
        told.insert(1, f"together they cost at least {given.least_cost_usd} USD")
    answer = {"jobs": [given.job], "new": [given.job], "circuits": given.circuits}
    return Answer(
        [Lines("Handed to the workers", told)], answer | {"least_cost_usd": given.least_cost_usd}
    )
