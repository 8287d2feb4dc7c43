"""Users that hand in jobs, and ask again with the same key when the database is away."""

import threading
from collections.abc import Callable, Sequence
from random import Random

from attrs import evolve
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from compiler.compilation import Options
from workers.batches.batch import Batch
from workers.batches.submitting import submit_batch
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import checked, submit
from workers.settings import Settings

from .programs import Known

BACKENDS = {"ibm:torino": 8, "braket:garnet": 8, "sparse": 4}
"""Shares of the jobs."""

TAGGED = 0.1
"""Share of the jobs with a tag, whose budget does not suffice for all of them."""

BATCHED = 0.3
"""Share of the times at which jobs for a provider are handed in as a batch."""

MAX_SHOTS = 40
MAX_AT_ONCE = 5


REST_SECONDS = 0.1
"""Before a database that is away is asked again."""


class Submitter(threading.Thread):
    """Hands in jobs as fast as it is allowed to.

    Args:
        engine: of the database.
        jobs: how many in all.
        programs: what they run.
        seed: of programs, backends, shots and batches.
        allowed: returns how many may have been handed in by now.
        submitting: held while jobs are handed in.
    """

    def __init__(
        self,
        engine: Engine,
        jobs: int,
        programs: Sequence[Known],
        seed: int,
        allowed: Callable[[], int],
        submitting: threading.Lock,
    ) -> None:
        super().__init__(name="submitter", daemon=True)
        self._engine = engine
        self._jobs = jobs
        self._programs = programs
        self._random = Random(f"submit {seed}")
        self._allowed = allowed
        self._submitting = submitting
        self._checked: dict[tuple[str, str], Submission] = {}
        self._stopped = threading.Event()
        self.submitted: list[int] = []
        """Jobs with a circuit of their own; those of batches are in the batches' rows."""
        self.batches: dict[int, int] = {}
        """Circuits by batch."""
        self.refusals = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        """Hand in all jobs, unless told to stop."""
        try:
            while self.count < self._jobs and not self._stopped.is_set():
                if self.count >= self._allowed():
                    self._stopped.wait(0.05)
                    continue
                left = self._jobs - self.count
                with self._submitting:
                    self._submit(min(left, self._random.randint(1, MAX_AT_ONCE)))
        except BaseException as error:  # noqa: BLE001 - told by whoever reads it
            self.error = error

    @property
    def count(self) -> int:
        """Circuits that were handed in."""
        return len(self.submitted) + sum(self.batches.values())

    def stop(self) -> None:
        """Hand in no more."""
        self._stopped.set()
        self.join()

    def _submit(self, repeat: int) -> None:
        program = self._random.choice(self._programs)
        backend = self._random.choices(list(BACKENDS), list(BACKENDS.values()))[0]
        key, number = f"chaos-{self.count}", self.count
        asked = evolve(
            self._known(program, backend),
            shots=self._random.randint(1, MAX_SHOTS),
            seed=number,
            tag="chaos" if self._random.random() < TAGGED else None,
            repeat=repeat,
            idempotency_key=key,
        )
        is_batch = backend != "sparse" and self._random.random() < BATCHED
        others = self._random.sample(self._programs, min(repeat, len(self._programs)))
        circuits = tuple(
            evolve(
                self._known(other, backend),
                shots=asked.shots,
                seed=number + place,
                idempotency_key=f"{key}-{place}",
            )
            for place, other in enumerate(others)
        )
        while not self._stopped.is_set():
            try:
                with Session(self._engine) as session:
                    if is_batch:
                        batch = Batch(key, circuits)
                        job = submit_batch(session, Settings(), batch, key=key, tag=asked.tag)
                        self.batches[job.id] = len(circuits)
                    else:
                        jobs = submit(session, Settings(), asked)
                        self.submitted += [job.id for job in jobs]
            except SQLAlchemyError:
                self.refusals += 1
                self._stopped.wait(REST_SECONDS)
            else:
                return

    def _known(self, program: Known, backend: str) -> Submission:
        """Check a submission once for all jobs of its kind."""
        name = program.source.name
        if (name, backend) not in self._checked:
            self._checked[name, backend] = checked(
                Submission(CompileOrder(program.source, "", Options("fast")), backend, 1)
            )
        return self._checked[name, backend]
