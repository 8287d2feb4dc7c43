"""Parent jobs: estimations, trainings and batches, led as far as their child jobs have come."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from attrs import evolve, frozen

from compiler.amplification.counting import counting_program
from compiler.amplification.iterate import Amplification, amplified
from compiler.estimation import Counting
from compiler.formats.circuit_files import qpy_bytes
from compiler.program import Program
from games.sources import Source, read_game, read_program
from games.training import CircuitRun
from games.trick_taking.training.result import train_on_request
from workers.batches.running import run_batch
from workers.compilation.orders import CompileOrder, stored_order
from workers.estimation.request import Quantity, estimation_from_json, quantity, recorded_estimate
from workers.jobs.journal import Passed, move, wait
from workers.jobs.states import JobKind, State
from workers.records.tables import Job, Order
from workers.scoring import counts_of
from workers.stages.child_jobs import ChildRun, ChildRuns, OpenChildError
from workers.stages.context import StageContext

BEGINS = "the training begins"


def train(context: StageContext) -> None:
    """Run a training until a circuit has not ended, and record its result at the end.

    Raises:
        OpenChildError: if a circuit has not been run yet.
        FailedChildError: if one never will be.
    """
    job = context.job
    request = job.request
    assert request is not None
    order, runs, details = _order(context), ChildRuns(context), [BEGINS]

    def run(documents: Sequence[str]) -> list[CircuitRun]:
        name = order.source.name
        ended = runs.ended(
            [
                ChildRun(evolve(order, source=Source(name, text.encode())), job.shots, details[-1])
                for text in documents
            ]
        )
        return [_circuit_run(child) for child in ended]

    job.result = train_on_request(read_game(order.source), request, run, details.append)


def _order(context: StageContext) -> CompileOrder:
    """Return the order of a parent job, from which those of its child jobs follow."""
    return stored_order(context.session.get_one(Order, context.job.order_digest))


def _circuit_run(job: Job) -> CircuitRun:
    gates = job.compiled.chosen.two_qubit_gates
    assert gates is not None, "the circuit of a run has been lowered"
    return CircuitRun(job.id, counts_of(job), gates)


def estimate(context: StageContext) -> None:
    """Run an estimation until a circuit has not ended, and record its result at the end.

    Raises:
        OpenChildError: if a circuit has not been run yet.
        FailedChildError: if one never will be.
    """
    job = context.job
    assert job.request is not None
    request, order = estimation_from_json(job.request), _order(context)
    wanted, amplification = _wanted(order.source, order.encoding, request.observable)
    oracle = _Oracle(ChildRuns(context), amplification, order)
    asking = request.asking(wanted)
    if isinstance(asking, Counting):
        result = asking.estimate(oracle.count)
    else:
        result = asking.estimate(oracle)
    job.result = recorded_estimate(result, request, wanted, order.options)


@lru_cache(maxsize=2)
def _wanted(source: Source, encoding: str, observable: str) -> tuple[Quantity, Amplification]:
    """Return the quantity and its amplified program; cached, for each run asks for them."""
    wanted = quantity(read_program(source, encoding), observable)
    return wanted, amplified(wanted.event)


@frozen(eq=False)
class _Oracle:
    """Oracle of an estimator, from the rounds that are done; see `compiler.estimation.Oracle`.

    Args:
        runs: of the estimation.
        amplification: of the rounds.
        order: of the circuits; its source is the program that is amplified.
    """

    runs: ChildRuns
    amplification: Amplification
    order: CompileOrder

    def __call__(self, iterates: Sequence[int], shots: int) -> list[int]:
        """Return in how many shots of each circuit the event happened."""
        event = self.amplification.event
        circuits = [(self.amplification.program(j), f"{j} iterates") for j in iterates]
        return [
            sum(n for measured, n in counts.items() if event.happens(measured))
            for counts in self._measured(circuits, shots)
        ]

    def count(self, bits: int, shots: int) -> Mapping[int, int]:
        """Return shots by measured phase."""
        program = counting_program(self.amplification, bits)
        (counts,) = self._measured([(program, f"{bits} bits of phase")], shots)
        return counts

    def _measured(
        self, circuits: Sequence[tuple[Program, str]], shots: int
    ) -> list[Mapping[int, int]]:
        """Return the counts of programs, which are described for the parent's events."""
        runs, name = [], self.order.source.name
        for program, detail in circuits:
            source = Source(f"{name}, {detail}.qpy", qpy_bytes(program.circuit))
            order = CompileOrder(source, self.order.target, self.order.options)
            runs.append(ChildRun(order, shots, detail))
        return [counts_of(job) for job in self.runs.ended(runs)]


LEADERS: Mapping[JobKind, Callable[[StageContext], None]] = {
    JobKind.ESTIMATION: estimate,
    JobKind.TRAINING: train,
    JobKind.BATCH: run_batch,
}
"""Functions that submit child jobs and record the parent's result, by the parent's kind."""


def lead(context: StageContext) -> bool:
    """Take a parent job as far as its child jobs have come."""
    session, job = context.session, context.job
    if job.state == State.QUEUED:
        move(session, job, State.RUNNING, by=Passed(State.SUBMITTING))
    try:
        LEADERS[JobKind(job.kind)](context)
    except OpenChildError:
        wait(session, job, context.settings.poll_seconds)
        return False
    job.error = None
    move(session, job, State.DONE, by=Passed(State.SCORING))
    return False
