"""Running a compiled program several times, so that noise can be lessened or subtracted."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import uuid4

from attrs import evolve
from sqlalchemy.orm import Session

from backends import CircuitJob, backend_from_spec
from compiler.errors import InputError
from compiler.formats.circuit_files import read_qpy
from compiler.words.plurals import how_many
from service.cli.output.printing import say
from service.cli.queue.sending import hand_over_batch
from workers.accounts.budgets import BudgetError
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of
from workers.compilation.orders import plan_order
from workers.jobs.request import Submission
from workers.jobs.without_queue import run_job
from workers.mitigation.document import mitigated_document
from workers.mitigation.methods import MitigationPlan, check_methods, mitigation_plan, treatments_of
from workers.records.tables import MICRO, Compilation, Job


def plan_mitigation(
    compilation: Compilation, backend: str, methods: Sequence[str], shots: int, limit: int | None
) -> MitigationPlan:
    """Tell what mitigation takes, before anything is run.

    Args:
        compilation: of the program.
        backend: where it is to run.
        methods: that were asked for.
        shots: of each run.
        limit: what all runs may cost together, in millionths of US dollars.

    Raises:
        InputError: if it is not possible, or costs too much.
    """
    machine = backend_from_spec(backend)
    circuit = read_qpy(compilation.chosen.native or b"", compilation.program)
    check_methods(backend, machine, methods, circuit, shots)
    planned = mitigation_plan(
        machine, methods, CircuitJob(circuit, compilation.target, shots, seed=0)
    )
    say(planned.told)
    together = sum(planned.costs_usd, Decimal(0))
    if limit is not None and together * MICRO > limit:
        raise BudgetError(
            f"all runs together need {together:.4f} USD, more than "
            f"{Decimal(limit) / MICRO:f} USD; nothing was submitted"
        )
    return planned


def run_mitigated(
    session: Session, raw: Job, planned: MitigationPlan, limit: int | None
) -> dict[str, Any]:
    """Run what a raw run is set beside, and return what came of all of it.

    Raises:
        BackendError: if the backend refuses or fails one of the runs.
    """
    jobs = [raw]
    for place, treatment in enumerate(planned.treatments[1:], start=1):
        names = ", ".join(sorted(treatment.needs))
        noise = f", noise × {treatment.noise}" if treatment.noise > 1 else ""
        say(f"{raw.program}: {how_many(raw.shots, 'shot')} on {raw.backend}, {names}{noise}")
        jobs.append(
            run_job(
                session, raw.compiled, raw.backend, raw.shots, raw.seed + place, progress=say,
                max_cost_microusd=limit, tag=raw.tag, run_options=treatment,
                parent_id=raw.id,
            )
        )  # fmt: skip
    return mitigated_document(planned.methods, jobs)


def hand_over_mitigated(
    asked: Submission,
    methods: Sequence[str],
    limit: Decimal | None,
    database: str,
    *,
    as_json: bool,
) -> None:
    """Record a run and those that it is mitigated by as one job, and tell workers and user of it.

    Args:
        asked: the raw run, checked.
        methods: that were asked for.
        limit: what all of them may cost together.
        database: of the records; as set, if empty.
        as_json: whether to print one JSON object.

    Raises:
        InputError: if the backend does not take a method, or it costs too much.
    """
    if asked.repeat > 1:
        raise InputError("--mitigation makes one job of several: leave out --repeat")
    circuit = plan_order(asked.order)[1].program.circuit
    check_methods(asked.backend, backend_from_spec(asked.backend), methods, circuit, asked.shots)
    key = f"mitigated:{uuid4().hex}"
    jobs = [
        evolve(
            asked,
            run_options=treatment,
            seed=asked.seed + place,
            max_cost_usd=None,
            idempotency_key=f"{key}:{place}",
        )
        for place, treatment in enumerate(treatments_of(methods))
    ]
    name = asked.order.source.name
    batch = Batch(f"{name} mitigated"[:200], tuple(jobs), mitigation=tuple(methods))
    cost, raw = least_cost_of(batch), least_cost_of(Batch("raw", tuple(jobs[:1])))
    money = f"at least {cost - raw:.4f} USD more than {raw:.4f} USD" if cost else "no charge"
    extra = len(jobs) - 1
    say(
        f"{', '.join(methods)}: {how_many(extra, 'more circuit')} and "
        f"{how_many(extra * asked.shots, 'more shot')} than the raw run's {asked.shots:,}, "
        f"{money}"
    )
    job = hand_over_batch(
        batch, key=key, tag=asked.tag, limit=limit, database=database, as_json=as_json
    )
    say(f"stichwerk result {job} shows raw and mitigated values when it is done")
