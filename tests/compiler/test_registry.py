"""Registries, plurals, sizes and digests."""

from math import nextafter, pi

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit import Gate

from compiler.compilation import Options
from compiler.compilation.plan import plan
from compiler.compilation.size import size_up_to
from compiler.errors import DuplicateNameError, GameError, InputError, UnknownNameError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import LARGE
from compiler.measurement import final_measurements
from compiler.native_digest import native_digest
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.registry import Registry
from games import encoded, named_game
from games.toml import game_from_toml, game_kind, game_kinds


@pytest.fixture
def fruit():
    registry = Registry("fruit")
    registry.register("apple")(1)
    registry.register("pear")(2)
    return registry


def test_a_registry_is_an_ordered_mapping(fruit):
    assert list(fruit.items()) == [("apple", 1), ("pear", 2)]
    assert "plum" not in fruit
    assert 3 not in fruit


def test_duplicates_are_refused_before_anything_is_filed(fruit):
    with pytest.raises(DuplicateNameError, match="fruit 'apple' is registered twice: rename one"):
        fruit.register("apple")
    assert fruit["apple"] == 1


def test_other_names_get_the_list(fruit):
    with pytest.raises(UnknownNameError) as error:
        fruit["xyz"]
    assert str(error.value) == "unknown fruit 'xyz'; known: apple, pear"


def test_a_kind_of_game_is_added_by_one_decorator(toy):
    @game_kind("bridge")
    def bridge(name, table):
        if table:
            raise GameError(f"{name} takes no keys, not {sorted(table)}")
        return toy

    try:
        assert game_from_toml("game = 'bridge'", "b.toml") is toy
        with pytest.raises(GameError, match=r"b\.toml: b\.toml takes no keys, not \['hand'\]"):
            game_from_toml("game = 'bridge'\nhand = 2", "b.toml")
    finally:
        game_kinds.unregister("bridge")
    assert "bridge" not in game_kinds


MAX_GATES = 10**9


def transpiled_size(circuit, synthesis):
    lowered = lower_operators(circuit, synthesis)
    return transpile(
        lowered, basis_gates=["cx", "rz", "sx", "x"], optimization_level=0
    ).num_nonlocal_gates()


@pytest.mark.parametrize(("game", "encoding"), [("skat-4", "paper"), ("skat-9", "lists")])
def test_it_is_nearly_what_the_whole_program_takes(game, encoding):
    gates, _ = final_measurements(encoded(named_game(game), encoding).circuit)
    exact = transpiled_size(gates, "cheapest")
    assert size_up_to(gates, "cheapest", MAX_GATES) == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize("spec", ["adder:10", "grover:5"])
def test_circuits_are_counted_by_the_kinds_of_their_gates(spec):
    circuit, _ = final_measurements(circuit_from_spec(spec, 0))
    assert size_up_to(circuit, "cheapest", MAX_GATES) == pytest.approx(
        transpiled_size(circuit, "cheapest"), rel=0.01
    )


def test_counting_stops_where_it_does_not_matter():
    gates, _ = final_measurements(encoded(named_game("skat-9"), "lists").circuit)
    whole = size_up_to(gates, "cheapest", MAX_GATES)
    assert size_up_to(gates, "cheapest", whole) == whole
    assert 100 < size_up_to(gates, "cheapest", 100) < 120


def test_gates_that_nobody_defined_are_refused_however_late_they_come():
    circuit = QuantumCircuit(2)
    circuit.cx([0] * (LARGE + 1), 1)
    circuit.append(Gate("riddle", 1, []), [0])
    with pytest.raises(InputError, match="gate 'riddle' has no definition"):
        plan(Program.of_circuit(circuit), "all", Options("fast"))


def native(angle=0.3, name="c"):
    circuit = QuantumCircuit(QuantumRegister(4, f"{name}q"), ClassicalRegister(2, name))
    circuit.rz(angle, 0)
    circuit.sx(1)
    circuit.cz(0, 1)
    circuit.x(3)
    circuit.measure([0, 3], [0, 1])
    return circuit


def test_names_phase_order_and_file_format_do_not_matter():
    other = QuantumCircuit(4, 2, global_phase=1.0)
    other.x(3)
    other.measure(3, 1)
    other.sx(1)
    other.rz(0.3, 0)
    other.cz(0, 1)
    other.measure(0, 0)
    read = read_qpy(qpy_bytes(native(name="other")), "read")
    assert native_digest(native()) == native_digest(other) == native_digest(read)
    assert native_digest(native(0.0)) == native_digest(native(-0.0))


def test_the_digest_is_of_this_text():
    """Worked out by hand with sha256sum, so that digests last longer than versions."""
    circuit = QuantumCircuit(2, 1)
    circuit.rz(0.5, 1)
    circuit.cz(1, 0)
    circuit.measure(1, 0)
    # printf '1 bits\nrz(0x1.0000000000000p-1) 1 -> \ncz() 1,0 -> \nmeasure() 1 -> 0' | sha256sum
    assert native_digest(circuit) == (
        "3cda9f5e4aeed56b8025be9c2302ec572936f3e2b0a9f2d2f565296a999f5708"
    )


def changed(change):
    circuit = native()
    last = circuit.data.pop()
    change(circuit)
    circuit.data.append(last)
    return circuit


@pytest.mark.parametrize(
    "other",
    [
        native(nextafter(0.3, pi)),
        changed(lambda circuit: circuit.x(2)),
        changed(lambda circuit: circuit.data.pop(0)),
        changed(lambda circuit: circuit.data.insert(0, circuit.data.pop(2))),
        changed(lambda circuit: circuit.barrier(0, 3)),
        changed(lambda circuit: circuit.delay(9, 0, unit="ns")),
    ],
    ids=["angle", "gate", "gate less", "order on a qubit", "barrier", "delay"],
)
def test_whatever_a_machine_would_notice_matters(other):
    assert native_digest(other) != native_digest(native())
