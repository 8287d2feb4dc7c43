"""What is compared is known to whoever asks for it first."""

import subprocess
import sys

import pytest

from workers.peers.subjects import OPERATORS

ASKS = """
from workers.peers.subjects import Kind, Subject

print(Subject(Kind.OPERATOR, {name!r}).operator.name)
"""


@pytest.mark.parametrize(
    ("name", "gate"),
    [
        *zip(
            OPERATORS,
            ("uniform_deal", "hand_play", "qutrit_cnot", *["qutrit_cards"] * 4),
            strict=True,
        )
    ],
)
def test_an_operator_is_found_in_a_process_that_has_imported_no_games(name, gate):
    asked = (sys.executable, "-c", ASKS.format(name=name))
    answer = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert answer.stdout == f"{gate}\n"
