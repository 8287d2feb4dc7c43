"""The quantum tasks that a simulated Braket has accepted."""

import json
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from uuid import uuid4

from attrs import frozen
from botocore.session import get_session

from backends.backend import JobState, LocalBackend
from backends.braket.devices import SIMULATOR_QUBITS, Device
from backends.devices.formats.braket import first_label
from compiler.targets.iqm import GROUPS
from tests.servers.provider_simulators.braket.devices import (
    BY_ARN,
    couplers,
    native_gates,
    shipped,
    target_of,
)
from tests.servers.provider_simulators.braket.program import (
    Limits,
    Program,
    compiled,
    declared_qubits,
    read_program,
    running,
    without_box,
)
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.machine import ENDED, Machine, SimulatedJob
from tests.servers.provider_simulators.protocol import Refusal

MAX_CHARACTERS = 3_000_000
"""Of a text without a limit in the model, which stands for the limit of a request."""

WORDS = {
    JobState.QUEUED: "QUEUED",
    JobState.RUNNING: "RUNNING",
    JobState.DONE: "COMPLETED",
    JobState.FAILED: "FAILED",
    JobState.CANCELLED: "CANCELLED",
}


@frozen
class Owner:
    """An account in one region; it sees its own tasks only."""

    account: str
    region: str


@frozen(eq=False)
class Task:
    """A task: its request, its owner, its name and further files in S3, and its job."""

    owner: Owner
    asked: Mapping[str, Any]
    name: str
    job: SimulatedJob
    files: Mapping[str, bytes]

    def summary(self) -> dict[str, Any]:
        """Return what a search says of it."""
        ended = {"endedAt": self.job.ended.isoformat()} if self.job.ended else {}
        return {
            "quantumTaskArn": self.job.id,
            "status": self._status(),
            "deviceArn": self.asked["deviceArn"],
            "shots": self.asked["shots"],
            "outputS3Bucket": self.asked["outputS3Bucket"],
            "outputS3Directory": f"{self.asked['outputS3KeyPrefix']}/{self.name}",
            "createdAt": self.job.created.isoformat(),
            "tags": self.asked.get("tags", {}),
            **ended,
        }

    def _status(self) -> str:
        if self.job.is_cancelling and self.job.state not in ENDED:
            return "CANCELLING"
        return WORDS[self.job.state]


class Tasks:
    """All tasks, one a client token.

    Args:
        machine: runs their jobs.
        simulator: of their circuits.
        seed: of the shots; each task has its own.
    """

    def __init__(self, machine: Machine, simulator: LocalBackend, seed: int) -> None:
        self._machine = machine
        self._simulator = simulator
        self._seed = seed
        self._of_token: dict[tuple[Owner, str], Task] = {}
        self._lock = threading.Lock()

    def create(self, asked: Mapping[str, Any], owner: Owner) -> Task:
        """Return a new task, or the one that the client token has already.

        Raises:
            Refusal: if the task cannot be run, or its token belongs to another one.
        """
        token = owner, asked["clientToken"]
        with self._lock:
            if token not in self._of_token:
                self._of_token[token] = self._accept(asked, owner)
            elif self._of_token[token].asked != asked:
                message = "the client token was used for another task"
                raise Refusal(400, "ValidationException", message)
            return self._of_token[token]

    def with_arn(self, arn: str, owner: Owner) -> Task:
        """Return the task with an ARN.

        Raises:
            Refusal: 404 if there is none in the region, 403 if it is of another account.
        """
        found = next((task for task in self._all() if task.job.id == arn), None)
        if found is None or found.owner.region != owner.region:
            raise Refusal(404, "ResourceNotFoundException", "no such quantum task")
        if found.owner != owner:
            raise Refusal(403, "AccessDeniedException", "not authorized to perform this")
        return found

    def named(self, name: str) -> Task | None:
        """Return the task with a name in S3, or None."""
        return next((task for task in self._all() if task.name == name), None)

    def of_devices(self, arns: Sequence[str], since: datetime, owner: Owner) -> list[Task]:
        """Return an owner's tasks of some devices that searches show, the newest first."""
        shown = {job.id for job in self._machine.listed() if job.created >= since}
        return [
            task
            for task in reversed(self._all())
            if task.owner == owner and task.asked["deviceArn"] in arns and task.job.id in shown
        ]

    def _all(self) -> list[Task]:
        with self._lock:
            return list(self._of_token.values())

    def _accept(self, asked: Mapping[str, Any], owner: Owner) -> Task:
        device = BY_ARN.get(asked["deviceArn"])
        if device is None:
            raise Refusal(404, "ResourceNotFoundException", f"no device {asked['deviceArn']}")
        check_sizes(asked)
        sources = self._sources(asked, device)
        metadata = [compiled(source, device.provider) for source in sources]
        programs = _programs(sources, device, asked)
        if self._machine.faults.fires(Fault.OTHER_PROGRAM, "submit"):
            lost = without_box(sources[0])
            metadata[0] = compiled(lost, device.provider)
            programs[0] = _programs([lost], device, asked)[0]
        number = len(self._of_token) + 1
        name = str(uuid4())
        arn = f"arn:aws:braket:{owner.region}:{owner.account}:quantum-task/{name}"
        failed = (
            len(sources) - 1 if self._machine.faults.fires(Fault.CIRCUIT_FAILED, "submit") else -1
        )
        files: dict[str, bytes] = {}
        run = running(
            programs,
            self._simulator,
            target_of(device) if any("$" in source for source in sources) else "all",
            {**asked, "arn": arn},
            self._seed + number,
            metadata,
            files,
            failed,
        )
        key = asked.get("tags", {}).get("stichwerk", "")
        account = f"{owner.account} in {owner.region}"
        job = self._machine.accept(arn, key, asked["shots"], run, account=account)
        return Task(owner, asked, name, job, files)

    def _sources(self, asked: Mapping[str, Any], device: Device) -> list[str]:
        """Return the programs of a task, one or those of a program set.

        Raises:
            Refusal: if the device takes no such set, or not so many shots.
        """
        action, shots = json.loads(asked["action"]), asked["shots"]
        sources = [program["source"] for program in action.get("programs") or [action]]
        least, most = shipped(device).shots
        each, left = divmod(shots, len(sources))
        if left or not least <= each <= most:
            message = f"shots must be from {least} to {most} for each program"
            raise Refusal(400, "ValidationException", message)
        if "programs" in action:
            max_programs, max_shots = shipped(device).program_set
            if len(sources) > max_programs or shots > max_shots:
                message = f"a program set has at most {max_programs} programs, {max_shots} shots"
                raise Refusal(400, "ValidationException", message)
        return sources


def _read(source: str, device: Device, asked: Mapping[str, Any]) -> Program:
    most_qubits = SIMULATOR_QUBITS.get(device.name)
    if most_qubits is not None and declared_qubits(source) > most_qubits:
        raise Refusal(400, "ValidationException", f"the device has {most_qubits} qubits")
    return read_program(source, _limits(device, asked) if "$" in source else None)


def _programs(sources: Sequence[str], device: Device, asked: Mapping[str, Any]) -> list[Program]:
    """Return programs as a device reads them.

    Raises:
        Refusal: naming all of a program set that it does not take.
    """
    programs, failures = [], []
    for place, source in enumerate(sources):
        try:
            programs.append(_read(source, device, asked))
        except Refusal as refusal:
            if len(sources) == 1:
                raise
            failures.append({"programIndex": place, "errors": [refusal.message]})
    if failures:
        raise Refusal(
            400,
            "ValidationException",
            "the program set is invalid",
            reason="ProgramSetValidationFailed",
            programSetValidationFailures=failures,
        )
    return programs


@cache
def sizes() -> Mapping[str, tuple[int, int]]:
    """Return the fewest and the most characters of each text in a request, by botocore's model."""
    model = get_session().get_service_model("braket").operation_model("CreateQuantumTask")
    return {
        name: (member.metadata.get("min", 0), member.metadata.get("max", MAX_CHARACTERS))
        for name, member in model.input_shape.members.items()
        if member.type_name == "string"
    }


def check_sizes(asked: Mapping[str, Any]) -> None:
    """Refuse a request with a text that is too short or too long.

    Raises:
        Refusal: naming it.
    """
    for name, (least, most) in sizes().items():
        if name in asked and not least <= len(asked[name]) <= most:
            message = f"'{name}' must have {least} to {most} characters"
            raise Refusal(400, "ValidationException", message)


def _limits(device: Device, asked: Mapping[str, Any]) -> Limits | None:
    coupled = couplers(device)
    if coupled is None:
        return None
    enabled = asked.get("experimentalCapabilities") == {"enabled": "ALL"}
    return Limits(
        coupled,
        first_label(device.provider),
        device.provider,
        native_gates(device),
        GROUPS.get(device.name, ()),
        enabled,
    )
