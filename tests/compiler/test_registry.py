"""Registries, plurals, sizes and digests."""

from math import nextafter, pi

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit import Gate
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import random_unitary

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
from compiler.synthesis import method as synthesis
from compiler.synthesis.method import methods
from compiler.targets import target_families
from compiler.words.plurals import how_many
from games import encoded, games, named_game
from games.toml import game_from_toml, game_kind, game_kinds


@pytest.fixture
def fruit():
    registry = Registry("fruit")
    registry.register("apple")(1)
    registry.register("pear")(2)
    return registry


def test_a_registry_is_an_ordered_mapping(fruit):
    assert dict(fruit) == {"apple": 1, "pear": 2}
    assert list(fruit) == ["apple", "pear"]
    assert len(fruit) == 2
    assert fruit["pear"] == 2
    assert "apple" in fruit
    assert "plum" not in fruit
    assert 3 not in fruit


def test_the_decorator_returns_what_it_files(fruit):
    @fruit.register("plum")
    def plum():
        return 3

    assert plum() == 3
    assert fruit["plum"] is plum


def test_duplicates_are_refused_before_anything_is_filed(fruit):
    with pytest.raises(DuplicateNameError, match="fruit 'apple' is registered twice: rename one"):
        fruit.register("apple")
    assert fruit["apple"] == 1


def test_other_names_get_the_list(fruit):
    with pytest.raises(UnknownNameError) as error:
        fruit["xyz"]
    assert str(error.value) == "unknown fruit 'xyz'; known: apple, pear"


def test_a_name_that_is_forgotten_can_be_used_again(fruit):
    fruit.unregister("apple")
    assert list(fruit) == ["pear"]
    fruit.register("apple")(4)
    assert fruit["apple"] == 4
    with pytest.raises(KeyError):
        fruit.unregister("plum")


@pytest.mark.parametrize(
    ("registry", "near", "message"),
    [
        (games, "skat4", "unknown game 'skat4'; did you mean 'skat-4'?"),
        (target_families, "stars", "unknown target 'stars'; did you mean 'star'?"),
        (game_kinds, "scat", "unknown kind of game 'scat'; did you mean 'skat'?"),
    ],
)
def test_near_misses_of_every_kind(registry, near, message):
    with pytest.raises(UnknownNameError) as error:
        registry[near]
    assert str(error.value) == message


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


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("shot",), "0 shots"),
        (1, ("shot",), "1 shot"),
        (1200, ("shot",), "1,200 shots"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_things_are_counted(number, words, said):
    assert how_many(number, *words) == said


MAX_GATES = 10**9


def transpiled_size(circuit, synthesis):
    lowered = lower_operators(circuit, synthesis)
    return transpile(lowered, basis_gates=["cx", "rz", "sx", "x"], optimization_level=0).size()


@pytest.mark.parametrize(
    ("game", "encoding"),
    [
        ("skat-4", "paper"),
        ("skat-4", "lean"),
        ("skat-9", "lists"),
        ("skat-9:paper", "paper"),
    ],
)
def test_it_is_nearly_what_the_whole_program_takes(game, encoding):
    gates, _ = final_measurements(encoded(named_game(game), encoding).circuit)
    exact = transpiled_size(gates, "cheapest")
    assert size_up_to(gates, "cheapest", MAX_GATES) == pytest.approx(exact, rel=0.04)


@pytest.mark.parametrize("spec", ["adder:10", "qft:12", "grover:6", "quantum-volume:6"])
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


def test_a_huge_program_is_not_built_to_be_accepted(monkeypatch):
    built = []
    synthesis._price.cache_clear()
    synthesis._circuit.cache_clear()
    for method in methods.values():
        build = type(method).build

        def counting(self, *params, _build=build):
            circuit = _build(self, *params)
            built.append(circuit.size())
            return circuit

        monkeypatch.setattr(type(method), "build", counting)
    circuit = encoded(named_game("skat-32"), "lists").circuit
    gates, _ = final_measurements(circuit)
    assert size_up_to(gates, "cheapest", LARGE) > LARGE
    assert LARGE / 10 < sum(built) < 3 * LARGE


@pytest.mark.parametrize("qubits", [1, 2, 3, 5])
def test_unitaries_count_by_their_qubits(qubits):
    circuit = QuantumCircuit(qubits)
    circuit.append(UnitaryGate(random_unitary(1 << qubits, seed=3)), range(qubits))
    counted = size_up_to(circuit, "cheapest", MAX_GATES)
    assert counted == pytest.approx(transpiled_size(circuit, "cheapest"), rel=0.15)


def test_gates_that_nobody_defined_are_refused_however_late_they_come():
    circuit = QuantumCircuit(2)
    for _ in range(LARGE + 1):
        circuit.cx(0, 1)
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


def test_where_qubits_are_read_into_matters():
    straight, crossed = QuantumCircuit(2, 2), QuantumCircuit(2, 2)
    straight.measure([0, 1], [0, 1])
    crossed.measure([0, 1], [1, 0])
    assert native_digest(straight) != native_digest(crossed)
