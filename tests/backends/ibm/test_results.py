"""IBM's results: of which job they are, and that only what a sampler sends is read."""

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from ibm_quantum_schemas.common import CompressedTensorModel
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit_ibm_runtime.decoders.executor.decoder import ExecutorResultDecoder
from qiskit_ibm_runtime.decoders.executor_sampler.decoder import ClientSideSamplerResultDecoder

from backends import CircuitJob, ResultError, backend_from_spec
from backends.calibration import device_errors, errors_met, uses_of
from backends.devices.device_format import SourceFile
from backends.devices.formats.ibm import device_from_ibm
from compiler.scores.run_comparison import CalibratedError
from tests.backends.ibm.simulated import (
    KEYS,
    TARGET,
    job,
    three_registers,
    until_ended,
)
from tests.backends.results import EXAMPLES, check_no_harm, edited

ITEM = ("data", 0, "results")
MIDDLE = (*ITEM, "middle")
ARRAY = (*MIDDLE, "data")
SHAPE = (*MIDDLE, "shape")
NOTE = ("passthrough_data", "post_processor", "circuits_metadata")


def packed(array):
    return CompressedTensorModel.from_numpy(array.astype(bool)).data


def result_of(**registers):
    """Return the executor's result with some samples, arrays (shots, bits), by register."""
    results = {
        name: CompressedTensorModel.from_numpy(np.array(bits, dtype=bool)).model_dump()
        for name, bits in registers.items()
    }
    return json.dumps({"data": [{"results": results}]}).encode()


@pytest.fixture(scope="module")
def torino():
    return backend_from_spec("ibm:torino")


@pytest.fixture(scope="module")
def raw(ibm_server):
    """Return a result as the simulated IBM sends it, of `job()` under the first key."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ibm_server.provider.environment(ibm_server.url).items():
            patch.setenv(name, value)
        backend = backend_from_spec("ibm:torino")
        id = backend.submit({KEYS[0]: job()}, KEYS[0])
        until_ended(backend, id)
        return backend.raw_result(id)


def test_what_is_read_is_what_the_sdks_own_decoder_reads(torino, raw):
    wanted = {}
    data = ClientSideSamplerResultDecoder.decode(ExecutorResultDecoder.decode(raw.decode()))[0].data
    for low, middle, high in zip(
        *[data[name].get_bitstrings() for name in ("low", "middle", "high")], strict=True
    ):
        outcome = int(high + middle + low, 2)
        wanted[outcome] = wanted.get(outcome, 0) + 1
    assert torino.counts(raw, job(), KEYS[0], "any") == wanted


def test_random_forms_are_read_together(torino):
    circuit = QuantumCircuit(133, 2)
    circuit.measure(range(2), range(2))
    forms = [[[0, 1], [1, 1], [0, 1]], [[0, 0], [0, 1], [1, 1]]]
    counts = torino.counts(result_of(c=forms), CircuitJob(circuit, TARGET, 6, 0), KEYS[0], "any")
    assert counts == {0: 1, 2: 3, 3: 2}


def test_a_result_without_notes_is_taken(torino, raw):
    for bare in (edited(raw, (NOTE, [{}])), edited(raw, (("passthrough_data",), None))):
        assert sum(torino.counts(bare, job(), KEYS[0], "any").values()) == 200


def test_a_result_of_another_key_is_refused(torino, raw):
    with pytest.raises(ResultError, match="of another job"):
        torino.counts(raw, job(), KEYS[1], "any")


def test_a_result_of_another_circuit_of_the_same_form_is_refused(torino, raw):
    other = three_registers()
    other.data[1] = other.data[1].replace(operation=other.data[0].operation)
    assert other != three_registers()
    with pytest.raises(ResultError, match="of another job"):
        torino.counts(raw, job(other), KEYS[0], "any")


WRONG = {
    "fewer shots": [(ARRAY, packed(np.zeros((199, 3)))), (SHAPE, [199, 3])],
    "more shots": [(ARRAY, packed(np.zeros((201, 3)))), (SHAPE, [201, 3])],
    "more bits": [(ARRAY, packed(np.zeros((200, 4)))), (SHAPE, [200, 4])],
    "another shape": [(SHAPE, [600])],
    "a huge shape": [(SHAPE, [2**62, 3])],
    "a shape of other numbers": [(SHAPE, [200.0, 3])],
    "other numbers": [((*MIDDLE, "dtype"), "u8")],
    "an array cut off": [(ARRAY, lambda text: text[: len(text) // 2])],
    "no archive": [(ARRAY, base64.b64encode(b"junk").decode())],
    "a list for an array": [(ARRAY, [[0]] * 200)],
    "a bomb": [(ARRAY, base64.b64encode(zlib.compress(bytes(2**22), 9)).decode())],
    "something behind the array": [(ARRAY, lambda text: text.rstrip("=") + "AAAA")],
    "no register": [(MIDDLE, None)],
    "a register too many": [(ITEM, lambda found: {**found, "more": found["low"]})],
    "two circuits": [(("data",), lambda items: items * 2)],
    "no circuit": [(("data",), [])],
    "a note that is no note": [((*NOTE, 0, "stichwerk"), "mine")],
    "a key of another's": [((*NOTE, 0, "stichwerk", "key"), KEYS[5])],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_result_that_is_wrong_is_refused_in_one_line(torino, raw, wrong, capsys):
    with pytest.raises(ResultError) as error:
        torino.counts(edited(raw, *WRONG[wrong]), job(), KEYS[0], "any")
    assert "\n" not in str(error.value)
    assert str(error.value).isprintable()
    assert capsys.readouterr().out == ""


def test_registers_that_share_a_bit_must_agree(torino):
    circuit = QuantumCircuit(133, 2)
    circuit.add_register(ClassicalRegister(bits=[circuit.clbits[1]], name="s"))
    circuit.measure([0, 1], [0, 1])

    asked = CircuitJob(circuit, TARGET, 1, 0)
    assert torino.counts(result_of(c=[[0, 1]], s=[[1]]), asked, KEYS[0], "any") == {2: 1}
    with pytest.raises(ResultError, match="contradicts"):
        torino.counts(result_of(c=[[0, 1]], s=[[0]]), asked, KEYS[0], "any")


def test_a_result_beyond_all_bounds_is_not_even_parsed(torino):
    with pytest.raises(ResultError, match="bytes, of"):
        torino.counts(b"[" * (5 * 2**20), job(), KEYS[0], "any")


@EXAMPLES
def test_no_result_harms_its_reader(torino, raw, examples):
    check_no_harm(lambda told: torino.counts(told, job(), KEYS[0], "any"), raw, examples)


def branching():
    circuit = QuantumCircuit(QuantumRegister(3), ClassicalRegister(1, "c"))
    circuit.cz(0, 1)
    circuit.cz(1, 0)
    circuit.barrier()
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(2)
    return circuit


def test_uses_are_counted_in_branches_and_in_both_directions():
    assert uses_of(branching()) == {("cz", (0, 1)): 2, ("readout", (0,)): 1, ("x", (2,)): 1}


PROPERTIES = {
    "qubits": [
        [{"name": "T1", "value": 100, "unit": "us"}, {"name": "readout_error", "value": 0.012}],
        [{"name": "readout_error", "value": 0.5}],
        [],
    ],
    "gates": [
        {"gate": "cz", "qubits": [1, 0], "parameters": [{"name": "gate_error", "value": 0.004}]},
        {"gate": "cz", "qubits": [1, 2], "parameters": [{"name": "gate_error", "value": 0.1}]},
    ],
}


def met(properties):
    file = SourceFile(Path(), "", properties)
    return errors_met(device_errors(device_from_ibm, file, "ibm_none"), branching())


def test_what_it_uses_is_told():
    assert met(PROPERTIES) == (
        CalibratedError("cz", (0, 1), 0.004, 2),
        CalibratedError("readout", (0,), 0.012, 1),
    )


@pytest.mark.parametrize(
    "told",
    [
        {}, {"qubits": 3, "gates": {}}, {"qubits": [3, None, [None, 3]]},
        {"qubits": [[{"name": "readout_error", "value": "0.1"}]]},
        {"qubits": [[{"name": "readout_error", "value": 1e999}]]},
        {"qubits": [[{"name": "readout_error", "value": -0.1}]]},
        {"gates": [3, {"gate": 3, "qubits": [0]}, {"gate": "cz", "qubits": ["0", 1]}]},
        {"gates": [{"gate": "cz", "qubits": [0, 1], "parameters": [{"name": "gate_error"}]}]},
    ],
)  # fmt: skip
def test_anything_else_tells_nothing(told):
    assert met(told) == ()
