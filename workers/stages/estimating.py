"""Estimating: an estimator asks for rounds, each of which says what the next one is."""

from collections.abc import Mapping
from functools import lru_cache

from attrs import frozen

from compiler.amplification.counting import counting_program
from compiler.amplification.iterate import Amplification, amplified
from compiler.formats.circuit_files import qpy_bytes
from compiler.program import Program
from games.sources import Source, read_program
from workers.compilation.orders import CompileOrder
from workers.estimation.asked import estimated, estimation_from_json, recorded_estimate
from workers.estimation.quantity import Quantity, quantity
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
    assert job.request is not None
    asked, order = estimation_from_json(job.request), order_of(context.session, job)
    wanted, amplification = _wanted(order.source, order.encoding, asked.observable)
    oracle = _Oracle(Rounds(context), amplification, order)
    found = estimated(asked.asking(wanted), oracle)
    job.result = recorded_estimate(found, asked, wanted, order.options)


@lru_cache(maxsize=2)
def _wanted(source: Source, encoding: str, observable: str) -> tuple[Quantity, Amplification]:
    """Kept, because an estimate is looked at after each of its rounds."""
    wanted = quantity(read_program(source, encoding), observable)
    return wanted, amplified(wanted.event)


@frozen(eq=False)
class _Oracle:
    """Answers an estimator from the rounds that are done; see `workers.estimation.asked.Oracle`.

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
        program, event = self.amplification.program(iterates), self.amplification.event
        counts = self._measured(program, shots, f"{iterates} iterates")
        return sum(n for measured, n in counts.items() if event.happens(measured))

    def count(self, bits: int, shots: int) -> Mapping[int, int]:
        """Return shots by measured phase."""
        program = counting_program(self.amplification, bits)
        return self._measured(program, shots, f"{bits} bits of phase")

    def _measured(self, program: Program, shots: int, told: str) -> Mapping[int, int]:
        source = Source(f"{self.order.source.name}, {told}.qpy", qpy_bytes(program.circuit))
        order = CompileOrder(source, self.order.target, self.order.options)
        (one,) = self.rounds.ended([Round(order, shots, told)])
        return counts_of(one)
