"""The stages `compile` and `verify`: what `compiler.compilation` does, recorded as it is done.

Each takes and returns rows, so that a queue can run them one by one. The commands `compile`,
`run` and `bench` call the same functions one after the other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from time import perf_counter
from typing import TypeVar

from attrs import asdict, fields
from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.attempts import lower_all
from compiler.compilation.calls import Each, Listener
from compiler.compilation.choice import choose, failure, prove_until_sure
from compiler.compilation.plan import Plan
from compiler.compilation.proof import Claim, prove_program
from compiler.compilation.task import Native, Task
from compiler.errors import VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.figures import Figures
from compiler.lowering.portfolio import Attempt
from compiler.native_digest import native_digest
from compiler.program import Program, reusing_as
from compiler.verification.program import Verdict
from compiler.words.held_inputs import from_zero_suffix
from games.sources import Source, read_program
from workers.compilation.orders import PlannedOrder
from workers.events import AttemptMade, publish
from workers.parallel import each, never
from workers.provenance import revision, versions
from workers.records.devices import keep_device
from workers.records.tables import Candidate, CircuitRow, Compilation, now

Progress = Callable[[str], None]
NOT_ASKED = "not asked", "a better one is proven"
"""What is recorded of candidates whose proof could change nothing."""

A = TypeVar("A")
R = TypeVar("R")


def compile_program(
    session: Session,
    planned: PlannedOrder,
    pool: Executor | None,
    progress: Progress,
    order_digest: str | None = None,
) -> Compilation:
    """Make every attempt of the portfolio and record it.

    Args:
        session: where it is recorded.
        planned: what is compiled.
        pool: processes that make the attempts, None for this one.
        progress: hears a line after each.
        order_digest: of the recorded order that this carries out. It may have been made with
            other versions than these; None for one of these.
    """
    # A transaction that is open while others compute would be taken for one that was forgotten.
    session.commit()
    order, plan = planned.order, planned.plan
    if order_digest is None and order.time_limit is None:
        order_digest = order.digest
    options, reuse = plan.options, plan.program.reuse
    compilation = Compilation(
        batch=order.batch,
        program=order.source.name,
        source=order.source.content,
        expected=order.source.expected or None,
        source_digest=order.source.digest,
        target=order.target,
        method=options.method,
        encoding=plan.program.encoding,
        objective=options.objective,
        seed=options.seed,
        budget=options.budget,
        without=list(options.without),
        any_input=bool(options.any_input),
        qubits_saved=reuse.saved if reuse else None,
        qubit_chains=[list(chain) for chain in reuse.chains] if reuse else [],
        program_verified="pending",
        order_digest=order_digest,
        versions=versions(),
        revision=revision(),
    )
    started = perf_counter()

    def late() -> bool:
        return order.time_limit is not None and perf_counter() - started > order.time_limit

    heard = _Lowering(f"{order.source.name} on {order.target}", plan, progress)
    lowered = lower_all(plan, calls_of(pool, late), perf_counter, heard, late)
    compilation.candidates = [
        Candidate(
            synthesis=attempt.synthesis,
            pipeline=attempt.pipeline,
            seed=attempt.seed,
            lower_seconds=native.seconds,
            initial_layout=list(native.initial_layout),
            final_layout=list(native.final_layout),
            steps=[asdict(step) for step in native.steps],
            native=native.native or None,
            logical=native.logical or None,
            verified="pending" if native.native else "failed",
            detail=native.error,
            **(asdict(figures) if (figures := native.figures) else {}),
        )
        for attempt, native in lowered
    ]
    compilation.compile_seconds = perf_counter() - started
    keep_device(session, order.target)
    session.add(compilation)
    session.commit()
    return compilation


def verify_compilation(
    session: Session, compilation: Compilation, pool: Executor | None, progress: Progress
) -> Compilation:
    """Prove the program against its judge and candidates against the program; choose one.

    Another worker may do so at the same time: what has been chosen first stays chosen.

    Raises:
        LoweringError: if no pipeline got through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    started = perf_counter()
    calls = calls_of(pool, never)
    try:
        program = lowered_program(compilation)
        session.commit()
        ((_, compilation.program_verified),) = calls(prove_program, [program])
    except VerificationError:
        compilation.program_verified = "refuted"
        session.commit()
        raise
    options = Options(
        method=compilation.method,
        objective=compilation.objective,
        seed=compilation.seed,
        budget=compilation.budget,
        without=tuple(compilation.without),
        any_input=compilation.any_input,
        reuse_qubits=compilation.qubits_saved is not None,
    )
    pending = [candidate for candidate in compilation.candidates if candidate.native]
    claims = [
        Claim(
            Task(
                program,
                compilation.target,
                options,
                Attempt(candidate.synthesis, candidate.pipeline, candidate.seed),
                perf_counter,
            ),
            candidate.native or b"",
            candidate.logical or b"",
            tuple(candidate.initial_layout),
            tuple(candidate.final_layout),
        )
        for candidate in pending
    ]
    session.commit()
    if _is_chosen(session, compilation):
        return compilation
    heard = _Proving(f"{compilation.program} on {compilation.target}", pending, progress)
    found = [figures_of(candidate) for candidate in pending]
    proofs = prove_until_sure(claims, found, compilation.objective, calls, heard)
    for place, (verdict, seconds) in proofs:
        candidate = pending[place]
        candidate.verified, candidate.detail = verdict.verified, verdict.detail
        candidate.verify_seconds = seconds
        session.commit()
    if not _still_open(session, compilation, perf_counter() - started):
        return compilation
    chosen = choose(
        [(one, Verdict(one.verified, one.detail), figures_of(one)) for one in pending],
        compilation.objective,
    )
    if chosen is not None:
        for one in pending:
            if one.verified == "pending":
                one.verified, one.detail = NOT_ASKED
        chosen.chosen = True
        if chosen.native is not None:
            compilation.native_digest = native_digest(read_qpy(chosen.native, "native"))
        keep_chosen(session, compilation)
    session.commit()
    if chosen is None:
        raise failure(
            compilation.program,
            [
                (one.detail, Verdict(one.verified, one.detail) if one in pending else None)
                for one in compilation.candidates
            ],
        )
    return compilation


def _still_open(session: Session, compilation: Compilation, seconds: float) -> bool:
    """Add to the time that was taken, and tell whether no other worker has chosen a candidate.

    One that was thought dead may go on. None can choose from now on to the session's next commit.
    """
    taken = func.coalesce(Compilation.compile_seconds, 0) + seconds
    session.execute(
        update(Compilation).where(Compilation.id == compilation.id).values(compile_seconds=taken)
    )
    if _is_chosen(session, compilation):
        session.rollback()
        return False
    return True


def _is_chosen(session: Session, compilation: Compilation) -> bool:
    """Tell whether another worker has chosen a candidate; what is known of them is then read anew.

    Nothing else is: a worker finds by what it has read that its job was cancelled meanwhile.
    """
    chosen = select(Candidate.id).where(
        Candidate.compilation_id == compilation.id, Candidate.chosen
    )
    if session.scalars(chosen).first() is None:
        return False
    for row in (*compilation.candidates, compilation):
        session.expire(row)
    return True


def lowered_program(compilation: Compilation) -> Program:
    """Return the program that was lowered, on as many qubits as it was lowered on.

    These are fewer if it uses them again as recorded, more if its syntheses took clean ones.

    Raises:
        VerificationError: if that is not possible.
    """
    program = read_program(source_of(compilation), compilation.encoding)
    if compilation.qubits_saved is None:
        wide = max((len(one.initial_layout) for one in compilation.candidates), default=0)
        return program.with_clean(wide - program.circuit.num_qubits)
    return reusing_as(program, tuple(tuple(chain) for chain in compilation.qubit_chains))


def source_of(compilation: Compilation) -> Source:
    """Return what was compiled, with what its circuit is expected to measure, as far as known."""
    return Source(compilation.program, compilation.source, compilation.expected or b"")


class _Lowering(Listener):
    """Tells of attempts."""

    def __init__(self, what: str, plan: Plan, progress: Progress) -> None:
        self._what, self._attempts, self._progress = what, plan.attempts, progress
        self._made = self._refined = 0
        self._wanted = len(plan.attempts)

    def lowered(self, place: int, native: Native) -> None:
        """Tell what was found."""
        attempt, figures = self._attempts[place], native.figures
        publish(AttemptMade("lower", attempt.pipeline, native.seconds))
        self._made += 1
        found = (
            f"{figures.two_qubit_gates} two-qubit gates"
            f"{from_zero_suffix(from_zero=any(step.from_zero for step in native.steps))}"
            if figures
            else f"failed: {native.error}"
        )
        self._progress(
            f"{self._what}: {attempt.pipeline} seed {attempt.seed}: {found} "
            f"({native.seconds:.1f} s, {self._made} of {self._wanted})"
        )

    def left_out(self, places: Sequence[int], reason: str) -> None:
        """Tell of which pipelines nothing, or nothing more, is tried, and why."""
        self._wanted -= len(places)
        if names := dict.fromkeys(self._attempts[place].pipeline for place in places):
            self._progress(f"{self._what}: no more of {', '.join(names)}: {reason}")

    def refined(self, place: int, before: Native, native: Native) -> None:
        """Tell what it was refined to."""
        attempt, figures = self._attempts[place], native.figures
        publish(AttemptMade("refine", attempt.pipeline, native.seconds - before.seconds))
        self._refined += 1
        gates = figures.two_qubit_gates if figures else 0
        self._progress(
            f"{self._what}: {attempt.pipeline} seed {attempt.seed}: refined to {gates} two-qubit "
            f"gates{from_zero_suffix(from_zero=any(step.from_zero for step in native.steps))} "
            f"({self._refined})"
        )


class _Proving(Listener):
    """Tells of proofs."""

    def __init__(self, what: str, pending: Sequence[Candidate], progress: Progress) -> None:
        self._what, self._pending, self._progress = what, pending, progress

    def proven(self, place: int, verdict: Verdict, seconds: float) -> None:
        """Tell how far it is proven."""
        candidate = self._pending[place]
        publish(AttemptMade("verify", candidate.pipeline, seconds))
        self._progress(
            f"{self._what}: {candidate.pipeline} seed {candidate.seed}: verified "
            f"{verdict.verified} ({seconds:.1f} s)"
        )


def calls_of(pool: Executor | None, late: Callable[[], bool]) -> Each:
    """Return what makes calls in a pool, and leaves out those that it is too late to begin."""

    def calls(function: Callable[[A], R], arguments: Sequence[A], /) -> Iterator[tuple[int, R]]:
        return each(pool, function, arguments, late)

    return calls


def figures_of(candidate: Candidate) -> Figures:
    """Return the figures of a candidate that was lowered."""
    return Figures(**{field.name: getattr(candidate, field.name) for field in fields(Figures)})


INSERTS: Mapping[str, Callable[[type[CircuitRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""By the kind of database, what can insert a row unless it is there."""


def keep_chosen(session: Session, compilation: Compilation) -> None:
    """Store the circuits of the chosen candidate, and delete those of all others.

    Circuits are stored once each, by their contents. Nothing else adds circuits, and only
    `workers.records.pruning` removes any, so that none is removed while another compilation is
    about to refer to it.
    """
    for candidate in compilation.candidates:
        if not candidate.chosen:
            candidate.native = candidate.logical = None
    chosen = compilation.chosen
    digests = _kept(session, chosen.native), _kept(session, chosen.logical)
    chosen.native = chosen.logical = None
    chosen.native_sha256, chosen.logical_sha256 = digests
    # They may have been looked for before, and not found.
    session.flush()
    session.expire(chosen, ["native_circuit", "logical_circuit"])


def _kept(session: Session, content: bytes | None) -> str | None:
    """Record a circuit unless it is, and return its digest."""
    if content is None:
        return None
    digest = sha256(content).hexdigest()
    row = INSERTS[session.get_bind().dialect.name](CircuitRow).values(
        digest=digest, created_at=now(), content=content
    )
    session.execute(row.on_conflict_do_nothing())
    return digest
