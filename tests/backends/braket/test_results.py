"""Amazon Braket's results: of which task they are, and that only counted shots are read."""

import json

import pytest

from backends import CircuitJob, ResultError
from backends.braket.backend import BraketBackend
from tests.backends.braket.garnet import machine_circuit
from tests.backends.braket.simulated import KEY
from tests.backends.results import EXAMPLES, check_no_harm, edited

ARN = "arn:aws:braket:eu-north-1:000000000000:quantum-task/1"
SOURCE = ("additionalMetadata", "action", "source")


GARNET = BraketBackend("garnet")
ASKED = CircuitJob(machine_circuit(), "iqm:garnet", 3, 0)
PROGRAM = GARNET.device.program(machine_circuit()).source
RESULT = json.dumps(
    {
        "braketSchemaHeader": {"name": "braket.task_result.gate_model_task_result", "version": "1"},
        "measurements": [[1, 0], [1, 1], [1, 0]],
        "measuredQubits": [5, 2],
        "taskMetadata": {"id": ARN, "shots": 3, "deviceId": GARNET.device.arn},
        "additionalMetadata": {"action": {"source": PROGRAM}},
    }
).encode()


def counts(raw, asked=ASKED, arn=ARN):
    return GARNET.counts(raw, asked, KEY, arn)


def test_columns_are_told_apart_by_their_labels():
    assert counts(RESULT) == {0b001: 2, 0b101: 1}
    assert counts(edited(RESULT, (("measuredQubits",), [2, 5]))) == {0b100: 2, 0b101: 1}


def test_a_program_that_is_not_repeated_or_spaced_otherwise_is_no_other_one():
    assert counts(edited(RESULT, (("additionalMetadata", "action"), None))) == counts(RESULT)
    spaced = edited(RESULT, (SOURCE, lambda source: source.replace("\n", "\r\n")))
    assert counts(spaced) == counts(RESULT)


def test_a_result_of_another_job_is_refused():
    other = machine_circuit()
    other.data[0] = other.data[0].replace(operation=other.data[0].operation.inverse())
    for refused in (
        lambda: counts(RESULT, arn=ARN + "0"),
        lambda: counts(RESULT, CircuitJob(machine_circuit(), "iqm:garnet", 4, 0)),
        lambda: counts(RESULT, CircuitJob(other, "iqm:garnet", 3, 0)),
        lambda: BraketBackend("emerald").counts(RESULT, ASKED, KEY, ARN),
    ):
        with pytest.raises(ResultError, match="is of another"):
            refused()


ROWS = ("measurements",)
QUBITS = ("measuredQubits",)
SHOTS = ("taskMetadata", "shots")
WRONG = {
    "fewer shots": [(ROWS, [[1, 0], [1, 1]])],
    "more shots": [(ROWS, [[1, 0]] * 4)],
    "negative": [(ROWS, [[1, 0], [1, 1], [1, -1]])],
    "fractions": [(ROWS, [[1, 0], [1, 1], [1, 0.5]])],
    "infinity": [(ROWS, [[1, 0], [1, 1], [1, float("inf")]])],
    "two": [(ROWS, [[1, 0], [1, 1], [1, 2]])],
    "short rows": [(ROWS, [[1, 0], [1, 1], [1]])],
    "long rows": [(ROWS, [[1, 0], [1, 1], [1, 0, 1]])],
    "probabilities": [(ROWS, None), (("measurementProbabilities",), {"10": 0.5, "11": 0.1})],
    "a label twice": [(QUBITS, [5, 5])],
    "three labels": [(QUBITS, [5, 2, 2])],
    "another label": [(QUBITS, [5, 3])],
    "no labels": [(QUBITS, None)],
    "other shots in its notes": [(SHOTS, 4)],
    "no notes": [(("taskMetadata",), None)],
    "another schema": [(("braketSchemaHeader", "name"), "braket.task_result.program_result")],
    "another program": [(SOURCE, "OPENQASM 3.0;")],
    "another task": [(("taskMetadata", "id"), "\u202e")],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_result_that_is_wrong_is_refused_in_one_line(wrong):
    with pytest.raises(ResultError) as error:
        counts(edited(RESULT, *WRONG[wrong]))
    assert "\n" not in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("raw", [b"", b"[]", b"\xff", b'{"measurements": [[1', b"[" * 10**6])
def test_junk_is_no_result(raw):
    with pytest.raises(ResultError, match="cannot be read"):
        counts(raw)


def test_a_result_beyond_all_bounds_is_not_even_parsed():
    with pytest.raises(ResultError, match="bytes, of"):
        counts(b"[" * (5 * 2**20))


@EXAMPLES
def test_no_result_harms_its_reader(examples):
    check_no_harm(counts, RESULT, examples)
