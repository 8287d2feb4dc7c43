"""Counts, and what a simulation took, in the `results.json` of Amazon Braket's tasks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from backends.backend import RESULT_BYTES, CircuitJob
from backends.braket.devices import Device
from backends.errors import ResultError
from backends.providers.bounded_json import UNREADABLE, read_json, read_result, unreadable
from backends.providers.text import seconds

SCHEMA = "braket.task_result.gate_model_task_result"


def counts_in(raw: bytes, job: CircuitJob, arn: str, device: Device) -> Mapping[int, int]:
    """Return the shots by outcome in the `results.json` of a task.

    Column j of its measurements is the qubit with the label `measuredQubits[j]`. Probabilities
    are not read: a machine that counts says what it counted.

    Args:
        raw: a `braket.task_result.gate_model_task_result`.
        job: that was submitted.
        arn: of its task.
        device: that it was submitted to.

    Raises:
        ResultError: if it is something else, or of another task, program or number of shots.
    """
    result = read_result(raw, job)
    try:
        if (schema := result["braketSchemaHeader"]["name"]) != SCHEMA:
            raise ValueError(f"it is a {schema}")
        verbatim = _check_task(result, job, arn, device)
        bit_of = device.labels(job.circuit, verbatim=verbatim)
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
        told = seconds(result["additionalMetadata"]["simulatorMetadata"]["executionDuration"])
    except (LookupError, TypeError):
        return None
    return None if told is None else told / 1000


def _check_task(result: Any, job: CircuitJob, arn: str, device: Device) -> bool:
    """Check that a result is of a job; tell whether its program ran as it stood."""
    task = result["taskMetadata"]
    if task["id"] != arn or task["deviceId"] != device.arn:
        raise ResultError("Braket's result is of another task or device")
    if type(task["shots"]) is not int or task["shots"] != job.shots:
        raise ResultError(f"Braket's result is of another number of shots than {job.shots}")
    action = result["additionalMetadata"].get("action")
    if action is None:
        return True
    verbatim = "$" in action["source"]
    if action["source"].split() != device.source(job.circuit, verbatim=verbatim).split():
        raise ResultError("Braket's result is of another program")
    return verbatim


def _outcome(row: Any, columns: Sequence[int]) -> int:
    if not isinstance(row, list) or any(type(bit) is not int or bit not in (0, 1) for bit in row):
        raise ValueError("a measurement is not made of 0 and 1")
    return sum(weight for weight, bit in zip(columns, row, strict=True) if bit)
