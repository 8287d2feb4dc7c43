"""What can be compiled: named games, game files, circuit files."""

import pytest

from compiler.circuit_files import qasm3_text, qpy_bytes
from compiler.errors import CircuitFileError, GameError, InputError, UnknownNameError
from compiler.workload import Source, workload

TOML = b"""game = "skat"
players = 3
hand = 1
deck = ["CA", "C10", "CK"]
"""


def test_a_named_game():
    found = workload(Source("skat-4"), "best")
    assert found.game.name == found.program.name == "skat-4"
    assert found.program == found.game.program("paper")
    assert workload(Source("skat-4"), "paper").program == found.program


def test_a_game_file_keeps_its_name():
    found = workload(Source("three.toml", TOML), "paper")
    assert found.game.name == found.program.name == "three.toml"
    assert found.game.p_win() * 3 == 1


@pytest.mark.parametrize("suffix", ["qasm", "qpy"])
def test_a_circuit_file_has_no_game(toy, suffix):
    program = toy.program("paper")
    content = qpy_bytes(program) if suffix == "qpy" else qasm3_text(program).encode()
    found = workload(Source(f"mine.{suffix}", content), "best")
    assert found.game is None
    assert found.program.name == f"mine.{suffix}"
    assert found.program.num_qubits == 17


@pytest.mark.parametrize(
    ("source", "encoding", "error", "message"),
    [
        (Source("skat4"), "best", UnknownNameError, "unknown game 'skat4'; did you mean 'skat-4'?"),
        (Source("skat-4"), "papr", UnknownNameError, "unknown encoding 'papr'"),
        (Source("g.toml", b"players = 2"), "best", GameError, "g.toml: game = None"),
        (Source("g.toml", b"\xff"), "best", InputError, "g.toml: not a text file"),
        (Source("g.qasm", b"\xff"), "best", CircuitFileError, "g.qasm: not a text file"),
        (Source("g.qasm", b"x"), "best", CircuitFileError, "g.qasm: no OPENQASM statement"),
        (Source("g.qpy", b"x"), "best", CircuitFileError, "g.qpy: cannot be read as QPY"),
    ],
)
def test_mistakes_are_named(source, encoding, error, message):
    with pytest.raises(error) as caught:
        workload(source, encoding)
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, InputError)


def test_digests_tell_names_and_contents_apart():
    sources = [Source("a"), Source("b"), Source("a", b"b"), Source("ab"), Source("a", b"\0b")]
    digests = {source.digest for source in sources}
    assert len(digests) == len(sources)
    assert Source("a", b"b").digest == Source("a", b"b").digest
    assert all(len(digest) == 64 for digest in digests)
