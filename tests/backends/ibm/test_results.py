"""IBM's results: of which job they are, and that only what a sampler sends is read."""

import base64
import io
import json
import zlib

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit_ibm_runtime import RuntimeDecoder

from backends import CircuitJob, ResultError, backend_from_spec
from backends.calibration import errors_met, uses_of
from backends.ibm.calibration import told_errors
from compiler.scores.run_comparison import CalibratedError
from tests.backends.ibm.simulated import (
    KEYS,
    TARGET,
    job,
    three_registers,
    until_ended,
)
from tests.backends.results import EXAMPLES, check_no_harm, edited

PUB = ("__value__", "pub_results", 0, "__value__")


FIELDS = (*PUB, "data", "__value__", "fields")


MIDDLE = (*FIELDS, "middle", "__value__")


ARRAY = (*MIDDLE, "array", "__value__")


NOTE = (*PUB, "metadata", "circuit_metadata")


def packed(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return base64.b64encode(zlib.compress(buffer.getvalue())).decode()


def pickled():
    class Harm:
        def __reduce__(self):
            return (print, ("unpickled",))

    return packed(np.array([Harm()], dtype=object), allow_pickle=True)


def of_shape(*shape):
    """Return an array's file that says that it is much larger than it is."""
    buffer = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(buffer, header)
    return base64.b64encode(zlib.compress(buffer.getvalue() + bytes(200))).decode()


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
        id = backend.submit(job(), KEYS[0])
        until_ended(backend, id)
        return backend.raw_result(id)


def test_what_is_read_is_what_the_sdks_own_decoder_reads(torino, raw):
    wanted = {}
    data = json.loads(raw, cls=RuntimeDecoder)[0].data
    for low, middle, high in zip(
        *[data[name].get_bitstrings() for name in ("low", "middle", "high")], strict=True
    ):
        outcome = int(high + middle + low, 2)
        wanted[outcome] = wanted.get(outcome, 0) + 1
    assert torino.counts(raw, job(), KEYS[0], "any") == wanted


def test_a_result_repeats_its_key_and_circuit(raw):
    note = json.loads(raw, cls=RuntimeDecoder)[0].metadata["circuit_metadata"]
    assert note == {"stichwerk": {"key": KEYS[0], "circuit": job().digest}}


def test_an_array_in_columns_is_read_as_one_in_rows(torino):
    circuit = QuantumCircuit(133, 9)
    circuit.measure(range(9), range(9))
    array = np.array([[1, 5], [0, 7], [1, 255]], dtype=np.uint8)
    fields = {"c": {"array": {"__type__": "ndarray"}, "num_bits": 9}}
    read = []
    for order in ("C", "F"):
        fields["c"]["array"]["__value__"] = packed(np.asarray(array, order=order))
        bits = {"__type__": "BitArray", "__value__": fields["c"]}
        bin_ = {"__type__": "DataBin", "__value__": {"fields": {"c": bits}}}
        pub = {"__type__": "SamplerPubResult", "__value__": {"data": bin_}}
        whole = {"__type__": "PrimitiveResult", "__value__": {"pub_results": [pub]}}
        asked = CircuitJob(circuit, TARGET, 3, 0)
        read.append(torino.counts(json.dumps(whole).encode(), asked, KEYS[0], "any"))
    assert read == [{261: 1, 7: 1, 511: 1}] * 2


def test_a_result_without_notes_is_taken(torino, raw):
    for bare in (edited(raw, (NOTE, {})), edited(raw, ((*PUB, "metadata"), {}))):
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


ZEROS = np.zeros((200, 1), dtype=np.uint8)


WRONG = {
    "fewer shots": [(ARRAY, packed(ZEROS[:199]))],
    "more shots": [(ARRAY, packed(np.zeros((201, 1), dtype=np.uint8)))],
    "padding that is set": [(ARRAY, packed(ZEROS + 8))],
    "wider samples": [(ARRAY, packed(np.zeros((200, 2), dtype=np.uint8)))],
    "signed": [(ARRAY, packed(ZEROS.astype(np.int8)))],
    "a pickle": [(ARRAY, pickled())],
    "a huge shape": [(ARRAY, of_shape(2**62, 1))],
    "an array cut off": [(ARRAY, lambda text: text[: len(text) // 2])],
    "no archive": [(ARRAY, base64.b64encode(b"junk").decode())],
    "a list for an array": [(ARRAY, [[0]] * 200)],
    "a bomb": [(ARRAY, base64.b64encode(zlib.compress(bytes(2**22), 9)).decode())],
    "something behind the array": [(ARRAY, lambda text: text.rstrip("=") + "AAAA")],
    "more bits": [((*MIDDLE, "num_bits"), 4)],
    "no register": [((*FIELDS, "middle"), None)],
    "a register too many": [((*FIELDS,), lambda fields: {**fields, "more": fields["low"]})],
    "two circuits": [(("__value__", "pub_results"), lambda pubs: pubs * 2)],
    "no circuit": [(("__value__", "pub_results"), [])],
    "another result": [(("__type__",), "EstimatorPubResult")],
    "a note that is no note": [((*NOTE, "stichwerk"), "mine")],
    "a key of another's": [((*NOTE, "stichwerk", "key"), KEYS[5])],
    "a circuit to be unpacked": [(FIELDS, {"__type__": "QuantumCircuit", "__value__": "eJw="})],
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

    def result(shared):
        fields = {
            name: {
                "__type__": "BitArray",
                "__value__": {
                    "array": {
                        "__type__": "ndarray",
                        "__value__": packed(np.array([[value]], dtype=np.uint8)),
                    },
                    "num_bits": bits,
                },
            }
            for name, value, bits in (("c", 2, 2), ("s", shared, 1))
        }
        data = {"__type__": "DataBin", "__value__": {"fields": fields}}
        pub = {"__type__": "SamplerPubResult", "__value__": {"data": data}}
        whole = {"__type__": "PrimitiveResult", "__value__": {"pub_results": [pub]}}
        return json.dumps(whole).encode()

    asked = CircuitJob(circuit, TARGET, 1, 0)
    assert torino.counts(result(1), asked, KEYS[0], "any") == {2: 1}
    with pytest.raises(ResultError, match="contradicts"):
        torino.counts(result(0), asked, KEYS[0], "any")


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
        [{"name": "T1", "value": 100}, {"name": "readout_error", "value": 0.012}],
        [{"name": "readout_error", "value": 0.5}],
    ],
    "gates": [
        {"gate": "cz", "qubits": [1, 0], "parameters": [{"name": "gate_error", "value": 0.004}]},
        {"gate": "cz", "qubits": [1, 2], "parameters": [{"name": "gate_error", "value": 0.1}]},
    ],
}


def test_what_it_uses_is_told():
    assert errors_met(told_errors(PROPERTIES), branching()) == (
        CalibratedError("cz", (0, 1), 0.004, 2),
        CalibratedError("readout", (0,), 0.012, 1),
    )


@pytest.mark.parametrize(
    "told",
    [
        None, [], {}, "x", {"qubits": 3, "gates": {}}, {"qubits": [3, None, [None, 3]]},
        {"qubits": [[{"name": "readout_error", "value": "0.1"}]]},
        {"qubits": [[{"name": "readout_error", "value": 1e999}]]},
        {"qubits": [[{"name": "readout_error", "value": -0.1}]]},
        {"gates": [3, {"gate": 3, "qubits": [0]}, {"gate": "cz", "qubits": ["0", 1]}]},
        {"gates": [{"gate": "cz", "qubits": [0, 1], "parameters": [{"name": "gate_error"}]}]},
    ],
)  # fmt: skip
def test_anything_else_tells_nothing(told):
    assert errors_met(told_errors(told), branching()) == ()
