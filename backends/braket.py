"""Amazon Braket: IQM's devices and the simulator SV1."""

import os
from collections.abc import Mapping
from decimal import Decimal
from time import monotonic
from typing import Any

from qiskit import QuantumCircuit

from backends.backend import (
    SECONDS_PER_CALL,
    BackendError,
    CircuitJob,
    JobState,
    JobStatus,
    ProviderBackend,
    UnavailableError,
    backend,
)
from backends.braket_connection import (
    CONNECT_SECONDS,
    READ_SECONDS,
    asking,
    device_at,
    region_of,
    session_in,
)
from backends.braket_devices import DEVICES, Device
from backends.braket_program import counts_in, verbatim_pairs
from compiler.errors import InputError

TAG = "stichwerk"
"""Tag of every task; its value is the job's key."""

FOLDER = "stichwerk"
"""Folder of the S3 bucket in which Braket makes one folder a task."""

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
    "braket", "Amazon Braket for money: braket:garnet, braket:emerald (IQM), braket:sv1 (simulator)"
)
class BraketBackend(ProviderBackend):
    """Submits to Amazon Braket with the key both as the client token and as a tag.

    Braket makes one task of all submissions with the same client token. A lost task is found by
    its tag, as the API cannot look a client token up without perhaps creating a task: it searches
    by device only, so all tasks of the device are read through.

    Args:
        argument: a device's name or ARN.
    """

    def __init__(self, argument: str) -> None:
        named = {device.arn: device for device in DEVICES.values()} | dict(DEVICES)
        if argument not in named:
            raise InputError(
                f"backend 'braket:{argument}': unknown device; known: {', '.join(DEVICES)}, or "
                "the ARN of one of them"
            )
        self.device = named[argument]

    def default_target(self) -> str:
        """Return the device's target, or a fully coupled one for SV1."""
        return self.device.target

    def accepts(self, target: str) -> bool:
        """Accept the device's own target only, but every target on SV1."""
        return not self.device.real or target == self.device.target

    def reads_with_errors(self) -> bool:
        """Tell whether this is a machine."""
        return self.device.real

    def address(self) -> str | None:
        """Return what leads to another place than Amazon's; see `ProviderBackend.address`."""
        named = (os.environ.get(name) for name in ADDRESSES)
        return next((address for address in named if address), None)

    def least_cost_usd(self, shots: int) -> Decimal:
        """Return what any job of so many shots costs at least; see `ProviderBackend`."""
        return self.device.price().of_job(shots)

    def estimated_cost_usd(self, job: CircuitJob) -> Decimal:
        """Return what a job will cost: exactly on machines, a rough upper guess on SV1."""
        return self.device.price().of_job(job.shots, self.device.seconds(job.circuit))

    def submit(self, job: CircuitJob, key: str) -> str:
        """Hand a job over and return its task's ARN; see `ProviderBackend`."""
        from braket.device_schema import GateModelParameters
        from braket.device_schema.simulators import GateModelSimulatorDeviceParameters
        from braket.ir.openqasm import Program

        source = self.device.source(job.circuit)
        # What the SDK itself sends for IQM's devices, too.
        parameters = GateModelSimulatorDeviceParameters(
            paradigmParameters=GateModelParameters(
                qubitCount=job.circuit.num_qubits, disableQubitRewiring=True
            )
        )
        with asking(f"submitting to braket:{self.device.name}"):
            device = device_at(self.device.arn)
            if self.device.real:
                _require_couplers(self.device, device, job.circuit)
            session = device.aws_session
            arn: str = session.create_quantum_task(
                clientToken=key,
                tags={TAG: key},
                deviceArn=self.device.arn,
                deviceParameters=parameters.json(exclude_none=True),
                action=Program(source=source).json(),
                shots=job.shots,
                outputS3Bucket=session.default_bucket(),
                outputS3KeyPrefix=FOLDER,
            )
        return arn

    def find(self, key: str) -> str | None:
        """Return the ARN of the task submitted under `key`, or None; see the class."""
        deadline = monotonic() + SECONDS_PER_CALL - CONNECT_SECONDS - READ_SECONDS
        query: dict[str, Any] = {
            "filters": [{"name": "deviceArn", "operator": "EQUAL", "values": [self.device.arn]}],
            "maxResults": 100,
        }
        with asking(f"searching the tasks of braket:{self.device.name}"):
            client = session_in(region_of(self.device.arn)).braket_client
            while True:
                page = client.search_quantum_tasks(**query)
                for task in page["quantumTasks"]:
                    if task.get("tags", {}).get(TAG) == key:
                        return str(task["quantumTaskArn"])
                if not page.get("nextToken"):
                    return None
                if monotonic() > deadline:
                    raise UnavailableError(
                        f"braket:{self.device.name} has more tasks than can be searched within "
                        f"{SECONDS_PER_CALL} s"
                    )
                query["nextToken"] = page["nextToken"]

    def status(self, provider_id: str) -> JobStatus:
        """Return where a job is; see `ProviderBackend`."""
        task = _task(provider_id)
        position = str(task.get("queueInfo", {}).get("position"))
        return JobStatus(
            STATES[task["status"]],
            int(position) if position.isdecimal() else None,
            " ".join(str(task.get("failureReason", "")).split()),
        )

    def raw_result(self, provider_id: str) -> bytes:
        """Return the task's `results.json`; see `ProviderBackend`."""
        task = _task(provider_id)
        key = f"{task['outputS3Directory']}/results.json"
        with asking(f"fetching the result of {provider_id}"):
            store = session_in(region_of(provider_id)).s3_client
            try:
                answer = store.get_object(Bucket=task["outputS3Bucket"], Key=key)
            except store.exceptions.NoSuchKey:
                raise UnavailableError(f"the result of {provider_id} is not there yet") from None
            raw: bytes = answer["Body"].read()
        return raw

    def counts(self, raw: bytes, circuit: QuantumCircuit) -> Mapping[int, int]:
        """Return the shots by outcome in a `results.json`; see `ProviderBackend`."""
        return counts_in(raw, self.device.labels(circuit))

    def cancel(self, provider_id: str) -> None:
        """Ask Braket to stop a task; see `ProviderBackend`."""
        with asking(f"cancelling {provider_id}"):
            client = session_in(region_of(provider_id)).braket_client
            try:
                client.cancel_quantum_task(quantumTaskArn=provider_id)
            except client.exceptions.ConflictException:
                return


def _task(arn: str) -> dict[str, Any]:
    with asking(f"asking for {arn}"):
        task: dict[str, Any] = session_in(region_of(arn)).get_quantum_task(arn)
    return task


def _require_couplers(device: Device, live: Any, circuit: QuantumCircuit) -> None:
    """Check that the machine has the couplers today that our target says it has.

    Raises:
        BackendError: if a coupler of the circuit is missing.
    """
    graph = live.properties.paradigm.connectivity.connectivityGraph
    for a, b in verbatim_pairs(circuit):
        if str(b) not in graph.get(str(a), ()) and str(a) not in graph.get(str(b), ()):
            raise BackendError(
                f"braket:{device.name} has no coupler between its qubits {a} and {b} at present"
            )
