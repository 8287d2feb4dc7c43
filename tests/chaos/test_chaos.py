"""Everything goes wrong at once, and no job is lost, paid twice or wrong."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from ..servers.fixtures import present
from ..servers.postgres import PostgresServer
from ..servers.redis import RedisServer
from .experiment import Plan, chaos
from .programs import OUTCOMES, PROGRAMS
from .storm import Kind


def test_every_program_has_its_outcome_alone():
    for program in PROGRAMS:
        circuit = QuantumCircuit.from_qasm_str(program.source.content.decode())
        circuit.remove_final_measurements()
        chances = Statevector(circuit).probabilities_dict(decimals=12)
        assert {int(outcome, 2) for outcome in chances} == {program.outcome}
    assert sorted(OUTCOMES.values()) == list(range(16))


PLANS = [
    Plan(1, 30, dict.fromkeys(Kind, 1) | {Kind.KILL: 3, Kind.CANCEL: 2}, 300),
    pytest.param(Plan(seed=2, limit_seconds=3000), marks=pytest.mark.timeout(3600)),
]


@pytest.mark.full
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.jobs} jobs")
def test_no_job_is_lost_or_paid_twice_or_wrong(plan):
    for server in (RedisServer, PostgresServer):
        present(server).__exit__(None, None, None)
    report = chaos(plan, print)
    assert report.missing == ()
    assert list(report.verdict.problems) == []
    assert sum(report.verdict.states.values()) == plan.jobs
    assert set(report.verdict.states) <= {"done", "failed", "cancelled"}
    assert report.strikes == {kind.value: times for kind, times in plan.times.items()}
