"""A small database with everything that a report has to cope with."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from games.sources import Source
from service.report.page import report_html
from tests.servers.browser import Visit
from tests.service.report.on_screen import DESKTOP, draw_all
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.without_queue import run_job
from workers.records.database import open_database
from workers.records.tables import Candidate, Compilation, Event, Job, PeerResult
from workers.scoring import scored

START = datetime(2026, 1, 30, 22, 0, tzinfo=UTC)
THREE = Source(
    "three.toml",
    b'game = "skat"\nrules = "paper"\nplayers = 3\nhand = 1\ndeck = ["CA", "C10", "CK"]\n',
)
GHZ = Source(
    "ghz.qasm",
    b'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[3];'
    b"h q[0]; cx q[0], q[1]; cx q[1], q[2]; measure q -> c;",
)
ROUND = Source("three.toml, 4 iterates.qasm", GHZ.content)
HOSTILE = (
    '</script><script src="x">alert(1)</script><img src=x onerror=alert(2)>'
    '\'"><a href="javascript:alert(3)">$x^$</a>%{y}\u202egnp.\u2066--raw=1+1.toml'
)
"""What would break out of a script, an attribute or a plot's label, and turn text around."""


def compiled(session: Session, source: Source, target: str = "all") -> Compilation:
    """Compile a source fast."""
    checked = plan_order(CompileOrder(source, target, Options("fast")))
    return compile_order(session, *checked, each_here, lambda _: None)


def recorded(
    session: Session,
    compilation: Compilation,
    backend: str,
    counts: dict[str, int] | None,
    hours: float = 0,
    **others: Any,
) -> Job:
    """Record a job whose counts are made up, with its scores if it has any.

    Args:
        session: where it is recorded.
        compilation: what ran.
        backend: where.
        counts: shots by measured bits; None if it failed.
        hours: from `START` to its submission.
        others: further columns.
    """
    at = START + timedelta(hours=hours)
    job = Job(
        compilation=compilation, program=compilation.program, target=compilation.target,
        backend=backend, shots=sum((counts or {"": 5}).values()), seed=0, created_at=at,
        finished_at=at + timedelta(seconds=30), state="done" if counts else "failed",
        counts=counts, **others,
    )  # fmt: skip
    if counts:
        job.scores = scored(job)
    session.add(job)
    session.commit()
    return job


def passed(session: Session, job: Job, **seconds: float) -> None:
    """Record that a job was in these states for so long, one after the other."""
    at = job.created_at
    for state, duration in seconds.items():
        session.add(Event(job=job, at=at, state=state))
        session.add(Event(job=job, at=at + timedelta(seconds=duration / 2), state=state))
        at += timedelta(seconds=duration)
    session.add(Event(job=job, at=at, state=job.state, detail=job.error or ""))
    session.commit()


def hostile(verified: str) -> Compilation:
    """Return a record of a source that cannot be read, with markup in every text."""
    return Compilation(
        program=HOSTILE,
        source=b"no game",
        source_digest="d" * 64,
        target="star:4<i>",
        method="fast<b>",
        encoding="paper",
        objective="two_qubit_depth",
        seed=0,
        program_verified="exact",
        compile_seconds=None,
        versions={"<u>": "<b>"},
        revision="<s>",
        candidates=[
            Candidate(
                synthesis="literal",
                pipeline="<tt>",
                seed=0,
                verified=verified,
                detail="<em>why</em>",
                chosen=verified == "unverified",
                two_qubit_gates=12,
                steps=[{"name": "<kbd>", "two_qubit_gates": 12, "from_zero": False}],
            )
        ],
    )


def compared(program: str, peer: str, gates: int | None, comparison: str) -> PeerResult:
    """Return what a compiler made of a program."""
    return PeerResult(
        comparison=comparison, suite="games", program=program, form="logical", target="star:3",
        peer=peer, variant="seed 1", two_qubit_gates=gates, two_qubit_depth=gates, depth=gates,
        gates=gates, seconds=1.5, verified="failed" if gates is None else "exact", holds="from 0",
        versions={"tket": "1"}, revision=None,
    )  # fmt: skip


def estimated(program: str, backend: str, calls: int, low: float, high: float, **found: Any) -> Job:
    """Return the record of a finished estimate, its value in the middle of its interval."""
    asked = {"observable": "win", "estimator": "bayesian", "confidence": 0.95}
    told = {
        "estimate": (low + high) / 2, "low": low, "high": high, "exact": 0.375, "calls": calls,
        "sampling_calls": 3 * calls, "deepest": 4, "circuits": 1, "shots": 9,
        "reached": True, "method": "fast", "encoding": "lean", "variant": "", "title": "P(win)",
        "rounds": [{"iterates": 0, "shots": 9, "hits": 3}],
    }  # fmt: skip
    return Job(
        program=program, target="all", backend=backend, shots=9, seed=0, state="done",
        created_at=START, finished_at=START + timedelta(hours=1), kind="estimation", request=asked,
        result=told | found,
    )  # fmt: skip


@pytest.fixture
def empty() -> Iterator[Session]:
    """A database without records."""
    with Session(open_database("sqlite://")) as session:
        yield session


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A game compiled twice, run, scored and not; a circuit; failures; peers; hostile names."""
    path = tmp_path_factory.mktemp("records") / "records.sqlite"
    with Session(open_database(str(path))) as session:
        compiled(session, THREE)
        game = compiled(session, THREE)
        run_job(session, game, "sparse", 500, 0)
        unscored = recorded(session, game, "aer", {"1": 77}, 1)
        unscored.scores = []
        noise = {str(bits): 10 for bits in range(64)}
        legal = dict.fromkeys(game_counts(session), 50)
        for hours, share in ((2, 1), (26, 4), (50, 4)):
            counts = {bits: noise[bits] + share * legal.get(bits, 0) for bits in noise}
            paid = {"estimated_cost_microusd": 1_250_000 * share, "submitted_at": START
                    + timedelta(hours=hours)}  # fmt: skip
            job = recorded(session, game, "aer:torino", counts, hours, **paid)
            passed(session, job, queued=share, compiling=10, running=share * 2, scoring=0.5)
        recorded(session, game, "aer:noisy", noise, 51)
        lost = recorded(session, game, "aer:lost", None, 52, error="the machine <is> down")
        passed(session, lost, queued=3, submitting=20)
        session.add(Job(program="waits.toml", target="all", backend="ibm:torino", shots=9, seed=0,
                        created_at=START))  # fmt: skip
        for verified, detail in (("failed", "no <route>"), ("refuted", "state differs")):
            game.candidates.append(
                Candidate(synthesis="literal", pipeline="tket", seed=1, verified=verified,
                          detail=detail)
            )  # fmt: skip
        run_job(session, compiled(session, GHZ), "sparse", 200, 0)
        odd = hostile("unverified")
        session.add_all([odd, hostile("failed")])
        recorded(session, odd, "aer:<i>", None, 53, tag="<q>", error=f"{HOSTILE} failed")
        session.add_all(
            [compared("toy", "tket", 1, "before"), compared("toy", "bqskit", 20, "before")]
        )
        session.flush()
        session.add_all(
            [compared("toy", "tket", 10, "now"), compared("toy", "qiskit", 16, "now"),
             compared("toy", "stichwerk", 8, "now"), compared(HOSTILE, "bqskit", None, "now"),
             compared(HOSTILE, "stichwerk", 3, "now")]
        )  # fmt: skip
        right = estimated("three.toml", "aer:estimating", 1000, 0.35, 0.4)
        session.add_all(
            [right, estimated("three.toml", "aer:estimating", 300, 0.1, 0.3, reached=False),
             estimated(HOSTILE, "aer:<b>", 50, 0.2, 0.2, exact=None, sampling_calls=None)]
        )  # fmt: skip
        session.flush()
        session.add(Job(program=ROUND.name, target="all", backend="aer:estimating", shots=9, seed=0,
                        state="done", created_at=START, parent_id=right.id,
                        compilation=compiled(session, ROUND)))  # fmt: skip
        session.commit()
        yield session


def game_counts(session: Session) -> dict[str, int]:
    """Return what a perfect machine has measured of the game."""
    counts = session.get_one(Job, 1).counts
    assert counts is not None
    return counts


@pytest.fixture(scope="session")
def html(session: Session) -> str:
    """The page as text."""
    return report_html(session)


@pytest.fixture(scope="session")
def address(session: Session, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report_html(session), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def visit(chromium, address):
    """The page on a desktop, with every plot drawn."""
    with Visit(chromium, address, viewport=DESKTOP) as opened:
        draw_all(opened.page)
        yield opened


@pytest.fixture
def page(visit) -> Page:
    """The page as it is when it is opened."""
    visit.page.evaluate("location.hash = ''")
    visit.page.locator("#program").select_option("")
    return visit.page
