"""What simulators on this machine share: a submitted job runs at once."""

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal

from backends.backend import Backend, CircuitJob, JobState


class LocalBackend(Backend):
    """Runs jobs as they are submitted and keeps their counts for as long as it lives."""

    def __init__(self) -> None:
        self._counts: dict[str, Mapping[int, int]] = {}

    @abstractmethod
    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome.

        Raises:
            BackendError: if the circuit cannot be run.
        """

    def default_target(self) -> str:
        """Return a fully coupled target of the program's size."""
        return "all"

    def accepts(self, target: str) -> bool:
        """Accept every target: an ideal simulator knows no couplings."""
        return True

    def reads_with_errors(self) -> bool:
        """Return False: simulators are perfect unless they say otherwise."""
        return False

    def estimated_cost_usd(self, job: CircuitJob) -> Decimal:
        """Return zero."""
        return Decimal(0)

    def submit(self, job: CircuitJob, key: str) -> str:
        """Run the job unless its key is known; the key is also the provider's id."""
        if key not in self._counts:
            self._counts[key] = self.run(job)
        return key

    def find(self, key: str) -> str | None:
        """Return `key` if it has been submitted."""
        return key if key in self._counts else None

    def state(self, provider_id: str) -> JobState:
        """Return `done`: there is nothing to wait for."""
        return JobState.DONE

    def counts(self, provider_id: str) -> Mapping[int, int]:
        """Return the shots by outcome."""
        return self._counts[provider_id]

    def cancel(self, provider_id: str) -> None:
        """Do nothing: the job is done."""
