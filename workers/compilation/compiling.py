"""A compilation recorded as it goes on: a listener of `compiler.compilation.compile`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any

from attrs import asdict, evolve
from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session, class_mapper

from compiler.compilation import Candidate, Compiled, Listener, Options
from compiler.compilation.listener import Each
from compiler.compilation.plan import Plan
from compiler.compilation.portfolio import carry_out
from compiler.errors import LoweringError, VerificationError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.formats.parameter_values import bound
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import Attempt
from compiler.native_digest import native_digest
from compiler.program import Program, reusing_as
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.plurals import how_many
from games import BEST_ENCODING, compile_best
from games.sources import Source, read_game, read_program
from workers.attributes import build
from workers.compilation.orders import CompileOrder, plan_order
from workers.events import AttemptMade, publish
from workers.logs import Interim
from workers.provenance import revision, versions
from workers.records.calibrations import calibration_of_target
from workers.records.devices import keep_device
from workers.records.tables import Candidate as CandidateRow
from workers.records.tables import CircuitRow, Compilation, now

Progress = Callable[[str], None]
NOT_ASKED = "not asked", "a better one is proven"
"""Recorded remark of candidates whose proof could change nothing."""


class Calls(Listener):
    """Measures a compilation, and ends it at its order's time limit.

    Args:
        order: with the time limit.
        each: makes the calls.
    """

    clock = staticmethod(perf_counter)

    def __init__(self, order: CompileOrder, each: Each) -> None:
        self.each, self._limit, self._started = each, order.time_limit, perf_counter()

    def late(self) -> bool:
        """Return whether the time limit has passed."""
        return self._limit is not None and self.seconds() > self._limit

    def seconds(self) -> float:
        """Return the seconds since the compilation began."""
        return perf_counter() - self._started


class Recorder(Calls):
    """Listener that records a compilation as it goes on, and reports its progress.

    Args:
        session: where it is recorded.
        order: the request, with no value left to the program.
        plan: of the order.
        each: makes the calls.
        progress: is given a line after each call.
        order_digest: of the recorded order that this carries out; None for none.
        compilation: the record of an earlier run that ended before its candidates were proven.
        begun: is called with the record before the first candidate is proven.
    """

    def __init__(
        self,
        session: Session,
        order: CompileOrder,
        plan: Plan,
        each: Each,
        progress: Progress,
        *,
        order_digest: str | None = None,
        compilation: Compilation | None = None,
        begun: Callable[[Compilation], None] = lambda _: None,
    ) -> None:
        super().__init__(order, each)
        self._session, self._order, self._plan, self._report = session, order, plan, progress
        self._digest, self._begun, self._record = order_digest, begun, compilation
        self._made = self._refined = 0
        self._wanted = len(plan.attempts)
        self._proving_since = self._started

    @property
    def record(self) -> Compilation:
        """The record, once all candidates are lowered."""
        assert self._record is not None
        return self._record

    def run(self, lowered: Sequence[Candidate] | None = None) -> Compiled:
        """Carry out the plan, and record the choice.

        Another worker may do so at the same time: the first choice stays.

        Args:
            lowered: candidates of the earlier run, whose record this continues.

        Raises:
            LoweringError: if no pipeline gets through.
            VerificationError: if the program or every candidate is proven wrong.
        """
        # A transaction that is open while others compute would be taken for one that was forgotten.
        self._session.commit()
        try:
            compiled = carry_out(self._plan, self, lowered)
        except (LoweringError, VerificationError):
            if self._record is not None and self._record.program_verified == "pending":
                self._record.program_verified = "refuted"
            elif self._record is not None:
                self._still_open()
            self._session.commit()
            raise
        if self._still_open():
            self._choose(next(n for n, c in enumerate(compiled.candidates) if c is compiled.chosen))
        self._session.commit()
        return compiled

    def _tell(self, line: str, *, passing: bool = False) -> None:
        text = f"{self._order.source.name} on {self._order.target}: {line}"
        self._report(Interim(text) if passing else text)

    def lowered(self, place: int, candidate: Candidate) -> None:
        """Report the gates of a candidate."""
        attempt, figures = candidate.attempt, candidate.figures
        publish(AttemptMade("lower", attempt.pipeline, candidate.seconds))
        self._made += 1
        gates = (
            f"{how_many(figures.two_qubit_gates, 'two-qubit gate')}"
            f"{from_zero_suffix(from_zero=candidate.from_zero)}"
            if figures
            else f"failed: {candidate.error}"
        )
        line = (
            f"{attempt.pipeline} seed {attempt.seed}: {gates} "
            f"({candidate.seconds:.1f} s, attempt {self._made} of at most {self._wanted})"
        )
        self._tell(line, passing=self._made < self._wanted)

    def left_out(self, places: Sequence[int], reason: str) -> None:
        """Count these attempts no more among those that the lines of others announce."""
        self._wanted -= len(places)

    def refined(self, place: int, before: Candidate, candidate: Candidate) -> None:
        """Report the gates of a refined candidate."""
        attempt, figures = candidate.attempt, candidate.figures
        publish(AttemptMade("refine", attempt.pipeline, candidate.seconds - before.seconds))
        self._refined += 1
        self._tell(
            f"{attempt.pipeline} seed {attempt.seed}: refined to "
            f"{figures.two_qubit_gates if figures else 0} two-qubit gates"
            f"{from_zero_suffix(from_zero=candidate.from_zero)} ({self._refined})",
            passing=True,
        )

    def all_lowered(self, candidates: Sequence[Candidate]) -> None:
        """Record all candidates, which are not proven yet."""
        order, options, reuse = self._order, self._plan.options, self._plan.program.reuse
        calibration_digest, calibrated_at = calibration_of_target(order.target)
        self._record = Compilation(
            batch=order.batch,
            program=order.source.name,
            source=order.source.content,
            expected=order.source.expected or None,
            source_digest=order.source.digest,
            target=order.target,
            calibration_digest=calibration_digest,
            calibrated_at=calibrated_at,
            method=options.method,
            encoding=self._plan.program.encoding,
            objective=options.objective,
            seed=options.seed,
            budget=options.budget,
            without=list(options.without),
            any_input=bool(options.any_input),
            qubits_saved=_saved(self._plan, candidates),
            qubit_chains=[list(chain) for chain in reuse.chains] if reuse else [],
            parameter_values=dict(order.source.values) or None,
            program_verified="pending",
            order_digest=self._digest,
            versions=versions(),
            revision=revision(),
            compile_seconds=self.seconds(),
            candidates=[
                CandidateRow(
                    synthesis=candidate.attempt.synthesis,
                    pipeline=candidate.attempt.pipeline,
                    seed=candidate.attempt.seed,
                    lower_seconds=candidate.seconds,
                    initial_layout=list(candidate.initial_layout),
                    final_layout=list(candidate.final_layout),
                    steps=[asdict(step) for step in candidate.steps],
                    native=candidate.native or None,
                    logical=candidate.logical or None,
                    verified="pending" if candidate.native else "failed",
                    detail=candidate.error,
                    **(asdict(candidate.figures) if candidate.figures else {}),
                )
                for candidate in candidates
            ],
        )
        keep_device(self._session, order.target)
        self._session.add(self._record)
        self._session.commit()
        self._proving_since = perf_counter()
        self._begun(self._record)

    def program_proven(self, verified: str) -> None:
        """Record how far the program is proven."""
        self.record.program_verified = verified
        self._session.commit()

    def proven(self, place: int, candidate: Candidate) -> None:
        """Record and report how far a candidate is proven."""
        assert candidate.verdict is not None
        attempt, verified = candidate.attempt, candidate.verdict.verified
        publish(AttemptMade("verify", attempt.pipeline, candidate.proof_seconds))
        self._tell(
            f"{attempt.pipeline} seed {attempt.seed}: verified {verified} "
            f"({candidate.proof_seconds:.1f} s)"
        )
        row = self.record.candidates[place]
        row.verified, row.detail = verified, candidate.verdict.detail
        row.verify_seconds = candidate.proof_seconds
        self._session.commit()

    def _choose(self, place: int) -> None:
        """Record which candidate is chosen."""
        for row in self.record.candidates:
            if row.verified == "pending":
                row.verified, row.detail = NOT_ASKED
        chosen = self.record.candidates[place]
        chosen.chosen = True
        if chosen.native is not None:
            self.record.native_digest = native_digest(read_qpy(chosen.native, "native"))
        keep_chosen(self._session, self.record)

    def _still_open(self) -> bool:
        """Add to the time that was taken, and tell whether no other worker has chosen a candidate.

        One that was thought dead may go on. None can choose from now on to the session's next
        commit.
        """
        seconds = perf_counter() - self._proving_since
        taken = func.coalesce(Compilation.compile_seconds, 0) + seconds
        self._session.execute(
            update(Compilation)
            .where(Compilation.id == self.record.id)
            .values(compile_seconds=taken)
        )
        if _is_chosen(self._session, self.record):
            self._session.rollback()
            return False
        return True


def compile_order(
    session: Session,
    order: CompileOrder,
    plan: Plan,
    each: Each,
    progress: Progress,
    *,
    order_digest: str | None = None,
    begun: Callable[[Compilation], None] = lambda _: None,
) -> Compilation:
    """Compile and prove an order, in the encoding that it names or in the best.

    Of the latter every encoding that is compiled in full is recorded alone, and answers the order
    of that encoding. The winner answers the order that left it open, and records the result of the
    others.

    Args:
        session: where it is recorded.
        order: with nothing left to its program; see `orders.plan_order`.
        plan: of the order.
        each: makes the calls.
        progress: is given a line after each call.
        order_digest: of the recorded order that this carries out. It may have been recorded by
            other versions than these; None for one of these.
        begun: is called with the record before the first candidate is proven; of the best
            encoding with that of the winner.

    Raises:
        LoweringError: if no pipeline gets through.
        VerificationError: if everything that gets through is proven wrong.
    """
    if order_digest is None and order.time_limit is None:
        order_digest = order.digest
    if order.shared:
        return _shared(session, order, each, progress, order_digest=order_digest, begun=begun)
    if order.encoding != BEST_ENCODING:
        recorder = Recorder(
            session, order, plan, each, progress, order_digest=order_digest, begun=begun
        )
        recorder.run()
        return recorder.record
    session.commit()
    calls, records = Calls(order, each), dict[str, Compilation]()

    def run(plan: Plan) -> Compiled:
        encoding = plan.program.encoding
        left = order.time_limit and max(0.0, order.time_limit - calls.seconds())
        alone = evolve(order, target=str(plan.target), encoding=encoding, time_limit=left)
        progress(f"{order.source.name} on {plan.target}: in encoding {encoding}")
        digest = None if left is not None else alone.digest
        recorder = Recorder(session, alone, plan, each, progress, order_digest=digest)
        compiled = recorder.run()
        records[encoding] = recorder.record
        return compiled

    progress(f"{order.source.name} on {order.target}: trying all encodings")
    best = compile_best(
        read_game(order.source),
        order.target,
        order.options,
        calls,
        program=partial(read_program, order.source),
        run=run,
    )
    for row in best.encodings:
        if row.left_out:
            progress(f"{order.source.name} on {order.target}: left out {row.name}: {row.left_out}")
    winner = records[best.compiled.program.encoding]
    winner.encodings = [asdict(encoding) for encoding in best.encodings]
    winner.order_digest = order_digest
    session.commit()
    begun(winner)
    return winner


def _shared(
    session: Session,
    order: CompileOrder,
    each: Each,
    progress: Progress,
    *,
    order_digest: str | None,
    begun: Callable[[Compilation], None],
) -> Compilation:
    """Record a circuit that is compiled with its parameters, with an order's values inserted.

    Its proof holds for all values.
    """
    alone = order.without_values
    query = select(Compilation).where(Compilation.order_digest == alone.digest)
    shared = session.scalars(query.order_by(Compilation.id.desc())).first()
    if shared is None or not shared.ready:
        shared = compile_order(session, alone, plan_order(alone)[1], each, progress)
    values, chosen = order.source.values, shared.chosen
    circuits = [read_qpy(of or b"", order.source.name) for of in (chosen.native, chosen.logical)]
    native, logical = (bound(circuit, values, strict=False) for circuit in circuits)
    record = Compilation(
        **_columns(shared, "id", "created_at", "batch", "unscored"),
        candidates=[CandidateRow(**_columns(chosen, "id", "compilation_id"))],
    )
    record.batch, record.order_digest = order.batch, order_digest
    record.expected, record.source_digest = order.source.expected or None, order.source.digest
    record.parameter_values, record.native_digest = dict(values), native_digest(native)
    record.chosen.native, record.chosen.logical = qpy_bytes(native), qpy_bytes(logical)
    session.add(record)
    keep_chosen(session, record)
    session.commit()
    begun(record)
    return record


def _saved(plan: Plan, candidates: Sequence[Candidate]) -> int | None:
    """Return the number of qubits that are saved by using others again; None without reuse."""
    program = plan.program
    if not plan.reuses:
        return program.reuse.saved if program.reuse else None
    used = [candidate.figures.qubits for candidate in candidates if candidate.figures]
    return program.circuit.num_qubits - min(used, default=program.circuit.num_qubits)


def _columns(row: Compilation | CandidateRow, *without: str) -> dict[str, Any]:
    names = (column.key for column in class_mapper(type(row)).column_attrs)
    return {name: getattr(row, name) for name in names if name not in without}


def prove_recorded(
    session: Session, compilation: Compilation, each: Each, progress: Progress
) -> None:
    """Prove candidates that were recorded by a worker that ended before it had proven them.

    Raises:
        LoweringError: if no pipeline got through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    without, reuse = tuple(compilation.without), compilation.qubits_saved is not None
    options = build(Options, compilation, without=without, reuse_qubits=reuse)
    order = CompileOrder(source_of(compilation), compilation.target, options)
    lowered = [
        Candidate(
            Attempt(row.synthesis, row.pipeline, row.seed),
            row.native or b"",
            row.logical or b"",
            tuple(row.initial_layout),
            tuple(row.final_layout),
            figures=figures_of(row) if row.native else None,
            error="" if row.native else row.detail,
        )
        for row in compilation.candidates
    ]
    try:
        plan = Plan(lowered_program(compilation), compilation.target, options)
    except VerificationError:
        compilation.program_verified = "refuted"
        session.commit()
        raise
    if _is_chosen(session, compilation):
        return
    compilation.program_verified = "pending"
    Recorder(session, order, plan, each, progress, compilation=compilation).run(lowered)


def _is_chosen(session: Session, compilation: Compilation) -> bool:
    """Return whether another worker has chosen a candidate; the candidates are then read anew.

    Other rows are not, so that a worker still finds out that its job was cancelled meanwhile.
    """
    chosen = select(CandidateRow.id).where(
        CandidateRow.compilation_id == compilation.id, CandidateRow.chosen
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
        wide = max(
            (len(candidate.initial_layout) for candidate in compilation.candidates), default=0
        )
        return program.with_clean(wide - program.circuit.num_qubits)
    return reusing_as(program, tuple(tuple(chain) for chain in compilation.qubit_chains))


def source_of(compilation: Compilation) -> Source:
    """Return the compiled program, with the expected result of its circuit if it is known."""
    values = tuple(sorted((compilation.parameter_values or {}).items()))
    return Source(compilation.program, compilation.source, compilation.expected or b"", values)


def figures_of(candidate: CandidateRow) -> Figures:
    """Return the figures of a candidate that was lowered."""
    return build(Figures, candidate)


INSERTS: Mapping[str, Callable[[type[CircuitRow]], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""By database: the statement that inserts a row unless it exists."""


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
    digests = _stored_digest(session, chosen.native), _stored_digest(session, chosen.logical)
    chosen.native = chosen.logical = None
    chosen.native_sha256, chosen.logical_sha256 = digests
    # They may have been looked for before, and not found.
    session.flush()
    session.expire(chosen, ["native_circuit", "logical_circuit"])


def _stored_digest(session: Session, content: bytes | None) -> str | None:
    """Record a circuit unless it is, and return its digest."""
    if content is None:
        return None
    digest = sha256(content).hexdigest()
    row = INSERTS[session.get_bind().dialect.name](CircuitRow).values(
        digest=digest, created_at=now(), content=content
    )
    session.execute(row.on_conflict_do_nothing())
    return digest
