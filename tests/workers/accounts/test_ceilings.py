"""Charges of providers never exceed a limit, with the real SDKs and many jobs at once."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from random import Random

import pytest
from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends.braket.connection import forget
from backends.prices import price
from compiler.compilation import Options
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.playing import running_providers
from workers.accounts.budgets import microusd
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import FINAL
from workers.jobs.submission import checked, submit
from workers.queue.worker import Worker
from workers.records.tables import Job, LedgerEntry, Spending, Token
from workers.settings import Settings

JOBS, THREADS = 80, 4
BACKENDS = ("ibm:torino", "ibm:torino", "braket:garnet")
TAGS = ("a", "b", None)

SETTINGS = Settings(
    lease_seconds=30.0,
    resend_seconds=0.1,
    poll_seconds=0.05,
    poll_most_seconds=0.2,
    settle_seconds=0.2,
    backoff_seconds=0.05,
    outage_most_seconds=0.2,
    day_budget_usd=Decimal(96),
    tag_budget_usd=Decimal(28),
)
TOKEN_DAY_BUDGET = Decimal(24)

RULES = (
    Rule(Fault.OVERRUN, "submit", probability=0.2, seconds=30),
    Rule(Fault.LATE_USAGE, "submit", probability=0.3, seconds=0.5),
    Rule(Fault.JOB_FAILED, "submit", probability=0.05),
    Rule(Fault.CUT_AFTER, "submit", probability=0.05),
)


@pytest.fixture
def providers(monkeypatch):
    """Run both providers, which take longer than they should and tell late what they charge."""
    for name in [name for name in os.environ if name.startswith(("AWS", "QISKIT_IBM"))]:
        monkeypatch.delenv(name)
    with running_providers(RULES, seed=1) as servers:
        for server in servers.values():
            for name, value in server.provider.environment(server.url).items():
                monkeypatch.setenv(name, value)
        yield {backend: servers[backend.split(":")[0]].provider for backend in BACKENDS}
    forget()


def handed_in(engine, source):
    """Submit jobs of random sizes and limits, some of them with a token or a tag."""
    chance = Random("ceilings")
    with Session(engine) as session:
        session.add(
            Token(name="t", digest="t", scopes=[], day_budget_microusd=microusd(TOKEN_DAY_BUDGET))
        )
        session.commit()
        ready = {
            backend: checked(
                Submission(CompileOrder(source, "", Options("fast", budget=5)), backend, 1)
            )
            for backend in BACKENDS
        }
        for _ in range(JOBS):
            asked = evolve(
                ready[chance.choice(BACKENDS)],
                shots=chance.randint(1, 3000),
                tag=chance.choice(TAGS),
                token_id=chance.choice((1, None)),
                max_cost_usd=chance.choice((None, Decimal(5), Decimal("6.4"))),
            )
            submit(session, Settings(), asked)


def worked_off(engine):
    """Let several workers advance all jobs until they have ended and every charge is known."""

    def left():
        with Session(engine) as session:
            open_ = Job.state.not_in(FINAL) | Job.charge_due_at.is_not(None)
            return session.scalars(select(Job.id).where(open_).order_by(Job.id)).all()

    def advance(job_id):
        Worker(engine, SETTINGS).advance(job_id)

    with ThreadPoolExecutor(THREADS) as pool:
        return wait_until(lambda: not [*pool.map(advance, left())], 600)


def billed(job, providers):
    """Return what a provider bills for all that it has accepted of a job."""
    entries = [
        entry
        for entry in providers[job.backend].machine.audit()
        if entry["key"] == job.key and entry["started"]
    ]
    assert len(entries) <= 1
    if not entries or (job.backend == "braket:garnet" and entries[0]["state"] != "done"):
        return 0
    seconds = Decimal(entries[0]["billed_seconds"])
    name = "ibm" if job.backend == "ibm:torino" else job.backend
    return microusd(price(name).of_job(job.shots, seconds))


def test_no_budget_is_exceeded_by_what_is_charged(engine, ghz, providers):
    handed_in(engine, ghz)
    assert worked_off(engine)
    spent: Counter[str] = Counter()
    with Session(engine) as session:
        jobs = session.scalars(select(Job)).all()
        for job in jobs:
            bill = billed(job, providers)
            assert bill == (job.charged_microusd or 0)
            assert bill <= (job.estimated_cost_microusd or 0)
            limit = job.max_cost_microusd
            assert limit is None or bill <= limit
            budgets = session.scalars(
                select(LedgerEntry.budget).where(LedgerEntry.job_id == job.id).distinct()
            )
            for budget in budgets:
                spent[budget] += bill
        kept = {row.budget: row.reserved_microusd for row in session.scalars(select(Spending))}
    assert kept == {budget: spent[budget] for budget in kept}
    for budget, cost in kept.items():
        whose, _, name = budget.rpartition(":day:") if ":day:" in budget else ("", "", budget)
        limit = TOKEN_DAY_BUDGET if whose else SETTINGS.tag_budget_usd
        if name.startswith("day:"):
            limit = SETTINGS.day_budget_usd
        assert cost <= microusd(limit), budget
    states = Counter(job.state for job in jobs)
    assert states.total() == JOBS
    assert set(states) == {"done", "failed"}
    over = sum("the budget of" in (job.error or "") for job in jobs)
    long = [job for job in jobs if "Ran too long" in (job.error or "")]
    assert over > 8
    assert long
    assert {job.charged_microusd == job.estimated_cost_microusd for job in long} == {True}
    assert states["done"] > 8
