"""Circuits that kill, hold or fill the process that computes them, many jobs of each."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.orm import Session

from compiler.compilation import Options
from games.sources import Source
from tests.attacks.attack import Siege, attack
from tests.workers import poison_backend as _  # noqa: F401 - registers its backend
from workers.compilation.orders import CompileOrder
from workers.jobs.quarantine import MOST_DEATHS
from workers.jobs.request import Submission
from workers.jobs.states import FINAL
from workers.jobs.submission import checked, submit
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Event, Job, Order
from workers.settings import Settings

BELL = Source(
    "bell.qasm",
    b'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2];'
    b"h q[0]; cx q[0], q[1]; measure q -> c;",
)

HASTY = Settings(
    backoff_seconds=0.001,
    backoff_most_seconds=0.001,
    resend_seconds=0.001,
    simulation_seconds=1,
    simulation_bytes=200 << 20,
)

MOST_LOOKS = 5
"""At one job; after which it is said to stand still."""


@attack("poison", "circuits that crash, hang or fill whatever computes them")
def poison(siege: Siege) -> Iterator[str]:
    """Submit all of them."""
    for submit_ in (deadly, greedy, wide_states):
        siege.tried[submit_.__name__.replace("_", " ")] += 1
        yield from submit_()
        if siege.over():
            return


def deadly(jobs: int = 50) -> Iterator[str]:
    """Submit many jobs of a circuit that ends its process in every known way."""
    for what in ("crash", "abort"):
        yield from _told(f"poison:{what}", jobs, deaths=MOST_DEATHS, quarantined=True)


def greedy(jobs: int = 3) -> Iterator[str]:
    """Submit jobs that take all memory, or never come back."""
    yield from _told("poison:eat", jobs, deaths=0, quarantined=False)
    yield from _told("poison:hang", jobs, deaths=0, quarantined=False)


def wide_states(jobs: int = 3) -> Iterator[str]:
    """Submit circuits whose state vector is known not to fit."""
    qubits = 26
    gates = "".join(f"h q[{q}];" for q in range(qubits))
    text = f'OPENQASM 2.0; include "qelib1.inc"; qreg q[{qubits}]; creg c[{qubits}]; {gates}'
    wide = Source("wide.qasm", f"{text} measure q -> c;".encode())
    yield from _told("aer", jobs, deaths=0, quarantined=False, source=wide)


def _told(
    backend: str, jobs: int, *, deaths: int, quarantined: bool, source: Source = BELL
) -> Iterator[str]:
    """Take jobs as far as they go, and yield what did not become of them."""
    with TemporaryDirectory() as folder:
        engine = open_database(str(Path(folder) / "records.sqlite"))
        asked = checked(
            Submission(CompileOrder(source, "", Options("fast")), backend, 50, repeat=jobs)
        )
        with Session(engine) as session:
            ids = [job.id for job in submit(session, HASTY, asked)]
        worker = Worker(engine, HASTY)
        for job_id in ids:
            for _look in range(MOST_LOOKS):
                worker.advance(job_id)
        with Session(engine) as session:
            rows = session.query(Job).order_by(Job.id).all()
            if open_ := [job.id for job in rows if job.state not in FINAL]:
                yield f"{backend}: jobs {open_} have not ended"
            if wrong := {job.state for job in rows} - {"failed"}:
                yield f"{backend}: jobs are {sorted(wrong)}, not failed"
            if [job.id for job in rows if not job.error]:
                yield f"{backend}: a job failed without a reason"
            if {bool(job.quarantined) for job in rows} != {quarantined}:
                yield f"{backend}: quarantined is not {quarantined} for every job"
            (order,) = session.query(Order).all()
            if order.deaths != deaths:
                yield f"{backend}: {order.deaths} processes have died, not {deaths}"
            again = session.query(Event).filter(Event.detail.contains("will try again")).count()
            if again > deaths:
                yield f"{backend}: it was tried again {again} times"
        engine.dispose()
