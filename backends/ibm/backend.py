"""IBM's machines, through qiskit-ibm-runtime.

The SDK takes seconds to import. It is imported for requests to IBM, not for a device's capabilities
and prices, which the API, sweepers and metrics need.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from http.client import CONFLICT
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Qubit
from qiskit.primitives.containers.sampler_pub import SamplerPub
from qiskit.transpiler import Target

from backends.backend import (
    NO_ACCOUNT,
    RESULT_BYTES,
    AccountDevice,
    Calibration,
    Charge,
    CircuitJob,
    JobStatus,
    ProviderBackend,
)
from backends.calibration import device_errors, errors_met
from backends.devices.device_format import SourceFile
from backends.devices.formats.ibm import device_from_ibm
from backends.errors import BackendError, ResultError, UnavailableError
from backends.families import backend
from backends.ibm.account import URL_VARIABLE, devices_in, has_account, unknown_device
from backends.ibm.capabilities import max_circuits, max_shots, rep_delay_seconds, supported_needs
from backends.ibm.job_status import TAG_PREFIX, charged_seconds, ids_listed, status_in
from backends.ibm.result import NOTE, circuit_in, circuits_in, counts_in
from backends.noise_methods import twirls
from backends.prices import price
from backends.providers.paid_request import submitting
from backends.providers.provider_jobs import fitting, prepared
from backends.providers.text import usable_id
from compiler.dynamic.needs import Need
from compiler.dynamic.switches import without_switches
from compiler.errors import InputError, nearest
from compiler.targets import target_from_spec
from compiler.targets.device import FAMILY
from compiler.targets.ibm_devices import (
    CURRENT,
    configuration,
    is_snapshot,
    snapshot_names,
    snapshot_spec,
)
from compiler.words.run_options import AMPLIFYING, DECOUPLING, TWIRLING

if TYPE_CHECKING:
    from qiskit_ibm_runtime import IBMBackend
    from qiskit_ibm_runtime.executor_sampler import Sampler

    from backends.ibm.connection import Connection

T = TypeVar("T")

DEVICE = re.compile(r"(?!ibm_)[a-z][a-z0-9_-]{1,31}")
"""Names of devices, without `ibm_` before them."""

OVERHEAD_SECONDS = Decimal(2)
"""Seconds besides the shots of a job, roughly, by IBM's guide on the usage of workloads."""

HEADROOM = Decimal("1.25")
"""Factor between the time that a job should take and the most that it may."""

MAX_EXECUTIONS, MAX_JOB_SECONDS = 10_000_000, 3 * 3600
"""Shots of all circuits of a job, and its seconds on the device, by IBM's guides on job limits and
maximum execution time."""

MAX_OPERATIONS = 200_000
"""Operations of all circuits of a job, so that its inputs can be fetched and compared."""

PAGE, PAGES = 50, 20
"""Jobs of a list at once, and the number of such lists for one key."""


def offered_devices() -> Sequence[AccountDevice]:
    """Return the devices of the account.

    Raises:
        CredentialsError: if there is no account.
        BackendError: if IBM does not list them.
    """
    return devices_in(_ask("", lambda connection: connection.service.client.list_backends()))


def _unknown(device: str) -> str:
    """Return why no snapshot of a device is shipped, and which devices there are."""
    try:
        offered = offered_devices()
    except BackendError as error:
        near, retired = nearest(device, snapshot_names()), len(snapshot_names()) - len(CURRENT)
        hint = f"did you mean 'ibm:{near}'? " if near else ""
        return (
            f"no snapshot of this device is shipped; {hint}Snapshots: {', '.join(CURRENT)}, and "
            f"{retired} retired ones of 'stichwerk targets'; {error}"
        )
    if any(each.backend == f"ibm:{device}" for each in offered):
        return "no snapshot of this device is shipped. Use --calibration live"
    return unknown_device(device, offered)


def account_devices() -> Sequence[AccountDevice]:
    """Return the devices of the account, or those in service; see `offered_devices`."""
    if has_account():
        return offered_devices()
    configurations = {f"ibm_{name}": configuration(name) for name in CURRENT if is_snapshot(name)}
    return devices_in(
        {**of, "name": name, "qubits": of["n_qubits"], "status": {"name": NO_ACCOUNT}}
        for name, of in configurations.items()
    )


@backend(
    "ibm",
    "ibm:boston or any other device of an account (paid); account as for QiskitRuntimeService",
    CURRENT,
    account_devices,
)
class IBMProvider(ProviderBackend):
    """A device of IBM's; a job's key is a tag of it, and its fence a batch.

    IBM accepts two jobs with the same tag. It accepts none in a batch that has been closed, so a
    request that is still on its way is worth nothing once its batch has been.
    """

    def __init__(self, argument: str) -> None:
        if not DEVICE.fullmatch(argument):
            raise InputError(f"backend 'ibm:{argument}': {_unknown(argument)}")
        self.device = argument

    def default_target(self) -> str:
        """Return the target of the shipped snapshot.

        Raises:
            InputError: if there is none, naming the devices of the account.
        """
        if is_snapshot(self.device):
            return snapshot_spec(self.device)
        raise InputError(f"backend 'ibm:{self.device}': {_unknown(self.device)}")

    def accepts(self, target: str) -> bool:
        """Accept the device's snapshot, and every other calibration of it."""
        if target.startswith(f"{FAMILY}:ibm_{self.device}:"):
            return True
        return is_snapshot(self.device) and target == snapshot_spec(self.device)

    def has_live_calibration(self) -> bool:
        """Return whether this process has an account of IBM's."""
        return has_account()

    def description(self) -> Mapping[str, Mapping[str, Any]]:
        """Return configuration and properties; see `ProviderBackend.description`."""

        def question(connection: "Connection") -> Mapping[str, Mapping[str, Any]]:
            client, name = connection.service.client, connection.device.name
            return {
                f"conf_{name}.json": client.backend_configuration(name, refresh=True),
                f"props_{name}.json": client.backend_properties(name),
            }

        return _ask(self.device, question)

    def supports(self) -> frozenset[Need]:
        """Return the part of IBM's guide on dynamic circuits that the device supports."""
        return supported_needs(self.device)

    def max_shots(self) -> int:
        """Return the most shots of a job, by the device's configuration."""
        return max_shots(self.device)

    def treatments(self) -> frozenset[str]:
        """Return the options of IBM's sampler, and the capabilities by circuits alone."""
        return frozenset({DECOUPLING, TWIRLING, AMPLIFYING})

    def address(self) -> str | None:
        """Return the address if it is not IBM's; see `ProviderBackend.address`."""
        return os.environ.get(URL_VARIABLE) or None

    def account(self) -> str:
        """Return the CRN of the instance, which names account and region; see `ProviderBackend`."""
        return _ask(self.device, lambda connection: connection.instance)

    def variables(self, address: str | None, account: str | None) -> str:
        """Return the variables of that address; see `ProviderBackend.variables`."""
        where = f"{URL_VARIABLE}={address}" if address else f"no {URL_VARIABLE}"
        whose = f", QISKIT_IBM_INSTANCE={account} and its QISKIT_IBM_TOKEN" if account else ""
        return where + whose

    def least_cost_usd(self, shots: int) -> Decimal:
        """Return the price of the pauses between shots and the overhead."""
        return price("ibm").of_job(shots, OVERHEAD_SECONDS + shots * rep_delay_seconds(self.device))

    def together(self, jobs: Sequence[CircuitJob]) -> Sequence[CircuitJob]:
        """Return circuits with the same shots and treatments, as PUBs; see `ProviderBackend`."""
        return fitting(
            jobs,
            lambda job: (job.shots, job.run_options.decoupling, job.run_options.twirling),
            lambda job: (1, job.shots, job.circuit.size(), float(_seconds(job, self.device))),
            (max_circuits(self.device), MAX_EXECUTIONS, MAX_OPERATIONS, MAX_JOB_SECONDS),
        )

    def estimated_cost_usd(self, jobs: Sequence[CircuitJob]) -> Decimal:
        """Return the price of the seconds after which IBM ends the job: the most it can cost."""
        shots = sum(job.shots for job in jobs)
        return price("ibm").of_job(shots, Decimal(max_seconds(jobs, self.device)))

    def fence(self) -> str | None:
        """Open a batch; None if the account's plan grants none. See `ProviderBackend.fence`."""
        from backends.ibm.batch import open_batch

        return _ask(self.device, open_batch)

    def close_fence(self, fence: str) -> None:
        """Close a batch; see `ProviderBackend.close_fence`."""
        from backends.ibm.batch import close_batch

        _ask(self.device, lambda connection: close_batch(connection, fence))

    def submit(
        self,
        jobs: Mapping[str, CircuitJob],
        key: str,
        *,
        fence: str | None = None,
        leave: Callable[[], None] = lambda: None,
    ) -> str:
        """Hand a job over with its key as a tag, each circuit as a PUB; see `ProviderBackend`."""
        circuits, listed = prepared(jobs, _for_sampler), list(jobs.values())

        def question(connection: "Connection") -> str:
            options = sampler_options(listed, self.device)
            sampler = _sampler(connection, TAG_PREFIX + key, fence, options)
            prepared(jobs, lambda _, key: _check_native(circuits[key], connection.device))
            id = sampler.run(list(circuits.values()), shots=listed[0].shots).job_id()
            return usable_id(id, f"'ibm:{self.device}'")

        with submitting(leave):
            return _ask(self.device, question)

    def find(self, key: str, since: datetime | None = None) -> Sequence[str]:
        """Return the ids of the jobs with the key's tag; see `ProviderBackend.find`."""

        def question(connection: "Connection") -> Sequence[str]:
            listed: list[object] = []
            for _ in range(PAGES):
                page = connection.service.client.jobs_get(
                    limit=PAGE,
                    skip=len(listed),
                    job_tags=[TAG_PREFIX + key],
                    created_after=since,
                    descending=False,
                )["jobs"]
                listed += page
                if len(page) < PAGE:
                    return ids_listed(listed, key)
            raise UnavailableError(f"'ibm:{self.device}': IBM lists jobs without an end")

        return _ask(self.device, question)

    def status(self, provider_id: str, key: str) -> JobStatus:
        """Return where a job is; see `ProviderBackend.status`."""

        def question(connection: "Connection") -> JobStatus:
            data = connection.service.job_data(provider_id)
            place = connection.service.client.job_metadata
            return status_in(data, provider_id, key, lambda: place(provider_id))

        return _ask(self.device, question)

    def raw_result(self, provider_id: str) -> bytes:
        """Return the JSON that the executor sent; see `ProviderBackend.raw_result`."""
        raw = _ask(self.device, lambda connection: _result(connection, provider_id))
        if not raw:
            raise UnavailableError(
                f"'ibm:{self.device}': the result is not available yet; try later"
            )
        return raw

    def executed_program(self, provider_id: str, raw: bytes) -> bytes | None:
        """Return the circuits among the inputs that IBM keeps of a job; see `ProviderBackend`."""
        inputs = _ask(self.device, lambda connection: connection.service.job_inputs(provider_id))
        return circuits_in(inputs)

    def executed_circuit(self, program: bytes, job: CircuitJob, key: str) -> QuantumCircuit:
        """Return the circuit among a job's inputs; see `ProviderBackend.executed_circuit`."""
        return circuit_in(program, key)

    def counts(
        self, raw: bytes, job: CircuitJob, key: str, provider_id: str, *, circuits: int = 1
    ) -> Mapping[int, int]:
        """Return the shots by outcome; see `ProviderBackend.counts`.

        A result does not name its job, but repeats the metadata of its circuits.
        """
        return counts_in(raw, job, key, circuits)

    def charge(self, provider_id: str) -> Charge | None:
        """Return the seconds that IBM charges for, at the price of now; see `ProviderBackend`."""
        metadata = _ask(
            self.device, lambda connection: connection.service.client.job_metadata(provider_id)
        )
        seconds = charged_seconds(metadata)
        if seconds is None:
            return None
        return Charge(price("ibm").of_job(0, Decimal(str(seconds))), seconds)

    def calibration(self, job: CircuitJob) -> Calibration | None:
        """Return the errors of the last calibration; see `ProviderBackend.calibration`."""
        name = f"ibm_{self.device}"
        properties = _ask(
            self.device, lambda connection: connection.service.client.backend_properties(name)
        )
        file = SourceFile(Path(), "", properties if isinstance(properties, dict) else {})
        errors = errors_met(device_errors(device_from_ibm, file, name), job.circuit)
        at = str(file.content.get("last_update_date") or "")[:40]
        return Calibration(at, errors) if errors else None

    def cancel(self, provider_id: str) -> None:
        """Ask IBM to stop a job; see `ProviderBackend.cancel`."""
        from qiskit_ibm_runtime.api.exceptions import RequestsApiError

        def question(connection: "Connection") -> None:
            try:
                connection.service.client.job_cancel(provider_id)
            except RequestsApiError as error:
                if error.status_code != CONFLICT:
                    raise

        _ask(self.device, question)


def _ask(device: str, question: "Callable[[Connection], T]") -> T:
    from backends.ibm.connection import ask

    return ask(device, question)


def _for_sampler(job: CircuitJob, key: str) -> QuantumCircuit:
    """Return a circuit as IBM takes it: without switches, and with a note of whose it is alone.

    Raises:
        BackendError: if classical bits outside registers would be lost.
    """
    circuit = job.circuit
    if any(not circuit.find_bit(bit).registers for bit in circuit.clbits):
        raise BackendError("IBM's sampler returns registers only; put every classical bit in one")
    noted = without_switches(circuit)
    noted.metadata = {NOTE: {"key": key, "circuit": job.digest}}
    return noted


def sampler_options(jobs: Sequence[CircuitJob], device: str) -> dict[str, Any]:
    """Return the options by which IBM's sampler treats circuits as was asked, and no other way.

    Among them is the ceiling of its cost, as the time after which IBM ends it.

    Random forms and shots of each are said, for the sampler would choose numbers whose product is
    another number of shots. Readout is not twirled: its errors are undone afterwards.
    """
    shots, options = jobs[0].shots, jobs[0].run_options
    decoupling: dict[str, Any] = {"enable": options.decoupling}
    if options.decoupling:
        # Qubits that are still |0⟩, among them all that the circuit does not use, are left alone.
        decoupling |= {"sequence_type": "XpXm", "skip_reset_qubits": True}
    twirling: dict[str, Any] = {"enable_gates": options.twirling, "enable_measure": False}
    if options.twirling:
        forms = twirls(shots)
        twirling |= {"num_randomizations": forms, "shots_per_randomization": shots // forms}
    return {
        "dynamical_decoupling": decoupling,
        "twirling": twirling,
        "max_execution_time": max_seconds(jobs, device),
    }


def max_seconds(jobs: Sequence[CircuitJob], device: str) -> int:
    """Return the whole seconds of the device that a job may take, after which IBM ends it.

    `HEADROOM` times the estimate: `OVERHEAD_SECONDS` once, and for each circuit its shots · (the
    device's pause between shots + duration of the circuit). It depends on the circuits and on the
    shipped configuration alone, so that a repeated submission says the same.
    """
    return ceil(HEADROOM * (OVERHEAD_SECONDS + sum(_seconds(job, device) for job in jobs)))


def _seconds(job: CircuitJob, device: str) -> Decimal:
    """Return the seconds that the shots of a circuit take."""
    circuit = without_switches(job.circuit)
    duration = Decimal(f"{duration_seconds(circuit, target_from_spec(job.target)):.9f}")
    return job.shots * (rep_delay_seconds(device) + duration)


def _sampler(
    connection: "Connection", tag: str, fence: str | None, options: dict[str, Any]
) -> "Sampler":
    from qiskit_ibm_runtime.executor_sampler import Sampler

    from backends.ibm.batch import batch

    mode = connection.device if fence is None else batch(connection, fence)
    return Sampler(mode, options={**options, "environment": {"job_tags": [tag]}})


def _check_native(circuit: QuantumCircuit, device: "IBMBackend") -> None:
    """Check that a device takes a circuit as it is now, which the SDK's sampler does not do.

    Raises:
        BackendError: if it does not.
    """
    from qiskit_ibm_runtime.utils import validate_isa_circuits, validate_rzz_pubs

    from backends.ibm.connection import FAILURES, explained

    try:
        validate_isa_circuits([circuit], device.target)
        validate_rzz_pubs([SamplerPub.coerce(circuit)])
        device.check_faulty(circuit)
    except FAILURES as error:
        raise explained(error, device.name.removeprefix("ibm_")) from error


def _result(connection: "Connection", provider_id: str) -> bytes:
    from qiskit_ibm_runtime.api.exceptions import RequestsApiError

    from backends.ibm.transport import TooLongError

    try:
        return connection.service.job_result(provider_id)
    except RequestsApiError as error:
        if isinstance(error.__cause__, TooLongError):
            raise ResultError(f"IBM's result is longer than {RESULT_BYTES} bytes") from error
        raise


def duration_seconds(circuit: QuantumCircuit, target: Target) -> float:
    """Return the seconds from a circuit's first gate to its last, each as early as it can be.

    Of the branches of a control flow operation the longest counts, and a loop's body once.
    Operations without a known duration take none.
    """
    qubits = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    return _duration(circuit, qubits, target)


def _duration(circuit: QuantumCircuit, places: dict[Qubit, int], target: Target) -> float:
    ends: dict[Qubit | object, float] = {}
    for item in circuit.data:
        wires = (*item.qubits, *item.clbits)
        end = max((ends.get(wire, 0.0) for wire in wires), default=0.0)
        end += _operation_seconds(item, places, target)
        ends.update(dict.fromkeys(wires, end))
    return max(ends.values(), default=0.0)


def _operation_seconds(item: CircuitInstruction, places: dict[Qubit, int], target: Target) -> float:
    blocks: tuple[QuantumCircuit, ...] = getattr(item.operation, "blocks", ())
    if blocks:
        inner = [places[qubit] for qubit in item.qubits]
        return max(
            _duration(block, dict(zip(block.qubits, inner, strict=True)), target)
            for block in blocks
        )
    properties = target.get(item.operation.name)
    entry = (properties or {}).get(tuple(places[qubit] for qubit in item.qubits))
    return (entry.duration or 0.0) if entry else 0.0
