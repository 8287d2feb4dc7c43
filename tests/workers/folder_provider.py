"""A provider whose jobs are files of a folder, so that it outlives whoever submits to it."""

import json
import os
import signal
import time
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

from backends import (
    BackendError,
    Charge,
    CircuitsRefusedError,
    CredentialsError,
    FailedCircuitError,
    JobState,
    JobStatus,
    ProviderBackend,
    ResultError,
    UnavailableError,
    backend,
)

PRICE = Decimal("0.5")


@backend("folder", "a folder of files, for tests")
class FolderProvider(ProviderBackend):
    """Accepts everything, runs everything on the exact simulator when it is asked about it.

    Files of the folder tell it what to do wrong; each names a fault and holds how often:
    `cut-before`, `cut-after`, `refuse`, `expired`, `late`, `corrupt`, `few`, `fail`, `queue`,
    `kill-before-acceptance`, `kill-after-acceptance`, `no-fence`, `no-cancel`, `hidden`, `outage`,
    `forgotten`. The file `charge` holds what every job cost, `account` whose they are, `group` the
    most circuits of a provider job, `refused-shots` and `failed-shots` shots of a circuit that is
    refused before it is sent, or that fails there.
    """

    def __init__(self, folder):
        self.folder = Path(folder)

    def default_target(self):
        return "all"

    def accepts(self, target):
        return True

    def reads_with_errors(self):
        return False

    def address(self):
        return str(self.folder)

    def account(self):
        path = self.folder / "account"
        return path.read_text() if path.exists() else "account 1"

    def variables(self, address, account):
        return f"FOLDER={address} ACCOUNT={account}"

    def least_cost_usd(self, shots):
        return PRICE

    def together(self, jobs):
        return jobs[: self._number("group") or 1]

    def estimated_cost_usd(self, jobs):
        return PRICE + Decimal(sum(job.shots for job in jobs)) / 1000

    def fence(self):
        self._check("no-fence", UnavailableError, "connection cut")
        fence = uuid4().hex
        (self.folder / f"{fence}.fence").touch()
        return fence

    def close_fence(self, fence):
        (self.folder / f"{fence}.fence").unlink(missing_ok=True)

    def submit(self, jobs, key, *, fence=None, leave=lambda: None):
        bad = self._number("refused-shots")
        refused = {each: "too many" for each, job in jobs.items() if job.shots == bad}
        if refused and len(jobs) > 1:
            raise CircuitsRefusedError(refused)
        if refused:
            raise BackendError("too many")
        leave()
        return self.take(jobs, key, fence)

    def take(self, jobs, key, fence):
        """Do what the provider does once a request has reached it."""
        self._check("expired", CredentialsError, "the token has expired")
        self._check("cut-before", UnavailableError, "connection cut")
        self._check("refuse", BackendError, "no such gate")
        if not (self.folder / f"{fence}.fence").exists():
            raise BackendError("the batch is closed")
        self._die("kill-before-acceptance")
        from backends.sparse import SparseBackend

        provider_id = uuid4().hex
        counts = {
            each: {str(k): v for k, v in SparseBackend("").run(job).items()}
            if job.shots != self._number("failed-shots")
            else None
            for each, job in jobs.items()
        }
        content = {"key": key, "counts": counts, "accepted": time.time_ns()}
        (self.folder / f"{provider_id}.job").write_text(json.dumps(content))
        self._die("kill-after-acceptance")
        self._check("cut-after", UnavailableError, "connection cut")
        return provider_id

    def find(self, key, since=None):
        self._check("expired", CredentialsError, "the token has expired")
        if self._fault("hidden"):
            return []
        first = 0.0 if since is None else since.timestamp() * 1e9
        ids = [k["id"] for k in self._jobs() if k["key"] == key and k["accepted"] >= first]
        alive = [one for one in ids if not (self.folder / f"{one}.cancelled").exists()]
        return alive or ids

    def status(self, provider_id, key):
        self._check("expired", CredentialsError, "the token has expired")
        self._check("outage", UnavailableError, "the fridge is away")
        self._check("forgotten", BackendError, "no such job")
        if (self.folder / f"{provider_id}.cancelled").exists():
            return JobStatus(JobState.CANCELLED)
        if self._fault("fail"):
            return JobStatus(JobState.FAILED, detail="the fridge is warm")
        if self._fault("queue"):
            return JobStatus(JobState.QUEUED, queue_position=7)
        if self._fault("run"):
            return JobStatus(JobState.RUNNING)
        return JobStatus(JobState.DONE)

    def raw_result(self, provider_id):
        self._check("late", UnavailableError, "not there yet")
        if self._fault("corrupt"):
            return b'{"counts": {"0'
        counts = json.loads((self.folder / f"{provider_id}.job").read_text())["counts"]
        if self._fault("few"):
            counts = {key: {"0": 1} for key in counts}
        return json.dumps(counts).encode()

    def counts(self, raw, job, key, provider_id, *, circuits=1):
        try:
            counts = json.loads(raw)
        except ValueError as error:
            raise ResultError(f"the result is no JSON: {error}") from error
        if len(counts) != circuits or key not in counts:
            raise ResultError("of other circuits")
        if counts[key] is None:
            raise FailedCircuitError("the fridge dropped it")
        return {int(k): n for k, n in counts[key].items()}

    def charge(self, provider_id):
        path = self.folder / "charge"
        return Charge(Decimal(path.read_text()), 1.5) if path.exists() else None

    def cancel(self, provider_id):
        self._check("no-cancel", UnavailableError, "it cannot be cancelled just now")
        (self.folder / f"{provider_id}.cancelled").touch()

    def accepted(self):
        """Return the keys of all jobs that were accepted, the oldest first."""
        return [known["key"] for known in self._jobs()]

    def billed(self):
        """Return the keys of all jobs that were accepted and not cancelled."""
        return [
            known["key"]
            for known in self._jobs()
            if not (self.folder / f"{known['id']}.cancelled").exists()
        ]

    def do_wrong(self, fault, times=1):
        """Let a fault happen so often."""
        (self.folder / fault).write_text(str(times))

    def _jobs(self):
        known = [
            {**json.loads(path.read_text()), "id": path.stem} for path in self.folder.glob("*.job")
        ]
        return sorted(known, key=lambda one: one["accepted"])

    def _number(self, name):
        path = self.folder / name
        return int(path.read_text()) if path.exists() else 0

    def _fault(self, name):
        path, left = self.folder / name, self._number(name)
        if left:
            path.write_text(str(left - 1))
        return left > 0

    def _die(self, name):
        if self._fault(name):
            os.kill(os.getpid(), signal.SIGKILL)

    def _check(self, name, error, message):
        if self._fault(name):
            raise error(message)
