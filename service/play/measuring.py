"""Where matches on pages are measured: exactly, or on simulators that the operator allows."""

from typing import Any

from attrs import evolve, field, frozen

from backends import LocalBackend, backend_from_spec
from compiler.errors import InputError
from games.match import Match
from games.playing.measurements.backend_oracle import BackendOracle, NoResultError, Ran
from games.playing.measurements.looks import Look
from games.playing.measurements.oracle import ExactOracle, Oracle
from games.playing.measurements.trials import Trial
from service.api.dependencies import Service
from service.play.kept_match import KeptMatch
from workers.accounts.tokens import players
from workers.jobs.matches.queued import QueuedTrials
from workers.jobs.states import Queue
from workers.settings import PREFIX

SETTING = f"{PREFIX}PLAY_BACKENDS"


def allowed_backends(names: str) -> tuple[str, ...]:
    """Return the backends on which strangers may have something run.

    Args:
        names: separated by commas.

    Raises:
        InputError: if one is none, or one that others run, perhaps for money.
    """
    found = tuple(dict.fromkeys(filter(None, map(str.strip, names.split(",")))))
    for name in found:
        try:
            free = isinstance(backend_from_spec(name), LocalBackend)
        except InputError as error:
            raise InputError(f"{SETTING}: {error}") from error
        if not free:
            raise InputError(
                f"{SETTING}: '{name}' is no simulator of this machine, and strangers may start "
                "jobs on no other; leave it out"
            )
    return found


@frozen(eq=False)
class Measuring:
    """What measures the matches of a server; jobs go through its queue.

    Args:
        service: what it works with.
    """

    service: Service
    backends: tuple[str, ...] = field(init=False)

    @backends.default
    def _allowed(self) -> tuple[str, ...]:
        return allowed_backends(self.service.settings.play_backends)

    def check(self, backend: str) -> None:
        """Refuse a backend that is not offered.

        Raises:
            InputError: saying which are.
        """
        if backend and backend not in self.backends:
            offered = ", ".join(self.backends) or "none here"
            raise InputError(
                f"backend: {backend[:40]!r} is not offered to matches; offered: {offered}"
            )

    def oracle(self, kept: KeptMatch) -> Oracle:
        """Return what measures a match."""
        seed = kept.match.setup()["seed"]
        if not kept.backend:
            return ExactOracle(seed)
        jobs = QueuedTrials(
            self.service.writing,
            # All who play are one tenant, and have its quota.
            evolve(self.service.settings, most_jobs=self.service.settings.play_jobs),
            kept.backend,
            seed,
            # No move is made before it is measured, so the log tells measurements apart.
            lambda match, what: f"play-{kept.id}-{len(match.log)}-{what}",
            lambda job_id: self.service.broker.tell(job_id, Queue.COMPILE),
            self.service.settings.play_seconds,
            tenant=players,
        )

        def offered() -> QueuedTrials:
            if kept.backend not in self.backends:
                raise NoResultError(f"{kept.backend} is no longer offered to matches")
            return jobs

        def run(match: Match[Any], trial: Trial) -> Ran:
            return offered()(match, trial)

        def watch(match: Match[Any]) -> Look:
            return offered().look(match)

        return BackendOracle(kept.backend, seed, run, watch)
