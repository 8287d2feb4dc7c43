"""Everything goes wrong at once, and no job is lost, paid twice or wrong."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from ..servers.fixtures import present
from ..servers.postgres import PostgresServer
from ..servers.redis import RedisServer
from .experiment import Plan, chaos
from .programs import OUTCOMES, PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.source.name)
def test_the_outcome_of_a_known_program(program):
    circuit = QuantumCircuit.from_qasm_str(program.source.content.decode())
    circuit.remove_final_measurements()
    chances = Statevector(circuit).probabilities_dict(decimals=12)
    assert {int(outcome, 2) for outcome in chances} == {program.outcome}


def test_every_outcome_belongs_to_one_program():
    assert sorted(OUTCOMES.values()) == list(range(16))


PLANS = [
    Plan(
        seed=1,
        jobs=30,
        kills=3,
        wipes=1,
        restarts=1,
        partitions=1,
        suspensions=1,
        jumps=1,
        outages=1,
        call_outages=1,
        failovers=1,
        expiries=1,
        leavings=1,
        pauses=1,
        cancels=2,
        limit_seconds=300,
    ),
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
