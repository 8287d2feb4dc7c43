"""IBM's machines, through qiskit-ibm-runtime."""

import os
import threading
import warnings
from collections.abc import Mapping
from decimal import Decimal
from http.client import NOT_FOUND

from qiskit import QuantumCircuit
from qiskit_ibm_runtime import SamplerV2
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.decoders.result_decoder import ResultDecoder
from qiskit_ibm_runtime.exceptions import RuntimeInvalidStateError, RuntimeJobTimeoutError

from backends.backend import (
    BackendError,
    CircuitJob,
    JobState,
    JobStatus,
    ProviderBackend,
    UnavailableError,
    backend,
)
from backends.ibm_connection import URL_VARIABLE, Connection, ask
from backends.ibm_duration import duration_seconds
from backends.ibm_result import counts_in
from backends.prices import price
from compiler.errors import InputError
from compiler.targets import target_from_spec
from compiler.targets.heavy_hex import DEVICES

TAG_PREFIX = "stichwerk-"
REP_DELAY_SECONDS = Decimal("0.00025")
"""Pause between shots, the devices' default."""

OVERHEAD_SECONDS = Decimal(2)
"""What IBM's guide on the usage of workloads says a job takes besides its shots."""

STATES = {
    "INITIALIZING": JobState.QUEUED,
    "QUEUED": JobState.QUEUED,
    "RUNNING": JobState.RUNNING,
    "DONE": JobState.DONE,
    "ERROR": JobState.FAILED,
    "CANCELLED": JobState.CANCELLED,
}
PLAIN = {
    "dynamical_decoupling": {"enable": False},
    "twirling": {"enable_gates": False, "enable_measure": False},
}
"""Options by which a circuit is run as it was compiled."""

_warnings = threading.Lock()


@backend(
    "ibm",
    "ibm:torino, ibm:marrakesh or ibm:fez: an IBM machine, for money; account as for "
    "QiskitRuntimeService",
)
class IBMProvider(ProviderBackend):
    """A device of IBM's; a job's key is a tag of it."""

    def __init__(self, argument: str) -> None:
        if argument not in DEVICES:
            raise InputError(
                f"backend 'ibm:{argument}': no target is known for this device; known: "
                f"{', '.join(f'ibm:{device}' for device in DEVICES)}"
            )
        self.device = argument

    def default_target(self) -> str:
        """Return the device's target."""
        return f"heavy-hex:{self.device}"

    def accepts(self, target: str) -> bool:
        """Accept the device's own target only."""
        return target == self.default_target()

    def address(self) -> str | None:
        """Return what leads to another place than IBM's; see `ProviderBackend.address`."""
        return os.environ.get(URL_VARIABLE) or None

    def least_cost_usd(self, shots: int) -> Decimal:
        """Return the price of the pauses between shots and the overhead."""
        return self._price(shots, Decimal(0))

    def estimated_cost_usd(self, job: CircuitJob) -> Decimal:
        """Return the price of the seconds that the device is taken; see the module's constants."""
        seconds = duration_seconds(job.circuit, target_from_spec(job.target))
        return self._price(job.shots, Decimal(f"{seconds:.9f}"))

    def _price(self, shots: int, seconds_a_shot: Decimal) -> Decimal:
        seconds = OVERHEAD_SECONDS + shots * (REP_DELAY_SECONDS + seconds_a_shot)
        return price("ibm").of_job(shots, seconds)

    def submit(self, job: CircuitJob, key: str) -> str:
        """Hand a job over with its key as a tag; see `ProviderBackend.submit`."""
        circuit = _for_sampler(job.circuit)

        def question(connection: Connection) -> str:
            sampler = _sampler(connection, TAG_PREFIX + key)
            return str(connection.keep(sampler.run([circuit], shots=job.shots)).job_id())

        return ask(self.device, question)

    def find(self, key: str) -> str | None:
        """Return the id of the oldest job with the key's tag, or None."""
        tag = TAG_PREFIX + key

        def question(connection: Connection) -> str | None:
            found = connection.service.jobs(limit=1, job_tags=[tag], descending=False)
            return next((str(job.job_id()) for job in found if tag in (job.tags or ())), None)

        return ask(self.device, question)

    def status(self, provider_id: str) -> JobStatus:
        """Return where a job is; see `ProviderBackend.status`."""
        return ask(self.device, lambda connection: _status(connection, provider_id))

    def raw_result(self, provider_id: str) -> bytes:
        """Return the JSON that the sampler sent; see `ProviderBackend.raw_result`."""
        text = ask(self.device, lambda connection: _result(connection, provider_id))
        if not text:
            raise UnavailableError(f"'ibm:{self.device}': the result is not there yet; try later")
        return text.encode()

    def counts(self, raw: bytes, circuit: QuantumCircuit) -> Mapping[int, int]:
        """Return the shots by outcome; see `ProviderBackend.counts`."""
        return counts_in(raw, circuit)

    def cancel(self, provider_id: str) -> None:
        """Ask IBM to stop a job; see `ProviderBackend.cancel`."""

        def question(connection: Connection) -> None:
            try:
                connection.job(provider_id).cancel()
            except RuntimeInvalidStateError:
                return
            # The SDK holds it to be cancelled now, whatever becomes of it.
            connection.jobs.pop(provider_id, None)

        ask(self.device, question)


def _for_sampler(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without notes of the compiler's, which are no concern of IBM's.

    Raises:
        BackendError: if classical bits outside registers would be lost.
    """
    if any(not circuit.find_bit(bit).registers for bit in circuit.clbits):
        raise BackendError("IBM's sampler returns registers only; put every classical bit in one")
    plain = circuit.copy()
    plain.metadata = {}
    return plain


def _sampler(connection: Connection, tag: str) -> SamplerV2:
    # The SDK announces a successor, which is another program with results of another form.
    with _warnings, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return SamplerV2(connection.device, options={**PLAIN, "environment": {"job_tags": [tag]}})


def _status(connection: Connection, provider_id: str) -> JobStatus:
    job = connection.job(provider_id)
    told = str(job.status())
    state = STATES.get(told, JobState.RUNNING)
    detail = (job.error_message() or "") if state is JobState.FAILED else ""
    position = None
    if state is JobState.QUEUED:
        position = job.metrics().get("position_in_queue")
    return JobStatus(state, position, " ".join(detail.split()))


class _AsSent(ResultDecoder):
    @classmethod
    def decode(cls, data: str) -> str:
        return data


def _result(connection: Connection, provider_id: str) -> str:
    try:
        return connection.job(provider_id).result(timeout=0, decoder=_AsSent) or ""
    except RuntimeJobTimeoutError:
        return ""
    except RequestsApiError as error:
        if error.status_code == NOT_FOUND:
            return ""
        raise
