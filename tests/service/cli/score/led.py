"""Scores at a simulated provider: handed over, and led by workers that see each job once."""

import json

from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.servers.process import wait_until
from workers.jobs.states import FINAL
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import Settings

ASKED = ("score", "--suite", "tiny", "-b", "ibm:torino", "--queue", "--json", "--run")


def handed(stichwerk, run, *more):
    """Return the number of a score's job, and what was said."""
    done = stichwerk(*ASKED, run, *more)
    assert done.code == 0, done.err
    (job_id,) = json.loads(done.out)["jobs"]
    return job_id, done.err


def led(folder, parent, times=1):
    """Let new workers look at a score and all of its parts, so often."""
    engine = open_database(str(folder / "stichwerk.sqlite"))
    for _ in range(times):
        with Session(engine) as session:
            parts = session.scalars(select(Job.id).where(Job.parent_id == parent)).all()
        for one in (parent, *parts):
            Worker(engine, Settings()).advance(one)


def ended(folder, parent):
    """Lead a score to its end."""

    def looked():
        led(folder, parent)
        return states(folder, parent)[0][0] in FINAL

    assert wait_until(looked, 300)


def states(folder, parent):
    """Return state, number of questions to the provider and error of a score and its parts."""
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        asked = select(Job).where((Job.id == parent) | (Job.parent_id == parent)).order_by(Job.id)
        return [(job.state, job.asks, job.error) for job in session.scalars(asked)]
