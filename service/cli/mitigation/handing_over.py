"""Handing a mitigated run to the workers: one job, whose runs are jobs, the raw one first."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import uuid4

from attrs import evolve

from backends import backend_from_spec
from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.output.printing import say
from service.cli.queue.sending import hand_over
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of
from workers.compilation.orders import plan
from workers.jobs.request import Submission
from workers.mitigation.methods import check_methods, treatments_of


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
    circuit = plan(asked.order).plan.program.circuit
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
    job = hand_over(batch, key=key, tag=asked.tag, limit=limit, database=database, as_json=as_json)
    say(f"stichwerk result {job} shows raw and mitigated values when it is done")
