"""The stages `compile` and `verify`: every attempt of a portfolio made, proven, and one chosen.

Each takes and returns rows, so that a queue can run them one by one. The commands `compile`,
`run` and `bench` call the same functions one after the other.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from time import perf_counter

from attrs import asdict, fields
from sqlalchemy.orm import Session

from compiler.errors import (
    LoweringError,
    VerificationError,
)
from compiler.lowering.figures import Figures
from compiler.lowering.portfolio import REFINED, SMALL, Attempt, best, ranked
from compiler.workload import Source
from workers.attempts import (
    Claim,
    Native,
    Program,
    Refinable,
    Request,
    lower,
    refine,
    verify,
    verify_source,
)
from workers.metrics.recording import attempted
from workers.native_digests import digest_of
from workers.orders import Plan
from workers.parallel import each
from workers.provenance import revision, versions
from workers.records import Candidate, Compilation

Progress = Callable[[str], None]

NOT_BEGUN = Native(b"", b"", (), (), (), None, 0.0, "not begun: the time limit had passed")


def compile_program(
    session: Session,
    checked: Plan,
    pool: Executor | None,
    progress: Progress,
    order_digest: str | None = None,
) -> Compilation:
    """Make every attempt of the portfolio and record it.

    Args:
        session: where it is recorded.
        checked: what is compiled.
        pool: processes that make the attempts, None for this one.
        progress: hears a line after each.
        order_digest: of the recorded order that this carries out. It may have been made with
            other versions than these; None for one of these.
    """
    # A transaction that is open while others compute would be taken for one that was forgotten.
    session.commit()
    order = checked.order
    if order_digest is None and order.time_limit is None:
        order_digest = order.digest
    compilation = Compilation(
        batch=order.batch,
        program=order.source.name,
        source=order.source.content,
        source_digest=order.source.digest,
        target=order.target,
        method=order.method,
        encoding=checked.work.encoding,
        objective=order.objective,
        seed=order.seed,
        budget=order.budget,
        without=list(order.without),
        any_input=bool(order.any_input),
        program_verified="pending",
        order_digest=order_digest,
        versions=versions(),
        revision=revision(),
    )
    started = perf_counter()
    requests = _requests(compilation, checked.attempts)
    natives: dict[int, Native] = {}

    def late() -> bool:
        return order.time_limit is not None and perf_counter() - started > order.time_limit

    for place, native in each(pool, lower, requests, late):
        natives[place] = native
        attempt = checked.attempts[place]
        attempted("lower", attempt.pipeline, native.seconds)
        found = (
            f"{native.figures.two_qubit_gates} two-qubit gates"
            if native.figures
            else f"failed: {native.error}"
        )
        progress(
            f"{order.source.name} on {order.target}: {attempt.pipeline} seed {attempt.seed}: "
            f"{found} ({native.seconds:.1f} s, {len(natives)} of {len(requests)})"
        )
    if not late():
        chosen = _worth_refining(natives, order.objective)
        jobs = [Refinable(requests[place], natives[place]) for place in chosen]
        for done, (place, native) in enumerate(each(pool, refine, jobs, late), start=1):
            before, natives[chosen[place]] = natives[chosen[place]], native
            attempt = checked.attempts[chosen[place]]
            attempted("refine", attempt.pipeline, native.seconds - before.seconds)
            gates = native.figures.two_qubit_gates if native.figures else 0
            progress(
                f"{order.source.name} on {order.target}: "
                f"{attempt.pipeline} seed {attempt.seed}: refined to {gates} two-qubit gates "
                f"({done} of {len(jobs)})"
            )
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
        for place, attempt in enumerate(checked.attempts)
        if (native := natives.get(place, NOT_BEGUN))
    ]
    compilation.compile_seconds = perf_counter() - started
    session.add(compilation)
    session.commit()
    return compilation


def _worth_refining(natives: Mapping[int, Native], objective: str) -> list[int]:
    """Return the places of the best results, each circuit once."""
    different: dict[bytes, tuple[int, Figures]] = {}
    for place, native in sorted(natives.items()):
        if native.figures is not None:
            different.setdefault(native.native, (place, native.figures))
    order = ranked(different.values(), objective)
    small = [place for place, figures in different.values() if figures.two_qubit_gates <= SMALL]
    return order[: REFINED if small else 2]


def verify_compilation(
    session: Session, compilation: Compilation, pool: Executor | None, progress: Progress
) -> Compilation:
    """Prove the program against the rules and every candidate against the program; choose one.

    Candidates of games that are too large for a state play single games, and the rules judge.

    Raises:
        LoweringError: if no pipeline got through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    started = perf_counter()
    program = Program(source_of(compilation), compilation.encoding)
    try:
        session.commit()
        ((_, compilation.program_verified),) = each(pool, verify_source, [program])
    except VerificationError:
        compilation.program_verified = "refuted"
        session.commit()
        raise
    pending = [candidate for candidate in compilation.candidates if candidate.native]
    claims = [
        Claim(
            request,
            candidate.native or b"",
            candidate.logical or b"",
            tuple(candidate.initial_layout),
            tuple(candidate.final_layout),
        )
        for candidate, request in zip(
            pending,
            _requests(compilation, [Attempt(c.synthesis, c.pipeline, c.seed) for c in pending]),
            strict=True,
        )
    ]
    session.commit()
    for done, (place, (verdict, seconds)) in enumerate(each(pool, verify, claims), start=1):
        candidate = pending[place]
        candidate.verified, candidate.detail = verdict.verified, verdict.detail
        candidate.verify_seconds = seconds
        attempted("verify", candidate.pipeline, seconds)
        progress(
            f"{compilation.program} on {compilation.target}: {candidate.pipeline} seed "
            f"{candidate.seed}: verified {verdict.verified} "
            f"({seconds:.1f} s, {done} of {len(claims)})"
        )
        session.commit()
    survivors: list[Candidate] = []
    for kind in ("exact", "sampled", "unverified"):
        survivors = survivors or [c for c in pending if c.verified == kind]
    if survivors:
        chosen = best([(c, _figures(c)) for c in survivors], compilation.objective)
        chosen.chosen = True
        compilation.native_digest = digest_of(chosen)
        for candidate in compilation.candidates:
            candidate.native = candidate.native if candidate.chosen else None
            candidate.logical = candidate.logical if candidate.chosen else None
    compilation.compile_seconds = (compilation.compile_seconds or 0) + perf_counter() - started
    session.commit()
    if not pending:
        failures = {candidate.detail for candidate in compilation.candidates}
        raise LoweringError(f"no pipeline could lower {compilation.program}: {'; '.join(failures)}")
    if not survivors:
        raise VerificationError(f"every candidate is proven wrong; the first: {pending[0].detail}")
    return compilation


def source_of(compilation: Compilation) -> Source:
    """Return what was compiled."""
    return Source(compilation.program, compilation.source)


def _requests(compilation: Compilation, tries: list[Attempt]) -> list[Request]:
    return [
        Request(
            source_of(compilation),
            compilation.encoding,
            compilation.target,
            attempt,
            compilation.objective,
            compilation.budget,
            tuple(compilation.without),
            compilation.any_input,
        )
        for attempt in tries
    ]


def _figures(candidate: Candidate) -> Figures:
    return Figures(**{field.name: getattr(candidate, field.name) for field in fields(Figures)})
