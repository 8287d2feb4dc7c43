"""Amazon Braket: its gate devices, and its simulators on demand."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from time import monotonic
from typing import TYPE_CHECKING, Any

from qiskit import QuantumCircuit

from backends.backend import (
    RESULT_BYTES,
    SECONDS_PER_CALL,
    Calibration,
    Charge,
    CircuitJob,
    JobState,
    JobStatus,
    ProviderBackend,
)
from backends.braket.capabilities import (
    Capabilities,
    capabilities_of,
    known_capabilities,
    read_capabilities,
    shipped_capabilities,
)
from backends.braket.compiled import compiled_circuit, compiled_of, compiled_program, is_verbatim
from backends.braket.connection import (
    CONNECT_SECONDS,
    READ_SECONDS,
    asking,
    has_account,
    region_of,
    session_in,
)
from backends.braket.devices import device_named, list_account, sdk_devices
from backends.braket.result import counts_in, execution_seconds, with_named_files
from backends.calibration import errors_met
from backends.devices.formats.braket import device_from_braket, first_label
from backends.devices.reading import described_target
from backends.errors import BackendError, CircuitsRefusedError, ResultError, UnavailableError
from backends.families import backend
from backends.prices import Price, price
from backends.providers.paid_request import submitting
from backends.providers.provider_jobs import fitting, prepared
from backends.providers.text import line, queue_position, usable_id
from compiler.dynamic.needs import Need
from compiler.errors import InputError
from compiler.targets.device import FAMILY, make_known
from compiler.words.run_options import AMPLIFYING

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

TAG = "stichwerk"
"""Tag of every task; its value is the job's key."""

FOLDER = "stichwerk"
"""Folder of the S3 bucket in which Braket makes one folder a task."""

MAX_CHARACTERS = 2_000_000
"""Characters of all programs of a program set; Amazon names no limit."""

CHUNK = 2**14
"""Bytes of a result that are read at once."""

STATES: Mapping[str, JobState] = {
    "CREATED": JobState.QUEUED,
    "QUEUED": JobState.QUEUED,
    "RUNNING": JobState.RUNNING,
    "CANCELLING": JobState.RUNNING,
    "COMPLETED": JobState.DONE,
    "FAILED": JobState.FAILED,
    "CANCELLED": JobState.CANCELLED,
}

ADDRESSES = ("BRAKET_ENDPOINT", "AWS_ENDPOINT_URL_BRAKET", "AWS_ENDPOINT_URL")
"""Variables by which the SDK is led elsewhere."""


@backend(
    "braket",
    "Amazon Braket (paid): braket:garnet, braket:forte-1 or any other gate device of an "
    "account, braket:sv1 (simulator)",
    tuple(sdk_devices()),
    list_account,
)
class BraketBackend(ProviderBackend):
    """Submits to Amazon Braket with the key both as the client token and as a tag.

    Braket makes one task of all submissions with the same client token, so a job needs no fence. A
    lost task is found by its tag, as the API cannot look a client token up without perhaps
    creating a task: it searches by device and time only, so all tasks since then are read through.

    Args:
        argument: a device's name or ARN.
    """

    def __init__(self, argument: str) -> None:
        self.device = device_named(argument)

    def default_target(self) -> str:
        """Return the shipped target, else that of the device's capabilities of now.

        Raises:
            InputError: if they cannot be read.
        """
        name, shipped = f"braket:{self.device.name}", shipped_capabilities(self.device)
        if self.device.snapshot is not None:
            return self.device.snapshot
        if shipped is not None:
            return make_known(device_from_braket(shipped.file(), self.device.label))
        try:
            return described_target(self, name)
        except BackendError as error:
            raise InputError(
                f"backend '{name}': no target of this device is shipped, and {error}"
            ) from error

    def accepts(self, target: str) -> bool:
        """Accept the shipped target, its variants and all calibrations; every target on SV1."""
        own = self.device.snapshot
        return (
            not self.device.real
            or target.startswith(f"{FAMILY}:{self.device.label}:")
            or (own is not None and (target == own or target.startswith(f"{own}:")))
        )

    def has_live_calibration(self) -> bool:
        """Return whether this process has an account of Amazon's, and this is a machine."""
        return self.device.real and has_account()

    def description(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the capabilities document; see `ProviderBackend.description`."""
        if not self.device.real:
            return super().description()
        return {f"{self.device.label}.json": capabilities_of(self.device).file().content}

    def supports(self) -> frozenset[Need]:
        """Return the device's experimental capabilities at Braket."""
        return self.device.supports()

    def min_shots(self) -> int:
        """Return the fewest shots of a task, by the capabilities that were read last."""
        return self._capabilities().shots[0]

    def max_shots(self) -> int:
        """Return the most shots of a task, by the capabilities that were read last."""
        return self._capabilities().shots[1]

    def treatments(self) -> frozenset[str]:
        """Return the capabilities by circuits alone, which run unchanged on machines only."""
        return frozenset({AMPLIFYING}) if self.device.real else frozenset()

    def reads_with_errors(self) -> bool:
        """Return whether this is a machine."""
        return self.device.real

    def address(self) -> str | None:
        """Return the endpoint if it is not Amazon's; see `ProviderBackend.address`."""
        named = (os.environ.get(name) for name in ADDRESSES)
        return next((address for address in named if address), None)

    def account(self) -> str:
        """Return the number of the account and the region; see `ProviderBackend.account`."""
        with asking("asking AWS whose the credentials are"):
            session = session_in(region_of(self.device.arn))
            return f"{line(session.account_id)} in {session.region}"

    def variables(self, address: str | None, account: str | None) -> str:
        """Return the variables of that endpoint; see `ProviderBackend.variables`."""
        where = f"{ADDRESSES[1]}={address}" if address else f"no {', '.join(ADDRESSES)}"
        number, _, region = (account or "").partition(" in ")
        whose = f", AWS_REGION={region} and AWS_PROFILE or AWS_ACCESS_KEY_ID of account {number}"
        return where + (whose if account else "")

    def price(self) -> Price:
        """Return the device's prices, by its capabilities if they have them.

        Raises:
            PriceError: if no price is known.
        """
        return price(f"braket:{self.device.name}", self._capabilities().price)

    def _capabilities(self) -> Capabilities:
        return known_capabilities(self.device) or capabilities_of(self.device)

    def least_cost_usd(self, shots: int) -> Decimal:
        """Return the lowest cost of a job of so many shots; see `ProviderBackend`."""
        return self.price().of_job(shots)

    def together(self, jobs: Sequence[CircuitJob]) -> Sequence[CircuitJob]:
        """Return circuits with the same shots, for a program set; see `ProviderBackend`.

        Their programs differ, for by these their results are told apart.
        """
        capabilities = self._capabilities()
        programs: dict[str, CircuitJob] = {}
        for job in jobs:
            if not self.device.feeds_forward(job.circuit):
                with suppress(BackendError):
                    programs.setdefault(self._source(job, capabilities), job)
        length = {job: len(source) for source, job in programs.items()}
        if jobs[0] not in length:
            return jobs[:1]
        return fitting(
            list(length),
            lambda job: job.shots,
            lambda job: (1, job.shots, length[job]),
            (*capabilities.program_set, MAX_CHARACTERS),
        )

    def _source(self, job: CircuitJob, capabilities: Capabilities) -> str:
        verbatim = self.device.real and capabilities.verbatim
        return self.device.program(job.circuit, verbatim=verbatim).source

    def estimated_cost_usd(self, jobs: Sequence[CircuitJob]) -> Decimal:
        """Return the cost of a job: exact on machines, a rough upper guess on simulators."""
        seconds = sum((self.device.seconds(job.circuit) for job in jobs), Decimal(0))
        return self.price().of_job(sum(job.shots for job in jobs), seconds)

    def submit(
        self,
        jobs: Mapping[str, CircuitJob],
        key: str,
        *,
        fence: str | None = None,
        leave: Callable[[], None] = lambda: None,
    ) -> str:
        """Hand a job over, several as a program set; return the ARN; see `ProviderBackend`."""
        from botocore.exceptions import ClientError
        from braket.device_schema import GateModelParameters
        from braket.device_schema.simulators import GateModelSimulatorDeviceParameters
        from braket.ir.openqasm import Program
        from braket.program_sets import ProgramSet

        # Circuits are refused before the first request.
        prepared(jobs, lambda job, _: self.device.program(job.circuit))
        circuits = [job.circuit for job in jobs.values()]
        experimental = (
            {"experimentalCapabilities": {"enabled": "ALL"}}
            if self.device.feeds_forward(circuits[0])
            else {}
        )
        where = f"submitting to braket:{self.device.name}"
        with submitting(leave), asking(where):
            session = session_in(region_of(self.device.arn))
            # Asked each time, so that the submission finds a connection that is open.
            capabilities = read_capabilities(self.device, where)
            prepared(jobs, lambda job, _: _require_possible(capabilities, job))
            # The same as the SDK itself sends for machines.
            parameters = GateModelSimulatorDeviceParameters(
                paradigmParameters=GateModelParameters(
                    qubitCount=max(circuit.num_qubits for circuit in circuits),
                    disableQubitRewiring=self.device.real and capabilities.verbatim,
                )
            )
            sources = [self._source(job, capabilities) for job in jobs.values()]
            several = ProgramSet(sources).to_ir() if len(jobs) > 1 else None
            try:
                arn = session.create_quantum_task(
                    clientToken=key,
                    tags={TAG: key},
                    deviceArn=self.device.arn,
                    deviceParameters=parameters.json(exclude_none=True),
                    action=(several or Program(source=sources[0])).json(),
                    shots=sum(job.shots for job in jobs.values()),
                    outputS3Bucket=session.default_bucket(),
                    outputS3KeyPrefix=FOLDER,
                    **experimental,
                )
            except ClientError as error:
                reasons = _program_failures(error, list(jobs))
                if several is None or not reasons:
                    raise
                raise CircuitsRefusedError(reasons) from error
        return usable_id(arn, where)

    def find(self, key: str, since: datetime | None = None) -> Sequence[str]:
        """Return the ARNs of the tasks submitted under `key`; see the class."""
        deadline = monotonic() + SECONDS_PER_CALL - CONNECT_SECONDS - READ_SECONDS
        filters = [{"name": "deviceArn", "operator": "EQUAL", "values": [self.device.arn]}]
        if since is not None:
            moment = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            filters.append({"name": "createdAt", "operator": "GTE", "values": [moment]})
        query: dict[str, Any] = {"filters": filters, "maxResults": 100}
        tasks: list[dict[str, Any]] = []
        where = f"searching the tasks of braket:{self.device.name}"
        with asking(where):
            client = session_in(region_of(self.device.arn)).braket_client
            while True:
                page = client.search_quantum_tasks(**query)
                tasks += [t for t in page["quantumTasks"] if t.get("tags", {}).get(TAG) == key]
                if not page.get("nextToken"):
                    break
                if monotonic() > deadline:
                    raise UnavailableError(
                        f"braket:{self.device.name} has more tasks than can be searched within "
                        f"{SECONDS_PER_CALL} s"
                    )
                query["nextToken"] = page["nextToken"]
            tasks.sort(key=lambda task: task["createdAt"])
            live = [task for task in tasks if task["status"] != "CANCELLED"] or tasks
            return [usable_id(task["quantumTaskArn"], where) for task in live]

    def status(self, provider_id: str, key: str) -> JobStatus:
        """Return where a job is; see `ProviderBackend`."""
        task = _task(provider_id)
        with asking(f"reading Braket's task {line(provider_id)}"):
            if task["quantumTaskArn"] != provider_id or task.get("tags", {}).get(TAG) != key:
                raise ResultError(
                    f"Braket's task {line(provider_id)} has another key than this job"
                )
            state = _state(task)
            position = queue_position(task.get("queueInfo", {}).get("position"))
            detail = line(task.get("failureReason", "")) if state is JobState.FAILED else ""
        return JobStatus(state, position if state is JobState.QUEUED else None, detail)

    def raw_result(self, provider_id: str) -> bytes:
        """Return the task's `results.json`; see `ProviderBackend`."""
        return _result(_task(provider_id))

    def counts(
        self, raw: bytes, job: CircuitJob, key: str, provider_id: str, *, circuits: int = 1
    ) -> Mapping[int, int]:
        """Return the shots by outcome in a `results.json`; see `ProviderBackend`.

        It names its task, whose key `status` has compared, and repeats its programs.

        Raises:
            FailedCircuitError: if the device failed this one of a program set.
            ResultError: see `ProviderBackend`.
        """
        return counts_in(raw, job, provider_id, self.device, circuits)

    def executed_program(self, provider_id: str, raw: bytes) -> bytes | None:
        """Return the compiled programs in a result; see `ProviderBackend`. IonQ tells none."""
        return compiled_program(raw)

    def is_recompiled(self, raw: bytes) -> bool:
        """Return whether a machine's program was not in a verbatim box; see `ProviderBackend`."""
        return self.device.real and not is_verbatim(raw)

    def executed_circuit(self, program: bytes, job: CircuitJob, key: str) -> QuantumCircuit:
        """Return a compiled program as a circuit; see `ProviderBackend`."""
        programs = [self.device.program(job.circuit, verbatim=as_is) for as_is in (True, False)]
        own = compiled_of(program, [each.source for each in programs])
        return compiled_circuit(own, job.circuit, first_label(self.device.provider))

    def charge(self, provider_id: str) -> Charge | None:
        """Return the charge of an ended task, by the rules of the SDK's own `Tracker`.

        A machine charges for the task and for each of its shots, but nothing if it failed, was
        cancelled, or ran in reserved time. SV1 charges for the time in its result.
        """
        task = _task(provider_id)
        with asking(f"reading Braket's task {line(provider_id)}"):
            state = _state(task)
            if state in (JobState.QUEUED, JobState.RUNNING):
                return None
            if state is not JobState.DONE or _is_reserved(task):
                return Charge(Decimal(0), None)
            shots, price = task["shots"], self.price()
            if type(shots) is not int or shots < 0:
                raise TypeError("its shots are no number")
            if self.device.real:
                return Charge(price.of_job(shots), None)
        seconds = execution_seconds(_result(task))
        if seconds is None:
            return None
        return Charge(price.of_job(shots, Decimal(str(seconds))), seconds)

    def calibration(self, job: CircuitJob) -> Calibration | None:
        """Return the errors that a machine's properties tell now; see `ProviderBackend`."""
        if not self.device.real:
            return None
        capabilities = read_capabilities(self.device)
        errors = errors_met(capabilities.errors(), job.circuit)
        return Calibration(capabilities.updated_at, errors) if errors else None

    def cancel(self, provider_id: str) -> None:
        """Ask Braket to stop a task; see `ProviderBackend`."""
        with asking(f"cancelling {line(provider_id)}"):
            client = session_in(region_of(provider_id)).braket_client
            try:
                client.cancel_quantum_task(quantumTaskArn=provider_id)
            except client.exceptions.ConflictException:
                return


def _task(arn: str) -> dict[str, Any]:
    with asking(f"asking for {line(arn)}"):
        task: dict[str, Any] = session_in(region_of(arn)).get_quantum_task(arn)
    return task


def _state(task: Mapping[str, Any]) -> JobState:
    if task["status"] not in STATES:
        raise UnavailableError(f"a task is in the unknown state '{line(task['status'], 40)}'")
    return STATES[task["status"]]


def _is_reserved(task: Mapping[str, Any]) -> bool:
    return any(
        association.get("type") == "RESERVATION_TIME_WINDOW_ARN"
        for association in task.get("associations") or ()
    )


def _result(task: Mapping[str, Any]) -> bytes:
    """Return a task's `results.json`, with the files that one of a program set names in it."""
    arn = line(task["quantumTaskArn"])
    deadline = monotonic() + SECONDS_PER_CALL - CONNECT_SECONDS - 2 * READ_SECONDS
    length = 0

    def file(name: str) -> bytes:
        nonlocal length
        content = bytearray()
        key = f"{task['outputS3Directory']}/{name}"
        answer = store.get_object(Bucket=task["outputS3Bucket"], Key=key)
        for chunk in answer["Body"].iter_chunks(CHUNK):
            content += chunk
            length += len(chunk)
            if length > RESULT_BYTES:
                answer["Body"].close()
                raise ResultError(f"the result of {arn} is longer than {RESULT_BYTES} bytes")
            if monotonic() > deadline:
                answer["Body"].close()
                raise UnavailableError(f"the result of {arn} did not arrive in time")
        return bytes(content)

    with asking(f"fetching the result of {arn}"):
        store = session_in(region_of(arn)).s3_client
        return with_named_files(file("results.json"), file)


def _program_failures(error: "ClientError", keys: Sequence[str]) -> dict[str, str]:
    """Return why Braket refuses programs of a program set, by the keys of their jobs."""
    failures = error.response.get("programSetValidationFailures") or ()
    return {
        keys[failure["programIndex"]]: line("; ".join(failure.get("errors") or ()), 200)
        or "Braket refuses its program"
        for failure in failures
    }


def _require_possible(capabilities: Capabilities, job: CircuitJob) -> None:
    """Check that the device takes a job today.

    Raises:
        BackendError: if it takes another number of shots, or a coupler of the circuit is missing.
    """
    device, (least, most) = capabilities.device, capabilities.shots
    if not least <= job.shots <= most:
        raise BackendError(
            f"braket:{device.name} takes {least} to {most} shots a task, not {job.shots}; change "
            "--shots"
        )
    verbatim = device.real and capabilities.verbatim
    for a, b in device.program(job.circuit).pairs if verbatim else ():
        if not capabilities.couples(a, b):
            raise BackendError(
                f"braket:{device.name} has no coupler between its qubits {a} and {b} at present"
            )
