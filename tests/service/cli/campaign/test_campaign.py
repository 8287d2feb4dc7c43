"""The command `campaign`: due once, one job that owns the others, drift found and said."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from tests.service.cli.score.led import ended
from tests.workers.score.tiny import tiny_suite
from workers.metrics.from_records.runs import change_metrics, labelled_runs
from workers.records.database import open_database
from workers.records.queries.compilations import newest_compilations
from workers.records.tables import ScoreRow

NIGHTLY = Path(__file__).with_name("nightly.toml").read_text()


@pytest.fixture(autouse=True)
def nightly(folder):
    (folder / "nightly.toml").write_text(NIGHTLY)
    with tiny_suite(folder / "suites"):
        yield


def done(folder, job_id):
    ended(folder, job_id)
    return open_database(str(folder / "stichwerk.sqlite"))


def begun(stichwerk, *options):
    answer = stichwerk("campaign", "nightly.toml", "--json", *options)
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def begun_at(stichwerk, monkeypatch, time):
    at = datetime.fromisoformat(time).replace(tzinfo=UTC)
    monkeypatch.setattr("service.cli.queue.submit.now", lambda: at)
    return begun(stichwerk)


def test_a_run_is_begun_once_and_the_next_one_tells_what_has_changed(
    stichwerk, folder, monkeypatch
):
    first = begun_at(stichwerk, monkeypatch, "2026-11-24T02:00")
    assert first["new"] == first["jobs"]
    # Until two o'clock of the next night it is the same run.
    again = begun_at(stichwerk, monkeypatch, "2026-11-25T01:59")
    assert (again["jobs"], again["new"]) == (first["jobs"], [])
    engine = done(folder, first["jobs"][0])
    told = json.loads(stichwerk("job", str(first["jobs"][0]), "--json").out)
    assert (told["state"], told["tag"]) == ("done", "campaign nightly 2026-11-24 02:00")
    found = told["batched"]
    assert [one["suite"] for one in found["scores"]] == ["tiny"]
    assert [(one["program"], one["state"]) for one in found["jobs"]] == [("toy.toml", "done")]
    assert (found["drifts"], found["lost"]) == ([], [])
    assert told["max_cost_usd"] == "20"
    with Session(engine) as session:
        # What had been measured is said to have been half as good.
        session.execute(update(ScoreRow).values(hellinger_fidelity=0.5, normalized_fidelity=0.5))
        session.commit()
    second = begun_at(stichwerk, monkeypatch, "2026-11-25T02:00")
    done(folder, second["jobs"][0])
    told = json.loads(stichwerk("job", str(second["jobs"][0]), "--json").out)
    drifts = told["batched"]["drifts"]
    assert {one["program"] for one in drifts} == {"skat-4", "flip.qasm", "toy.toml"}
    assert {one["verdict"] for one in drifts} == {"better"}
    assert all(one["sigmas"] > 3 and one["low"] > 0.3 for one in drifts)
    assert {one["calibration"]["told"] for one in drifts} == {
        "no calibration is recorded of these runs"
    }
    assert any(
        event["detail"].startswith("sparse gained ")
        and " on toy.toml against one run since " in event["detail"]
        for event in told["events"]
    )  # fmt: skip


def line_of_nine(folder, name, error):
    device = {"qubits": 9, "edges": [[n, n + 1] for n in range(8)], "measure": {"error": error},
              "gates": {"cz": {"error": 0.004}, "rz": {}, "sx": {}}}  # fmt: skip
    (folder / name).write_text(json.dumps(device))


def test_a_device_of_ones_own_is_compared_across_its_calibrations(stichwerk, folder):
    case = NIGHTLY.partition("[[score]]")[0] + NIGHTLY[NIGHTLY.index("[[case]]") :]
    programs = case.replace('"toy.toml"', '"flip.qasm"')
    backends = programs.replace('"sparse"', '"aer:my_line.json", "aer:my-line.json"')
    (folder / "nightly.toml").write_text(backends)
    (folder / "flip.qasm").write_text(
        "OPENQASM 3.0; qubit q; bit c; U(pi, 0, pi) q; c = measure q;"
    )
    line_of_nine(folder, "my_line.json", 0.01)
    line_of_nine(folder, "my-line.json", 0.3)  # its name differs by a wildcard of LIKE
    done(folder, begun(stichwerk, "--run", "monday")["jobs"][0])
    line_of_nine(folder, "my_line.json", 0.2)
    (second,) = begun(stichwerk, "--run", "tuesday")["jobs"]
    done(folder, second)
    followed = stichwerk("job", str(second), "--watch", "--json")
    (drift,) = json.loads(followed.out)["batched"]["drifts"]
    assert "Changes" in stichwerk("result", str(second)).out
    assert drift["told"].startswith("aer:device:my_line lost 0.")
    assert (drift["verdict"], drift["runs"]) == ("worse", 1)
    readout = drift["calibration"]["changed"]
    assert (readout["what"], readout["before"], readout["now"]) == ("readout", 0.01, 0.2)
    (place,) = readout["on"]
    assert drift["told"].endswith(f", calibration of qubit {place}: readout error 0.01 → 0.2")
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        newest, _ = labelled_runs(session)
        family, calibration = change_metrics(session, newest)
    # Both calibrations of a device are one series, which has got worse, and the metrics say why.
    backends = [labels[-1] for labels, _ in newest]
    assert sorted(backends) == ["aer:device:my-line", "aer:device:my_line"]
    assert {labels[1] for labels, _ in newest} == {"device:my-line", "device:my_line"}
    bounds = {s.labels["bound"]: s.value for s in family.samples
              if s.labels["backend"] == "aer:device:my_line"}  # fmt: skip
    assert bounds["high"] < 0
    (grown,) = calibration.samples
    assert (grown.labels["backend"], grown.labels["place"]) == (
        "aer:device:my_line",
        f"qubit {place}",
    )
    assert grown.value == pytest.approx(0.19)
    assert "done: 2 jobs; aer:device:my_line lost 0." in followed.err


def test_a_run_shows_its_jobs_and_lists_count_it_once(stichwerk, folder):
    (job_id,) = begun(stichwerk, "--run", "now")["jobs"]
    engine = done(folder, job_id)

    def listed(*options):
        return json.loads(stichwerk("jobs", "--json", *options).out)["jobs"]

    (only,) = listed()
    assert (only["id"], only["rounds_done"], only["rounds_begun"]) == (job_id, 3, 3)
    parts = listed("--parent", str(job_id))
    assert {one["program"] for one in parts} == {"skat-4", "flip.qasm", "toy.toml"}
    assert [one["id"] for one in listed("--parent", str(job_id), "--limit", "1")] == [
        parts[0]["id"]
    ]
    assert listed("--parent", str(parts[0]["id"])) == []
    assert " 3/3 " in stichwerk("jobs").out
    shown = stichwerk("job", str(job_id)).out
    assert all(one["program"] in shown for one in parts)
    # Their circuits are told like those of any other job.
    with Session(engine) as session:
        told = {one.configuration.program for one in newest_compilations(session, 9)[0]}
    assert told == {"skat-4", "flip.qasm", "toy.toml"}
