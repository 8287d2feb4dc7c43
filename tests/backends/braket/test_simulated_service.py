"""What the simulated Braket refuses of circuits that measure on the way, as the real one would."""

import pytest

from backends import BackendError, CircuitJob, backend_from_spec
from tests.backends.braket.garnet import job, native, steered
from tests.backends.braket.simulated import KEY, tasks


def sent(box: list[str], outside: str = "b[0] = measure $2;") -> str:
    return "\n".join(["OPENQASM 3.0;", "bit[1] b;", "#pragma braket verbatim", "box {", *box,
                      "}", outside, ""])  # fmt: skip


MEASURED = "measure_ff(0) $1;"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (sent([MEASURED, "measure_ff(0) $2;"]), "feedback key 0 is used twice"),
        (sent(["cc_prx(1.0, 0.0, 0) $2;", MEASURED]), "feedback key 0 is used before"),
        (
            sent([MEASURED, "measure_ff(1) $4;", "cc_prx(1.0, 0.0, 0) $2;",
                  "cc_prx(1.0, 0.0, 1) $2;"]),
            "qubit 2 is controlled by more than one qubit",
        ),
        (sent([MEASURED, "cc_prx(1.0, 0.0, 0) $8;"]), "qubit 8 is controlled from another group"),
        (sent([], f"{MEASURED}\nb[0] = measure $2;"), "'measure_ff' must be in a verbatim box"),
        (sent([MEASURED, "cc_prx(1.0, 0) $2;"]), "has wrong arguments"),
        (sent([MEASURED, "cc_prx(a, 0.0, 0) $2;"]), "has wrong arguments"),
        (sent(["measure_ff(0.5) $2;"]), "has wrong arguments"),
        (sent([MEASURED, "if (b[0] == 1) { prx(1.0, 0.0) $2; }"]), "cannot read 'if"),
        (sent(["reset $1;"]), "cannot read 'reset"),
        (sent(["b[0] = measure $1;", "prx(1.0, 0.0) $1;"]), "cannot read"),
    ],
)  # fmt: skip
def test_the_simulated_braket_refuses_what_the_guide_excludes(
    server, garnet, monkeypatch, source, message
):
    monkeypatch.setattr("backends.braket.devices.feed_forward_source", lambda *_: source)
    with pytest.raises(BackendError, match=f"ValidationException: .*{message}"):
        garnet.submit(job(native(steered())), KEY)
    assert tasks(server) == []


def test_sv1_is_sent_no_program_that_measures_on_the_way(server):
    sv1 = backend_from_spec("braket:sv1")
    with pytest.raises(BackendError, match="Amazon Braket takes final measurements only"):
        sv1.submit(CircuitJob(native(steered()), "all", 10, seed=1), KEY)
    assert tasks(server) == []
