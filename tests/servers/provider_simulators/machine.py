"""The machine behind a simulated provider: one queue, one job at a time, in memory."""

import heapq
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from math import ceil
from typing import Any

from attrs import define, field

from backends.backend import JobState
from tests.servers.provider_simulators.faults import Fault, Faults
from tests.servers.provider_simulators.hostile import hostile

DAY_SECONDS = 60.0
"""How long a simulated day takes."""

PAUSE_SECONDS = 0.05
"""Seconds between two looks of a paused device at whether it goes on."""

RAN_TOO_LONG = "Ran too long"
"""Reason with which a job ends that takes more of the device than it may."""

ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@define(eq=False)
class SimulatedJob:
    """An accepted job; the machine alone changes it.

    Args:
        id: the provider's.
        key: tag or token of the client's, or nothing.
        shots: how many were asked for.
        run: what it does; returns its result as the provider keeps it.
        starts: moment of the monotonic clock before which it stays queued.
        late: seconds after its end for which its result is not there yet.
        fails: whether it ends in failure.
        shown: moment of the monotonic clock before which no search shows it.
        fence: what it was submitted under, None if nothing.
        account: whose it is, with the region or instance, or nothing.
        seconds: of the device that it takes.
        most_seconds: of the device that it may take, after which it is ended; None for no limit.
        usage_late: seconds after its end for which what it used is not told.
        keeps_result: seconds after its end for which its result is kept; None for no limit.
        is_cancelling: whether it is about to be cancelled, unless it ends before.
        created: when it was accepted, UTC; likewise `started` and `ended`.
        state: where it is.
        detail: why it failed.
        result: what `run` returned.
    """

    id: str
    key: str
    shots: int
    run: Callable[[], bytes] = field(repr=False)
    starts: float
    late: float
    fails: bool
    shown: float = 0
    fence: str | None = None
    account: str = ""
    seconds: float = 0.0
    most_seconds: int | None = None
    usage_late: float = 0.0
    keeps_result: float | None = None
    is_cancelling: bool = False
    created: datetime = field(factory=lambda: datetime.now(UTC))
    started: datetime | None = None
    ended: datetime | None = None
    state: JobState = JobState.QUEUED
    detail: str = ""
    result: bytes | None = field(default=None, repr=False)

    @property
    def runs_too_long(self) -> bool:
        """Return whether it takes more of the device than it may."""
        return self.most_seconds is not None and self.seconds > self.most_seconds

    @property
    def billed_seconds(self) -> int:
        """Whole seconds of the device that it is charged for: none if it never started."""
        if self.started is None:
            return 0
        return ceil(self.seconds if not self.runs_too_long else self.most_seconds or 0)

    @property
    def loses_result(self) -> bool:
        """Return whether its result has been deleted."""
        if self.ended is None or self.keeps_result is None:
            return False
        return (datetime.now(UTC) - self.ended).total_seconds() >= self.keeps_result

    @property
    def tells_usage(self) -> bool:
        """Return whether it has ended, and what it used is known."""
        if self.ended is None:
            return False
        return (datetime.now(UTC) - self.ended).total_seconds() >= self.usage_late


class Machine:
    """Runs jobs in the order in which they may start, in a thread of its own.

    Args:
        faults: of which it heeds those of jobs and of single answers.
        queue_seconds: how long every job stays queued at least.
    """

    def __init__(self, faults: Faults, queue_seconds: float = 0) -> None:
        self.faults = faults
        self.queue_seconds = queue_seconds
        self.jobs: dict[str, SimulatedJob] = {}
        self._queue: list[tuple[float, int, SimulatedJob]] = []
        self._changed = threading.Condition()
        self._stopped = False
        threading.Thread(target=self._work, daemon=True).start()

    def accept(
        self,
        id: str,
        key: str,
        shots: int,
        run: Callable[[], bytes],
        *,
        fence: str | None = None,
        seconds: float = 0.0,
        most_seconds: int | None = None,
        account: str = "",
    ) -> SimulatedJob:
        """Queue a job and return it; `run` is called later, in the machine's thread."""
        overrun = self.faults.fires(Fault.OVERRUN, "submit")
        unused = self.faults.fires(Fault.LATE_USAGE, "submit")
        lost = self.faults.fires(Fault.LOST_RESULT, "submit")
        expires = self.faults.fires(Fault.EXPIRED_RESULT, "submit")
        slow = self.faults.fires(Fault.SLOW_QUEUE, "submit")
        late = self.faults.fires(Fault.LATE_RESULT, "submit")
        fails = self.faults.fires(Fault.JOB_FAILED, "submit") is not None
        hidden = self.faults.fires(Fault.HIDDEN, "submit")
        wait = self.queue_seconds + (slow.seconds if slow else 0)
        starts = time.monotonic() + wait
        shown = time.monotonic() + hidden.seconds if hidden else 0
        after = late.seconds if late else 0
        job = SimulatedJob(
            id,
            key,
            shots,
            run,
            starts,
            after,
            fails,
            shown,
            fence,
            account,
            seconds + (overrun.seconds if overrun else 0),
            most_seconds,
            unused.seconds if unused else 0,
            0.0 if lost else expires.seconds if expires else None,
        )
        with self._changed:
            heapq.heappush(self._queue, (starts, len(self.jobs), job))
            self.jobs[id] = job
            self._changed.notify_all()
        return job

    def told_id(self, job: SimulatedJob) -> str:
        """Return the id that an accepted job is answered with: its own, but for a fault."""
        earlier = next(iter(self.jobs))
        if earlier != job.id and self.faults.fires(Fault.DUPLICATE_ID, "submit"):
            return earlier
        return job.id

    def listed(self) -> list[SimulatedJob]:
        """Return the jobs that searches show, the oldest first."""
        with self._changed:
            return [job for job in self.jobs.values() if job.shown <= time.monotonic()]

    def queue_position(self, job: SimulatedJob) -> int | None:
        """Return how many queued jobs start no later than this one, or None if it has started."""
        with self._changed:
            waiting = sorted(item[:2] for item in self._queue)
            mine = next((item[:2] for item in self._queue if item[2] is job), None)
        return waiting.index(mine) + 1 if mine else None

    def result(self, job: SimulatedJob) -> bytes | None:
        """Return a job's result, perhaps corrupted; None if it has none, or none yet."""
        if job.result is None or job.ended is None or job.loses_result:
            return None
        if (datetime.now(UTC) - job.ended).total_seconds() < job.late:
            return None
        if self.faults.fires(Fault.CORRUPT_RESULT, "result"):
            return job.result[: len(job.result) // 2]
        others = (other.result for other in self.jobs.copy().values() if other is not job)
        foreign = next(filter(None, others), None)
        if foreign is not None and self.faults.fires(Fault.FOREIGN_RESULT, "result"):
            return foreign
        if self.faults.fires(Fault.HOSTILE_RESULT, "result"):
            return hostile(job.result)
        return job.result

    def cancel(self, job: SimulatedJob) -> bool:
        """Cancel a job that has not ended; tell whether that was so."""
        with self._changed:
            if job.state in ENDED:
                return False
            if self.faults.fires(Fault.CANCEL_IGNORED, "cancel"):
                return True
            self._queue = [item for item in self._queue if item[2] is not job]
            heapq.heapify(self._queue)
            if slow := self.faults.fires(Fault.SLOW_CANCEL, "cancel"):
                job.is_cancelling = True
                later = threading.Timer(slow.seconds, self._end, (job, JobState.CANCELLED))
                later.daemon = True
                later.start()
                return True
        self._end(job, JobState.CANCELLED)
        return True

    def _end(self, job: SimulatedJob, state: JobState, result: bytes | None = None) -> None:
        with self._changed:
            if job.state not in ENDED:
                job.state, job.ended, job.result = state, datetime.now(UTC), result

    def audit(self) -> list[dict[str, Any]]:
        """Return every job that was ever accepted as a JSON object, the oldest first.

        It `can_bill` unless it was cancelled before it started.
        """
        with self._changed:
            return [
                {
                    "id": job.id,
                    "key": job.key,
                    "shots": job.shots,
                    "state": job.state.value,
                    "created": job.created.isoformat(),
                    "started": job.started.isoformat() if job.started else None,
                    "fence": job.fence,
                    "account": job.account,
                    "can_bill": job.state is not JobState.CANCELLED or job.started is not None,
                    "billed_seconds": job.billed_seconds,
                    "lost_result": job.loses_result,
                }
                for job in self.jobs.values()
            ]

    def stop(self) -> None:
        """Start no more jobs."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            result, detail = _run(job)
            with self._changed:
                if job.state == JobState.RUNNING:
                    job.detail = detail
                    if job.runs_too_long:
                        self._end(job, JobState.CANCELLED)
                    else:
                        state = JobState.DONE if result is not None else JobState.FAILED
                        self._end(job, state, result)

    def _next(self) -> SimulatedJob | None:
        """Wait for the next job and mark it as running; return None when stopped."""
        with self._changed:
            while not self._stopped:
                wait = self._queue[0][0] - time.monotonic() if self._queue else None
                if wait is not None and self.faults.fires(Fault.DEVICE_PAUSED, "run"):
                    wait = max(wait, PAUSE_SECONDS)
                elif wait is not None and wait <= 0:
                    job = heapq.heappop(self._queue)[2]
                    job.state, job.started = JobState.RUNNING, datetime.now(UTC)
                    return job
                self._changed.wait(wait)
        return None


def _run(job: SimulatedJob) -> tuple[bytes | None, str]:
    if job.runs_too_long:
        return None, RAN_TOO_LONG
    if job.fails:
        return None, "simulated failure of the job"
    try:
        return job.run(), ""
    except Exception as error:  # noqa: BLE001 - whatever a job does, the next one must be run
        return None, str(error)
