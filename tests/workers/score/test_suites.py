"""What is in a suite never changes under its name, and neither do the games that it names."""

import json
from hashlib import sha256

import pytest

from compiler.errors import UnknownNameError
from compiler.judge import enumerated
from compiler.scores.machine_score import noise_fidelity
from games.sources import read_game, read_program
from workers.score.suite import NEWEST, suite_named, suite_names

DIGESTS = {
    "v1": "0e46d43d53d79714540e26d03b02cd49a8f5de09b7f40dc6a33ad9a83545d387",
    "first-1": "9c51b80afa220e9bec3d4bc0f51bca4dfe240bf81c99170f63d5d2e16b9fa115",
    "nonlocal-1": "56e0e779d6289119a921db97e239261a4f83f3752cdeac78d5497cc727e44672",
    "standard-1": "9a650bb766a59cbbe245bd871ee836a6d40e185459200223d938d26573fd4028",
    "standard-1-wide": "ba37153bc83dc1824b8deceafdf3d4de1773b57e7372a011d9a80cea08ec0ab9",
}
"""A suite that was published is never changed: write another one instead of changing a digest."""

RIGHT = {
    "v1": {
        "skat-4": (8, 8, "0.466506351", "ac5a8c133097b179"),
        "skat-5": (30, 22, "0.003906250", "abc3ebf15b53ddc4"),
        "skat-6": (39, 28, "0.001422956", "9a62c2b0fe96890f"),
        "skat-9": (59, 42, "0.000090782", "8a9f9f6c4602a2aa"),
        "six-nimmt": (4, 7, "0.062500000", "a039a0d5e3f34a67"),
        "five-in-a-row": (8, 8, "0.031250000", "00b734ba1c40d413"),
        "weiqi": (14, 14, "0.000122070", "10a49e0ab6dadfb0"),
        "endless-fun": (8, 8, "0.011718750", "7e999842e7f85c9b"),
        "endless-fun-random": (6, 6, "0.421875000", "ed089162dc349c2e"),
        "skat-4-iterate": (8, 8, "0.083622685", "7756f40c27fddd7c"),
        "teleported-ghz": (7, 7, "0.125000000", "2291a3c101d900e4"),
    }
}
"""What is right of each part: qubits, measured bits, the noise that counts as 0, and the digest of
the exact distribution, to nine digits."""


def test_every_suite_is_as_it_was_published():
    assert {name: suite_named(name).digest for name in suite_names()} == DIGESTS
    assert NEWEST in suite_names()


@pytest.mark.full
@pytest.mark.parametrize("name", RIGHT)
def test_what_its_parts_stand_for_is_as_it_was(name):
    found = {part.name: right(part) for part in suite_named(name).parts}
    assert found == RIGHT[name]


@pytest.mark.parametrize("name", DIGESTS)
def test_families_weigh_the_same(name):
    weights: dict[str, int] = {}
    for part in suite_named(name).parts:
        weights[part.family] = weights.get(part.family, 0) + part.weight
    assert len(set(weights.values()) - {0}) == 1


def test_an_unknown_suite_is_named():
    with pytest.raises(UnknownNameError, match="unknown score suite 'v0'; "):
        suite_named("v0")


def right(part):
    program = read_program(part.source, part.encoding)
    game = None if part.source.is_circuit else read_game(part.source)
    noise = noise_fidelity(program, None if game is None else game.outcome_bits)
    exact = {str(o): f"{p:.9f}" for o, p in sorted(enumerated(program.judge).items())}
    digest = sha256(json.dumps(exact).encode()).hexdigest()[:16]
    return program.circuit.num_qubits, program.circuit.num_clbits, f"{noise:.9f}", digest
