"""Counts, and the time of a simulation, in the `results.json` of Amazon Braket's tasks."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backends.backend import RESULT_BYTES, CircuitJob
from backends.braket.devices import Device
from backends.errors import FailedCircuitError, ResultError
from backends.providers.text import UNREADABLE, line, read_json, read_result, seconds, unreadable

SCHEMA = "braket.task_result.gate_model_task_result"
SET_SCHEMA = "braket.task_result.program_set_task_result"
FAILURE_SCHEMA = "braket.task_result.program_set_executable_failure"


def with_named_files(raw: bytes, file: Callable[[str], bytes]) -> bytes:
    """Return the `results.json` of a task with the contents of the files that it names.

    That of a program set names one file a program, and these name one file a run.

    Args:
        raw: a `results.json`.
        file: returns the content of a file in the task's folder.
    """
    if SET_SCHEMA.encode() not in raw:
        return raw

    def content(value: Any) -> Any:
        return read_json(file(value), RESULT_BYTES) if isinstance(value, str) else value

    try:
        result = read_json(raw, RESULT_BYTES)
        result["taskMetadata"] = content(result["taskMetadata"])
        result["programResults"] = [content(item) for item in result["programResults"]]
        for program in result["programResults"]:
            program["source"] = content(program["source"])
            program["executableResults"] = [content(run) for run in program["executableResults"]]
    except (ResultError, *UNREADABLE):
        # It is kept as it came, and refused when it is read.
        return raw
    return json.dumps(result).encode()


def counts_in(
    raw: bytes, job: CircuitJob, arn: str, device: Device, circuits: int
) -> Mapping[int, int]:
    """Return the shots by outcome in the `results.json` of a task.

    Column j of its measurements is the qubit with the label `measuredQubits[j]`. Probabilities
    are not read: a machine reports counts.

    Args:
        raw: a `braket.task_result.gate_model_task_result`, of a program set a
            `braket.task_result.program_set_task_result` with all of its files.
        job: that was submitted.
        arn: of its task.
        device: that it was submitted to.
        circuits: in the task, which bound its length.

    Raises:
        FailedCircuitError: if the device failed this one of a program set.
        ResultError: if it is no result, or of another task, program or number of shots.
    """
    result = read_result(raw, job, circuits)
    try:
        schema = result["braketSchemaHeader"]["name"]
        if schema not in (SCHEMA, SET_SCHEMA):
            raise ValueError(f"it is a {schema}")
        task = result["taskMetadata"]
        if task["id"] != arn or task["deviceId"] != device.arn:
            raise ResultError("Braket's result is of another task or device")
        if schema == SCHEMA:
            verbatim = _check_task(result, job, device)
        else:
            result, verbatim = _of_program(result, job, device)
        bit_of = device.program(job.circuit, verbatim=verbatim).bit_of
        labels = result["measuredQubits"]
        if any(type(label) is not int for label in labels) or sorted(labels) != sorted(bit_of):
            raise ValueError("it has other qubits than the circuit measures, or one twice")
        rows = result.get("measurements")
        if not isinstance(rows, list):
            raise TypeError("it has no measurements, shot by shot")
        if len(rows) != job.shots:
            raise ValueError(f"it has {len(rows)} shots, not {job.shots}")
        columns = [1 << bit_of[label] for label in labels]
        return Counter(_outcome(row, columns) for row in rows)
    except UNREADABLE as error:
        raise unreadable(error) from error


def execution_seconds(raw: bytes) -> float | None:
    """Return how long a simulation took, None if its result does not tell.

    Raises:
        ResultError: if it cannot be read.
    """
    result = read_json(raw, RESULT_BYTES)
    try:
        duration = seconds(result["additionalMetadata"]["simulatorMetadata"]["executionDuration"])
    except (LookupError, TypeError):
        return None
    return None if duration is None else duration / 1000


def _check_task(result: Any, job: CircuitJob, device: Device) -> bool:
    """Check that a result is of a job; tell whether its program ran as it stood."""
    shots = result["taskMetadata"]["shots"]
    if type(shots) is not int or shots != job.shots:
        raise ResultError(f"Braket's result is of another number of shots than {job.shots}")
    action = result["additionalMetadata"].get("action")
    if action is None:
        return True
    if not _is_program(action, job, device):
        raise ResultError("Braket's result is of another program")
    return "$" in action["source"]


def _is_program(program: Any, job: CircuitJob, device: Device) -> bool:
    verbatim = "$" in program["source"]
    source: list[str] = program["source"].split()
    return source == device.program(job.circuit, verbatim=verbatim).source.split()


def _of_program(result: Any, job: CircuitJob, device: Device) -> tuple[Any, bool]:
    """Return the run of a job's program in a program set's result, and whether as it stood."""
    if result["taskMetadata"]["requestedShots"] != len(result["programResults"]) * job.shots:
        raise ResultError(f"Braket's result is of another number of shots than {job.shots} each")
    own = [
        program
        for program in result["programResults"]
        if _is_program(program["source"], job, device)
    ]
    if len(own) != 1 or len(own[0]["executableResults"]) != 1:
        raise ResultError("Braket's result has not this job's program, or more than once")
    (run,) = own[0]["executableResults"]
    if run["braketSchemaHeader"]["name"] == FAILURE_SCHEMA:
        raise FailedCircuitError(line(run["failureMetadata"]["failureReason"], 200))
    return run, "$" in own[0]["source"]["source"]


def _outcome(row: Any, columns: Sequence[int]) -> int:
    if not isinstance(row, list) or any(type(bit) is not int or bit not in (0, 1) for bit in row):
        raise ValueError("a measurement is not made of 0 and 1")
    return sum(weight for weight, bit in zip(columns, row, strict=True) if bit)
