"""Running a compiled program several times, so that noise can be lessened or subtracted."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from backends import CircuitJob, backend_from_spec
from compiler.formats.circuit_files import read_qpy
from compiler.words.plurals import how_many
from service.cli.output.printing import say
from workers.accounts.budgets import BudgetError
from workers.jobs.without_queue import run_job
from workers.mitigation.document import mitigated_document
from workers.mitigation.methods import MitigationPlan, check_methods, mitigation_plan
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
