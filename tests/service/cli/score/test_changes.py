"""What became of a machine's score since its run before: said, and only where it is certain."""

from service.cli.score.changes import score_changes
from workers.score.document import ScoreFile
from workers.score.parts import ScoredPart


def run(name, score, *, backend="ibm:torino", suite="v1", half=0.008, complete=True, digests="ab"):
    parts = [
        ScoredPart.model_construct(
            outcome="completed" if digest != "-" else "unsupported", native_digest=digest
        )
        for digest in digests
    ]
    return ScoreFile.model_construct(
        backend=backend, suite=suite, run=name, complete=complete, score=score, low=score - half,
        high=score + half, parts=parts,
    )  # fmt: skip


def told(*scores):
    return [one.result.told for one in score_changes(scores)]


def test_a_loss_and_a_gain_are_said_with_their_intervals():
    assert told(run("monday", 0.70), run("tuesday", 0.60)) == [
        "ibm:torino lost 0.100 (0.089 to 0.111) since run monday, same circuits"
    ]
    assert told(run("monday", 0.60), run("tuesday", 0.70, digests="ax")) == [
        "ibm:torino gained 0.100 (0.089 to 0.111) since run monday, "
        "1 of 2 circuits compiled otherwise"
    ]


def test_what_shots_alone_could_do_is_no_change():
    (change,) = score_changes([run("a", 0.700), run("b", 0.705, digests="a-")])
    assert change.result.verdict == "unclear"
    assert change.result.told == (
        "ibm:torino: no significant change since run a: +0.005 [−0.006, +0.016], same circuits, "
        "1 more was played once only"
    )


def test_only_complete_runs_of_one_machine_and_suite_are_compared():
    assert told(run("a", 0.7), run("b", 0.1, complete=False)) == []
    assert told(run("a", 0.7), run("b", 0.1, backend="ibm:fez")) == []
    assert told(run("a", 0.7), run("b", 0.1, suite="v2")) == []
    (change,) = score_changes([run("a", 0.7), run("b", 0.1, complete=False), run("c", 0.6)])
    assert (change.new.run, change.old.run) == ("c", "a")


def test_a_device_of_ones_own_is_the_same_machine_with_another_calibration():
    first, second = (f"aer:device:ladder:{digit * 12}" for digit in "0a")
    (change,) = score_changes([run("a", 0.7, backend=first), run("b", 0.6, backend=second)])
    assert change.result.machine == "aer:device:ladder"
    assert change.change.verdict == "worse"


def test_of_many_machines_each_interval_is_wider():
    machines = [f"ibm:m{number}" for number in range(20)]
    scores = [run(name, 0.7, backend=one) for one in machines for name in "ab"]
    (alone,) = score_changes(scores[:2])
    together = score_changes(scores)
    assert len(together) == 20
    # 3.023 and 1.960: normal quantiles of 1 - 0.05/40 and of 0.975.
    widths = [change.change.high - change.change.low for change in (together[0], alone)]
    assert abs(widths[0] / widths[1] - 3.0233 / 1.9600) < 1e-3
