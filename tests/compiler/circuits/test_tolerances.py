"""Tolerances as the page on proofs lists them."""

import re
from pathlib import Path

from compiler.circuits import tolerances


def test_the_page_on_proofs_lists_every_tolerance():
    page = Path("docs/proofs.md").read_text()
    listed = dict(re.findall(r"^\| `(\w+)` \| ([0-9.e-]+) \|", page, re.MULTILINE))
    assert {name: float(bound) for name, bound in listed.items()} == {
        name: value for name, value in vars(tolerances).items() if name.isupper()
    }
