"""Registries: one decorator adds a game, a target, an encoding or a pipeline."""

import pytest

from compiler.errors import DuplicateNameError, GameError, UnknownNameError
from compiler.lowering import pipelines
from compiler.registry import Registry
from compiler.targets import target_families
from games import encodings, games
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
