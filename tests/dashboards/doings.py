"""What is done to a watched service: jobs that succeed, fail, and are tried again; outages."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.compilation.listener import each_here
from games.sources import Source
from tests.dashboards.watched import PATIENT_SECONDS, Watched
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Rule
from workers.peers.comparison import compare
from workers.peers.storage import record_results
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import Case
from workers.records.tables import Job

TOY = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
"""Two players, three cards, one of them in the skat."""

PAIR = 'game = "skat"\nrules = "paper"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10"]\n'
"""Two players, two cards: small enough for every pipeline."""

TRIO = 'game = "skat"\nplayers = 3\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
"""Three players, three cards."""

GHZ = (
    'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[3];'
    "h q[0]; cx q[0], q[1]; cx q[1], q[2]; measure q -> c;"
)

PEERS = ("qiskit", "tket", "stichwerk")
CASE = Case("floor", Subject(Kind.CIRCUIT, "ghz:5"), Form.GIVEN, "all:5")


def file(name: str, content: str) -> dict[str, dict[str, str]]:
    """Return what a job is asked to run, as a file."""
    return {"file": {"name": name, "content": content}}


def a_day_at_work(service: Watched) -> dict[str, int]:
    """Let a service do its jobs, with all that may go wrong, and return some of them by name.

    Counters are seen by Prometheus before they grow: it knows no growth of what it has not seen.
    """
    toy, pair, trio = file("toy.toml", TOY), file("pair.toml", PAIR), file("trio.toml", TRIO)
    first = {
        "game": service.submit(**toy, backend="sparse"),
        "literal": service.submit(**pair, backend="sparse", method="literal"),
        "any input": service.submit(**toy, backend="sparse", any_input=True),
        "three players": service.submit(**trio, backend="sparse"),
        "four cards": service.submit(program="skat-4", encoding="lean", backend="sparse"),
        "provider": service.submit(**toy, backend="ibm:torino"),
        "noisy": service.submit(**toy, backend="aer:torino"),
        "paid": service.submit(**toy, backend="braket:garnet", tag="study"),
        "circuit": service.submit(**file("ghz.qasm", GHZ), backend="braket-local"),
    }
    _record_peers(service)
    service.wait_for_jobs(done=9)
    service.wait_for('sum(stichwerk_job_transitions_total{state="done"}) == 9')

    service.faults["ibm"].add(Rule(Fault.JOB_FAILED, "submit", times=1))
    service.faults["braket"].add(Rule(Fault.SERVER_ERROR, "status", times=4))
    second = {
        "again": service.submit(**toy, backend="sparse"),
        "again any input": service.submit(**toy, backend="sparse", any_input=True),
        "best": service.submit(**pair, backend="sparse", method="best"),
        "again paid": service.submit(**toy, backend="braket:garnet", tag="study"),
        "failed": service.submit(**toy, backend="ibm:torino"),
    }
    service.wait_for_jobs(done=13, failed=1)
    estimate = service.estimate(Source("toy.toml", TOY.encode()), "sparse")
    assert wait_until(lambda: _is_done(service, estimate), PATIENT_SECONDS, 0.2)
    _settle(service)
    return first | second | {"estimate": estimate}


def _is_done(service: Watched, job: int) -> bool:
    with Session(service.engine) as session:
        return session.get_one(Job, job).state == "done"


def _record_peers(service: Watched) -> None:
    with Session(service.engine) as session:
        results = compare(CASE, PEERS, 1, each_here, lambda _: None)
        record_results(session, "first", results, {})


def _settle(service: Watched) -> None:
    """Wait until Prometheus has the records' newest figures, and rules have seen them."""
    with Session(service.engine) as session:
        last = session.scalars(select(func.max(Job.finished_at)).where(Job.scores.any())).one()
    done = service.states()["done"]
    service.wait_for(f'sum(stichwerk_jobs{{state="done"}}) == {done}')
    service.wait_for("count(stichwerk_estimate_calls) == 1")
    service.wait_for(f"max(stichwerk_benchmark_run_timestamp_seconds) >= {last.timestamp()}")
    service.wait_for("count(stichwerk_peer_two_qubit_gates) == 3")
    service.wait_for("count(benchmark:stichwerk_two_qubit_gates:least7d) == 9")
    service.wait_for('backend:stichwerk_jobs_failed:ratio1h{backend="ibm:torino"} > 0')
