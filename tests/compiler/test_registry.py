"""Registries: one decorator adds a game, a target, an encoding or a pipeline."""

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Parameter
from qiskit.circuit.library import CZGate, Measure, RXGate, RZGate
from qiskit.transpiler import Target

from compiler.errors import DuplicateNameError, GameError, UnknownNameError
from compiler.lowering import Draft, Pass, Pipeline, Setting, pipeline, pipelines
from compiler.lowering.methods import synthesis
from compiler.lowering.passes import ALL
from compiler.lowering.portfolio import attempts
from compiler.measurement import final_measurements, measure_at
from compiler.registry import Registry
from compiler.targets import sized_spec, target_families, target_from_spec
from compiler.targets.target import parse_size, target_family
from compiler.verification.program import (
    outcome_distribution,
    program_state,
    verify_lowered,
    verify_program,
)
from games import Encoding, encoded, encoding, encodings, encodings_of, game, games
from games.toml import game_from_toml, game_kind, game_kinds
from games.trick_taking.game import TrickTakingGame


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


def test_near_misses_get_a_hint(fruit):
    with pytest.raises(UnknownNameError) as error:
        fruit["aple"]
    assert str(error.value) == "unknown fruit 'aple'; did you mean 'apple'?"


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
        (encodings, "papers", "unknown encoding 'papers'; did you mean 'paper'?"),
        (target_families, "stars", "unknown target 'stars'; did you mean 'star'?"),
        (target_families, "heavyhex", "unknown target 'heavyhex'; did you mean 'heavy-hex'?"),
        (pipelines, "qiskt", "unknown pipeline 'qiskt'; did you mean 'qiskit'?"),
        (game_kinds, "scat", "unknown kind of game 'scat'; did you mean 'skat'?"),
    ],
)
def test_near_misses_of_every_kind(registry, near, message):
    with pytest.raises(UnknownNameError) as error:
        registry[near]
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("registry", "name"),
    [
        (games, "skat-4"),
        (encodings, "paper"),
        (target_families, "star"),
        (pipelines, "qiskit"),
        (game_kinds, "skat"),
    ],
)
def test_duplicates_of_every_kind(registry, name):
    before = registry[name]
    with pytest.raises(DuplicateNameError, match=f"{registry.kind} '{name}' is registered twice"):
        registry.register(name)
    assert registry[name] is before


def test_a_game_is_added_by_one_decorator(make_game):
    @game("three-cards")
    def three_cards():
        return make_game(3, 1, "CA C10 CK")

    try:
        added = games["three-cards"]()
        assert added.average("win") * 3 == 1
        program = encoded(added)
        verify_program(program, program_state(program.circuit))
        with pytest.raises(UnknownNameError, match="did you mean 'three-cards'"):
            games["three-card"]
    finally:
        games.unregister("three-cards")
    assert "three-cards" not in games


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


def test_an_encoding_is_added_by_one_decorator(toy):
    """Here: the owners alone, prepared as the rules say they end."""

    @encoding("owners-only")
    class OwnersOnly(Encoding):
        family = TrickTakingGame

        def supports(self, game):
            return True

        def program(self, game):
            bits = len(game.deck) * game.owner_bits
            circuit = QuantumCircuit(bits, bits)
            exact = game.exact_distribution()
            circuit.prepare_state([float(exact.get(i, 0)) ** 0.5 for i in range(1 << bits)])
            circuit.measure(range(bits), range(bits))
            return circuit

    try:
        assert "owners-only" in encodings_of(toy)
        program = encoded(toy, "owners-only")
        assert program.circuit.num_qubits == 4
        verify_program(program, program_state(program.circuit))
    finally:
        encodings.unregister("owners-only")
    assert "owners-only" not in encodings_of(toy)


def test_a_target_is_added_by_one_decorator():
    @target_family("ring", "ring:N  every qubit is coupled to two", lambda: ["real-ring"])
    def ring(size, gates):
        qubits = 5 if size == "real-ring" else parse_size("ring", size)
        target = Target(num_qubits=qubits)
        places = {(q,): None for q in range(qubits)}
        target.add_instruction(RZGate(Parameter("a")), places)
        target.add_instruction(RXGate(Parameter("a")), places)
        target.add_instruction(Measure(), places)
        target.add_instruction(CZGate(), {(q, (q + 1) % qubits): None for q in range(qubits)})
        return target

    try:
        target = target_from_spec(sized_spec("ring", 6))
        assert target.description == "ring:6"
        assert target.num_qubits == 6
        assert target_from_spec("ring:real-ring").num_qubits == 5
        circuit = QuantumCircuit(4, 4)
        circuit.h(0)
        circuit.cx(0, 3)
        circuit.cx(0, 2)
        circuit.measure(range(4), range(4))
        gates, _ = final_measurements(circuit)
        lowered = pipelines["qiskit"].lower(gates, Setting(target, "literal", 3))
        native = measure_at(lowered.circuit, lowered.final_layout, circuit)
        reference = program_state(circuit)
        verdict = verify_lowered(circuit, reference, native, lowered.final_layout, target)
        assert verdict.verified == "exact"
    finally:
        target_families.unregister("ring")
    with pytest.raises(UnknownNameError, match="unknown target 'ring'"):
        target_from_spec("ring:6")


def test_a_pipeline_is_added_by_one_call(toy):
    def plain(draft, setting):
        native = transpile(draft.circuit, target=setting.target, optimization_level=0)
        layout = native.layout.final_index_layout() if native.layout else range(native.num_qubits)
        return Draft(native, tuple(range(native.num_qubits)), tuple(layout))

    passes = [synthesis, Pass("level-0", plain, establishes=ALL)]
    pipeline(Pipeline(name="plain", passes=passes, seeded=False))
    try:
        assert pipelines["plain"].name == "plain"
        assert not pipelines["plain"].seeded
        tried = attempts("literal", 7, gates=100, target=target_from_spec("all:2"))
        assert [a.seed for a in tried if a.pipeline == "plain"] == [7]
        program = encoded(toy, "paper").circuit
        gates, _ = final_measurements(program)
        target = target_from_spec("all:17")
        lowered = pipelines["plain"].lower(gates, Setting(target, "literal"))
        native = measure_at(lowered.circuit, lowered.final_layout, program)
        reference = program_state(program)
        verdict = verify_lowered(program, reference, native, lowered.final_layout, target)
        assert verdict.verified == "exact"
        assert outcome_distribution(native, program_state(native)) == pytest.approx(
            {outcome: float(p) for outcome, p in toy.exact_distribution().items()}, abs=1e-9
        )
    finally:
        pipelines.unregister("plain")
    assert not any(
        attempt.pipeline == "plain"
        for attempt in attempts("best", 0, gates=100, target=target_from_spec("all:2"))
    )
