"""The process that reads strangers' programs, and what becomes of it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from signal import SIGSTOP

import pytest
from attrs import evolve

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.expectation import expectation_of
from compiler.measurement import registers_of
from games.sources import Source
from tests.servers.process import wait_until
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.request import Submission
from workers.jobs.submission import checked
from workers.settings import Settings
from workers.untrusted_programs import inspector as inspector_module
from workers.untrusted_programs.inspector import Inspector, Reading, TooHeavyError
from workers.untrusted_programs.tenant_turns import BusyError

LIMITS = Settings(most_qubits=40, most_gates=500, most_bytes=100_000, readers=1)
HEAD_2 = 'OPENQASM 2.0; include "qelib1.inc";\n'
HEAD_3 = 'OPENQASM 3.0; include "stdgates.inc";\n'


@pytest.fixture(scope="module")
def inspector() -> Iterator[Inspector]:
    """An inspector whose child has started."""
    inspector = Inspector(LIMITS)
    inspector.start()
    yield inspector
    inspector.close()


EVEN = expectation_of({"000": 1, "111": 1}, "even").as_bytes()


def order(text: str, name: str = "a.qasm") -> CompileOrder:
    return CompileOrder(Source(name, text.encode()), "", Options("fast"))


@pytest.mark.parametrize("backend", ["sparse", "aer:torino"])
def test_an_order_is_settled_as_in_this_process(
    inspector: Inspector, toy: Source, ghz: Source, backend: str
) -> None:
    for source in (toy, ghz, evolve(ghz, expected=EVEN), Source("skat-4")):
        asked = CompileOrder(source, "", Options("best", seed=3, any_input=True))
        here = checked(Submission(asked, backend, shots=1)).order
        there = inspector.settled(asked, backend)
        assert there == here
        assert there.digest == here.digest


def test_what_counts_stand_for(inspector: Inspector, toy: Source, ghz: Source) -> None:
    whole = Reading(3, {"c": [0, 1, 2]}, None)
    assert inspector.reading(ghz, "none", {"0": 3, "7": 4}) == whole
    expecting = evolve(ghz, expected=EVEN)
    assert inspector.reading(expecting, "none", {"0": 3, "7": 4}) == whole
    program = plan_order(CompileOrder(toy, "all", Options("fast")))[1].program
    assert program.judge is not None
    legal = next(iter(program.judge.exact_distribution()))
    measured = next(
        m for m in range(1 << program.circuit.num_clbits) if program.outcome(m) == legal
    )
    found = inspector.reading(toy, "default", {str(measured): 5})
    circuit = program.circuit
    assert found == Reading(
        circuit.num_clbits, registers_of(circuit), {program.judge.describe(legal): 5}
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD_2 + "qreg q[1]; creg c[1]; rz(1e999) q[0]; measure q -> c;", "has the angle inf"),
        (HEAD_3 + "qubit[2] q; h q[0];", "measures nothing"),
        (HEAD_3 + "qubit[2] q; bit c; while (c) h q[0];", "'while' has no bound"),
        (HEAD_3 + "nonsense", "cannot be read as OpenQASM 3"),
        (HEAD_3 + "qubit[41] q; bit c; h q; c = measure q[0];", "41 qubits; 40 are allowed"),
        (HEAD_3 + "// " + "é" * 50_000, "more than 100000 bytes"),
        (HEAD_3 + "\0", "bytes of zero"),
        ("", "no OPENQASM statement"),
    ],
)
def test_refusals_are_one_line(inspector: Inspector, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        inspector.settled(order(text), "sparse")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) <= 500


def test_a_gate_under_a_standard_name_is_counted_by_what_it_is(inspector: Inspector) -> None:
    gates = ["gate x q { U(0, 0, 0) q; }", "gate y q { " + "x q; " * 30 + "}"]
    text = "OPENQASM 3.0;" + "".join(gates) + "qubit q; bit c; " + "y q; " * 30 + "c = measure q;"
    with pytest.raises(InputError, match="stands for more than 500 gates"):
        inspector.settled(order(text), "sparse")


def test_a_program_that_takes_too_much_memory_is_refused(inspector: Inspector) -> None:
    # A matrix of 2^19 by 2^19.
    wide = ", ".join(f"q[{i}]" for i in range(19))
    text = HEAD_3 + f"qubit[19] q; bit[19] c; pow(1/2) @ ctrl(18) @ x {wide}; c = measure q;"
    with pytest.raises(InputError):
        inspector.settled(order(text), "sparse")
    assert (
        inspector.settled(CompileOrder(Source("skat-4"), "", Options("fast")), "sparse").target
        == "all:17"
    )


def seeded(seed: int) -> CompileOrder:
    """Return an order that no other test has asked for."""
    return CompileOrder(Source("skat-4"), "", Options("fast", seed=seed))


def test_a_program_that_takes_too_long_is_refused_and_the_next_one_is_read(
    inspector: Inspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspector.settled(seeded(91), "sparse")
    (child,) = inspector._children
    process = child._process
    assert process is not None
    process.send_signal(SIGSTOP)
    with monkeypatch.context() as patch:
        patch.setattr(inspector, "_seconds", 0.1)
        with pytest.raises(TooHeavyError):
            inspector.settled(seeded(92), "sparse")
    # Not remembered: it may go better when the machine is less busy.
    assert inspector.settled(seeded(92), "sparse").target == "all:17"
    assert child._process is not process


def test_a_child_that_dies_is_replaced(inspector: Inspector) -> None:
    first = inspector.settled(seeded(93), "sparse")
    (child,) = inspector._children
    process = child._process
    assert process is not None
    process.kill()
    process.wait()
    # The first is remembered, so only the second needs a child.
    assert inspector.settled(seeded(93), "sparse") == first
    assert child._process is process
    assert inspector.settled(seeded(94), "sparse").target == "all:17"
    assert child._process is not process


def test_the_same_program_is_read_once(
    inspector: Inspector, ghz: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    call = inspector._children[0].call
    monkeypatch.setattr(
        inspector._children[0],
        "call",
        lambda *q, **limits: (asked.append(q), call(*q, **limits))[1],
    )
    order_ = CompileOrder(ghz, "", Options("fast", seed=77))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: inspector.settled(order_, "sparse"), range(8)))
    assert len(asked) == 1
    assert all(one == found[0] for one in found)
    wrong = order(HEAD_3 + "nonsense;")
    for _ in range(2):
        with pytest.raises(InputError):
            inspector.settled(wrong, "sparse")
    assert len(asked) == 2


def test_who_waits_for_anothers_reading_takes_a_place(inspector: Inspector) -> None:
    """Else one slow program, sent often enough, would take all threads of the server."""
    source = Source("skat-4")
    order_ = CompileOrder(source, "", Options("fast", seed=79))
    with inspector._turns.turn(1), ThreadPoolExecutor(inspector_module.MAX_WAITING) as pool:
        asked = [
            pool.submit(inspector.settled, order_, "sparse", 7)
            for _ in range(inspector_module.MAX_WAITING)
        ]
        assert wait_until(
            lambda: sum(one.done() for one in asked) == inspector_module.MAX_WAITING // 2, 60
        )
        assert all(isinstance(one.exception(), BusyError) for one in asked if one.done())
        inspector._turns._free += 1
        with inspector._turns._lock:
            inspector._turns._grant()
        assert sum(one.exception() is None for one in asked) == inspector_module.MAX_WAITING // 2
        inspector._turns._free -= 1
