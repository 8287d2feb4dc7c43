"""Estimating: an estimator asks for rounds, each of which says what the next one is."""

from functools import lru_cache

from attrs import frozen

from compiler.amplification.event import Event
from compiler.amplification.iterate import Amplification, amplified
from compiler.formats.circuit_files import qpy_bytes
from games.sources import Source, read_program
from workers.compilation.orders import CompileOrder
from workers.estimation.asked import estimation_from_json, recorded_estimate
from workers.scoring import counts_of
from workers.stages.context import StageContext
from workers.stages.rounds import Round, Rounds, order_of


def estimate(context: StageContext) -> None:
    """Take an estimate as far as its rounds have come, and record what is found.

    Raises:
        OpenRoundError: if a round has not ended yet.
        FailedRoundError: if one never will.
    """
    job = context.job
    assert job.estimation is not None
    asked, order = estimation_from_json(job.estimation), order_of(context.session, job)
    amplification = _amplified(order.source, order.encoding, asked.observable)
    event = amplification.event
    found = asked.asking(event).estimate(_Oracle(Rounds(context), amplification, order))
    job.estimate = recorded_estimate(found, asked, event, order.options)


@lru_cache(maxsize=2)
def _amplified(source: Source, encoding: str, observable: str) -> Amplification:
    """Kept, because an estimate is looked at after each of its rounds."""
    return amplified(Event(read_program(source, encoding), observable))


@frozen(eq=False)
class _Oracle:
    """Answers an estimator from the rounds that are done; see `compiler.estimation.Oracle`.

    Args:
        rounds: of the estimate.
        amplification: what is run.
        order: how; its source is the program that is amplified.
    """

    rounds: Rounds
    amplification: Amplification
    order: CompileOrder

    def __call__(self, iterates: int, shots: int) -> int:
        """Return in how many shots the event happened."""
        program = self.amplification.program(iterates)
        name = f"{self.order.source.name}, {iterates} iterates.qpy"
        order = CompileOrder(
            Source(name, qpy_bytes(program.circuit)), self.order.target, self.order.options
        )
        (one,) = self.rounds.ended([Round(order, shots, f"{iterates} iterates")])
        event = self.amplification.event
        return sum(n for measured, n in counts_of(one).items() if event.happens(measured))
