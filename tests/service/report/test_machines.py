"""Circuits of a kind on a backend, and what the report's page says of machines."""

import re

from sqlalchemy.orm import Session

from service.report.page import report_html
from workers.records.tables import Compilation

from .conftest import THREE, compiled, recorded


def test_the_page_tells_machines_from_circuits(empty: Session) -> None:
    """Two compilations whose circuits differ, and a job of each."""
    first, second = compiled(empty, THREE), compiled(empty, THREE)
    assert first.native_digest == second.native_digest
    noise = {str(bits): 40 for bits in range(64)}
    recorded(empty, first, "aer:torino", noise, 0)
    recorded(empty, second, "aer:torino", noise, 24)
    html = report_html(empty)
    assert "1 run since 2026-01-30" in html
    assert "the circuit changed" not in html
    second.native_digest = "b" * 64
    empty.commit()
    html = report_html(empty)
    gates = second.chosen.two_qubit_gates
    assert (
        f"the circuit changed: {gates} (from |0…0⟩) → {gates} (from |0…0⟩) two-qubit gates;"
        in re.sub("</?span[^>]*>", "", html)
    )
    assert "No comparison yet: " in html
    empty.get_one(Compilation, first.id).native_digest = second.native_digest = None
    empty.commit()
    assert "the circuit changed" in report_html(empty)
