"""Training: what earlier circuits have measured says which ones come next."""

from collections.abc import Sequence

from attrs import evolve

from games.sources import Source, read_game
from games.training import Counted, trainings
from workers.records.tables import Job
from workers.scoring import counts_of
from workers.stages.context import StageContext
from workers.stages.rounds import Round, Rounds, order_of

BEGINS = "the training begins"


def train(context: StageContext) -> None:
    """Take a training as far as its circuits have come, and record what has been learned.

    Raises:
        OpenRoundError: if a circuit has not been run yet.
        FailedRoundError: if one never will be.
    """
    job = context.job
    asked = job.request
    assert asked is not None
    order, rounds, told = order_of(context.session, job), Rounds(context), [BEGINS]

    def count(documents: Sequence[str]) -> list[Counted]:
        name = order.source.name
        ended = rounds.ended(
            [
                Round(evolve(order, source=Source(name, text.encode())), job.shots, told[-1])
                for text in documents
            ]
        )
        return [_counted(one) for one in ended]

    method = trainings[asked["kind"]]()
    job.result = method.train(read_game(order.source), asked, count, told.append)


def _counted(job: Job) -> Counted:
    gates = job.compiled.chosen.two_qubit_gates
    assert gates is not None, "what was run has been lowered"
    return Counted(job.id, counts_of(job), gates)
