"""Imports all that a dying worker needs, in the process that forks them and does nothing else."""

from tests.workers.queue import dying_worker
from workers.sandbox.sandboxed_process import prepare

assert dying_worker
prepare()
