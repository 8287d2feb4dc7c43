"""An estimate that has been checked and planned, and its result where it runs in this process."""

from decimal import Decimal

from attrs import evolve, frozen
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import ProviderBackend, backend_from_spec, target_on
from compiler.amplification.event import first_event
from compiler.amplification.iterate import amplified
from compiler.compilation import Options, compile
from compiler.estimation import Bayesian, Counting
from compiler.program import Program
from compiler.targets import sized_spec
from compiler.words.estimator_names import PROVIDER_ROUNDS
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.plurals import how_many
from games import DEFAULT_ENCODING
from games.sources import Source, read_program
from service.cli.output.printing import progress, say
from service.cli.queue.sending import hand_over_job
from service.results.jobs.estimates import EstimateLimits, JobEstimate, PlannedEstimate
from workers.compilation.orders import CompileOrder
from workers.estimation.request import Estimation, Quantity, most_qubits, quantity
from workers.jobs.request import Submission, check_shots
from workers.jobs.states import JobKind
from workers.jobs.submission import least_cost_usd, submit
from workers.jobs.without_queue import finish_job
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import dollars, exact_usd, settings


@frozen
class Plan:
    """The expected resources of an estimate.

    Args:
        expected: by a rehearsal without noise; exact where the schedule is independent of counts.
        limits: that it never exceeds.
    """

    expected: PlannedEstimate
    limits: EstimateLimits

    @classmethod
    def of(cls, asking: Bayesian | Counting) -> "Plan":
        """Return the plan of an estimate; of quantum counting nothing is open."""
        if isinstance(asking, Counting):
            limits = _limits(asking.shots, (1 << asking.bits) - 1)
            return cls(PlannedEstimate.from_objects(limits, rounds=1, circuits=1, steps=1), limits)
        rehearsed = asking.rehearsed()
        expected = PlannedEstimate.from_objects(rehearsed, rounds=len(rehearsed.rounds))
        return cls(expected, _limits(asking.most_shots, asking.most_iterates))

    def told(self) -> str:
        """Return it as people read it."""
        plan = self.expected
        if plan.calls == self.limits.calls:
            return (
                f"planned: 1 circuit of {how_many(plan.deepest, 'iterate')}, "
                f"{how_many(plan.shots, 'shot')}, {how_many(plan.calls, 'call')} of the program"
            )
        return (
            f"planned: about {how_many(plan.rounds, 'round')} of "
            f"{how_many(plan.circuits, 'circuit')}, the deepest of about "
            f"{how_many(plan.deepest, 'iterate')}, about {how_many(plan.shots, 'shot')} and "
            f"{how_many(plan.calls, 'call')} of the program; with noise more, but at most "
            f"{how_many(self.limits.shots, 'shot')} and "
            f"{how_many(self.limits.deepest, 'iterate')}"
        )


def _limits(shots: int, deepest: int) -> EstimateLimits:
    return EstimateLimits(shots=shots, calls=shots * (2 * deepest + 1), deepest=deepest)


@frozen(eq=False)
class Estimated:
    """Estimate, and the circuits that gave it.

    Args:
        job: that is done, with its rounds.
        result: of the job.
        own: two-qubit gates of the program.
        iterate: two-qubit gates that an iterate adds.
        verified: how the circuits were proven.
        from_zero: whether the gates hold from |0…0⟩ only.
    """

    job: Job
    result: JobEstimate
    own: int
    iterate: int
    verified: list[str]
    from_zero: bool


@frozen(eq=False)
class ReadyEstimate:
    """An estimate that is ready to begin.

    Args:
        given: the user's source.
        program: of the rounds.
        wanted: the event or number.
        asked: estimator, error and confidence.
        asking: schedule of the rounds, or of the one circuit.
        planned: its expected resources.
        backend: of the rounds.
        target: of the circuits.
        options: of compilation.
    """

    given: Source
    program: Program
    wanted: Quantity
    asked: Estimation
    asking: Bayesian | Counting
    planned: Plan
    backend: str
    target: str
    options: Options

    @property
    def sampling(self) -> int:
        """Calls that sampling needs for the same error."""
        return self.wanted.sampling(self.asked.error, self.asked.confidence)

    def told(self) -> str:
        """Return the expected effort, and at a provider its cost, as people read it."""
        plan = self.planned.expected
        cost = least_cost_usd(self.backend, plan.shots // plan.steps, plan.steps)
        saved = least_cost_usd(self.backend, self.asked.shots, plan.rounds) - cost
        text = self.planned.told()
        if cost:
            text += f"; that costs about {exact_usd(cost)} USD, or more"
        if saved:
            text += f": {exact_usd(saved)} USD less than alone, in {how_many(plan.steps, 'job')}"
        return text

    def submission(self, tag: str, max_cost: str) -> Submission:
        """Return it as a job for workers.

        Args:
            tag: of all its jobs; empty for none.
            max_cost: limit of their cost together; empty for none.
        """
        widest = sized_spec(self.target, most_qubits(self.wanted, self.asking))
        order = CompileOrder(self.given, widest, self.options, self.program.encoding)
        limit = dollars(max_cost) if max_cost else None
        return Submission(
            order, self.backend, self.asked.shots, self.options.seed, tag=tag or None,
            max_cost_usd=limit, kind=JobKind.ESTIMATION,
            request=self.asked.as_json(),
        )  # fmt: skip

    def estimated_here(self, submission: Submission, database: str = "") -> Estimated:
        """Run the estimate as a job of this process, round after round.

        The effort is said before the first round.

        Args:
            submission: the same as a job that has been checked.
            database: of the records; by default the service's.

        Raises:
            BackendError: if a round fails.
            StateTooLargeError: if the program's state has too many basis states.
        """
        name, event, set_ = self.program.name, self.wanted.event, settings()
        say(f"{name}: constructing the Grover iterate of {event.name}")
        oracle = amplified(event)
        circuits = [compile(oracle.program(j), self.target, self.options) for j in (0, 1)]
        own, iterate = (compiled.figures.two_qubit_gates for compiled in circuits)
        from_zero = any(compiled.from_zero for compiled in circuits)
        suffix = from_zero_suffix(from_zero=from_zero)
        adds = f"{how_many(iterate - own, 'two-qubit gate')}{suffix}"
        say(
            f"{self.told()}; an iterate adds {adds} on {self.target}, the program has "
            f"{own}{suffix}; sampling needs {self.sampling:,} calls"
        )
        with Session(open_database(database or set_.database), expire_on_commit=False) as session:
            (job,) = submit(session, set_, submission, due=False)
            finish_job(session, job, progress=progress)
            rounds = session.scalars(select(Job).where(Job.parent_id == job.id))
            verified = {each.compiled.chosen.verified for each in rounds}
        result = JobEstimate.model_validate(job.result)
        return Estimated(job, result, own, iterate - own, sorted(verified), from_zero)


def ready_estimate(
    source: Source,
    estimation: Estimation,
    backend: str,
    options: Options,
    *,
    target: str = "",
    encoding: str = DEFAULT_ENCODING,
    together: int | None = None,
) -> ReadyEstimate:
    """Read a program, and return the estimate of one of its observables.

    Args:
        source: the user's.
        estimation: the request; without an observable that of the first event.
        backend: of the rounds.
        options: of the compiler; its seed is also that of the rounds.
        target: of the circuits; empty for the backend's own.
        encoding: of a game.
        together: most rounds that are chosen at once; by default several at a provider.

    Raises:
        InputError: if a name or a number is invalid.
    """
    check_shots(estimation.shots)
    spec = target_on(backend, target)
    program = read_program(source, encoding)
    wanted = quantity(program, estimation.observable or first_event(program))
    machine = backend_from_spec(backend)
    if together is None:
        together = PROVIDER_ROUNDS if isinstance(machine, ProviderBackend) else 1
    estimation = evolve(
        estimation,
        observable=wanted.event.name,
        together=together,
        noisy=machine.reads_with_errors(),
    )
    asking = estimation.asking(wanted)
    planned = Plan.of(asking)
    return ReadyEstimate(
        source, program, wanted, estimation, asking, planned, backend, spec, options
    )


def hand_over_estimate(
    ready: ReadyEstimate, submission: Submission, database: str
) -> tuple[int, Decimal]:
    """Hand over an estimate to the workers; return the job's number, and the cost of a round.

    The expected effort and cost are said before.

    Args:
        ready: the estimate.
        submission: the same as a job that has been checked.
        database: where the jobs are; by default the service's.
    """
    say(ready.told())
    return hand_over_job(submission, database)
