"""What is done to a watched service: jobs that succeed, fail, and are tried again; outages."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from compiler.words.estimator_names import EstimatorName
from games.sources import Source
from tests.dashboards.watched import Watched
from tests.live_service import TOY, LiveService
from tests.servers.provider_simulators.faults import Fault, Rule
from workers.compilation.orders import CompileOrder
from workers.estimation.request import Estimation
from workers.jobs.request import Submission
from workers.jobs.states import JobKind
from workers.jobs.submission import checked, submit
from workers.peers.comparison import compare
from workers.peers.storage import record_results
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import Case
from workers.records.tables import Job
from workers.settings import Settings

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


def a_day_at_work(watched: Watched) -> dict[str, int]:
    """Let a service do its jobs, with all that may go wrong, and return some of them by name.

    Counters are seen by Prometheus before they grow: it knows no growth of what it has not seen.
    """
    service = watched.service
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
    watched.wait_for_jobs(done=9)
    watched.wait_for('sum(stichwerk_job_transitions_total{state="done"}) == 9')

    service.faults["ibm"].add(Rule(Fault.JOB_FAILED, "submit", times=1))
    service.faults["braket"].add(Rule(Fault.SERVER_ERROR, "status", times=4))
    second = {
        "again": service.submit(**toy, backend="sparse"),
        "again any input": service.submit(**toy, backend="sparse", any_input=True),
        "best": service.submit(**pair, backend="sparse", method="best"),
        "again paid": service.submit(**toy, backend="braket:garnet", tag="study"),
        "failed": service.submit(**toy, backend="ibm:torino"),
    }
    watched.wait_for_jobs(done=13, failed=1)
    estimate = _estimate(service, Source("toy.toml", TOY.encode()), "sparse")
    assert service.done(estimate).state == "done"
    _settle(watched)
    return first | second | {"estimate": estimate}


def _estimate(service: LiveService, source: Source, backend: str) -> int:
    """Record an estimate of a game's first event, for any input, and return its number."""
    asked = Estimation("win", EstimatorName.BAYESIAN, 0.1, 0.95, 50, 4)
    order = CompileOrder(source, "all", Options("fast", any_input=True))
    submission = Submission(order, backend, 50, 0, kind=JobKind.ESTIMATION, request=asked.as_json())
    with Session(service.engine) as session:
        (job,) = submit(session, Settings(), checked(submission))
        return job.id


def _record_peers(service: LiveService) -> None:
    with Session(service.engine) as session:
        results = compare(CASE, PEERS, 1, each_here, lambda _: None)
        record_results(session, "first", results, {})


def _settle(watched: Watched) -> None:
    """Wait until Prometheus has the records' newest figures, and rules have seen them."""
    with Session(watched.service.engine) as session:
        last = session.scalars(select(func.max(Job.finished_at)).where(Job.scores.any())).one()
    done = watched.service.states()["done"]
    watched.wait_for(f'sum(stichwerk_jobs{{state="done"}}) == {done}')
    watched.wait_for("count(stichwerk_estimate_calls) == 1")
    watched.wait_for(f"max(stichwerk_benchmark_run_timestamp_seconds) >= {last.timestamp()}")
    watched.wait_for("count(stichwerk_peer_two_qubit_gates) == 3")
    watched.wait_for("count(benchmark:stichwerk_two_qubit_gates:least7d) == 9")
    watched.wait_for('backend:stichwerk_jobs_failed:ratio1h{backend="ibm:torino"} > 0')
