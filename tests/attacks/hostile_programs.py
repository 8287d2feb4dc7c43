"""Programs that are small to send and large to read, and many of them: others go on submitting."""

import json
import statistics
import threading
from collections.abc import Iterator
from time import monotonic

import httpx2

from .attack import Siege, attack
from .serving import Api, api

HEAD = 'OPENQASM 3.0; include "stdgates.inc";\n'
MANY = 40
ASKERS = 3
SAMPLES = 5
BAR = 3.0
PRECISION_SECONDS = 1.0
"""A sample that is shorter tells nothing about who held whom up."""


def programs() -> dict[str, str]:
    """Return hostile programs by what is wrong with them."""
    wide = ", ".join(f"q[{i}]" for i in range(MANY))
    end = " c = measure q[0];"
    many = f"qubit[{MANY}] q; bit c; "
    return {
        "chained controls": HEAD + many + "ctrl @ " * (MANY - 1) + f"x {wide};" + end,
        "power of a product": HEAD + many + "pow(1000 * 1000) @ x q[0];" + end,
        "nested powers": HEAD + many + "pow(1000) @ " * 4 + "x q[0];" + end,
        "a root of a wide gate": HEAD + many + f"pow(0.5) @ ctrl({MANY - 1}) @ x {wide};" + end,
        "signs": HEAD + many + "rx(" + "-" * 5000 + "1) q[0];" + end,
        "physical qubits": HEAD + "bit c; h $0; h $99999999; c = measure $0;",
        "shadowed names": HEAD + "gate h a { x a; } " + many + "h q;" + end,
        "a huge register": HEAD + "qubit[999999999] q; bit c; h q;" + end,
        "parentheses": HEAD + many + "rx(" + "(" * 5000 + "1" + ")" * 5000 + ") q[0];" + end,
        "tiny registers": HEAD + "".join(f"bit c{i};" for i in range(9000)) + many + "h q;" + end,
        "bits": HEAD + "".join(f"bit[10000] c{i};" for i in range(90)) + many + "h q;" + end,
        "broadcasts": HEAD + "qubit[500] q; bit c; " + "h q; " * 3000 + end,
        "slices": HEAD + "qubit[500] q; bit c; " + "h q[0:499]; " * 3000 + end,
        "parameters": HEAD + "gate g(" + "p," * 900 + "p) a { } " + many + "h q;" + end,
        "nested definitions": HEAD + "gate g0 a { x a; }"
        + "".join(f"gate g{i} a {{ g{i - 1} a; }}" for i in range(1, 900))
        + many + "g899 q[0];" + end,
        "barriers": HEAD + "qubit[500] q; bit c; " + "barrier q; " * 9000 + "h q;" + end,
    }  # fmt: skip


@attack("slow-programs", "programs that are slow to read, from one token, beside another's")
def slow_programs(siege: Siege) -> Iterator[str]:
    """Submit slow programs all the time, and measure what another token's submission takes."""
    with api(siege) as here:
        _submitted(here, _light(0), 1)
        alone = [_submitted(here, _light(n), 1) for n in range(1, SAMPLES)]
        end = threading.Event()
        crowd = [threading.Thread(target=_flood, args=(here, siege, end, n)) for n in range(ASKERS)]
        for thread in crowd:
            thread.start()
        beside = [_submitted(here, _light(n), 1) for n in range(SAMPLES, 2 * SAMPLES)]
        end.set()
        for thread in crowd:
            thread.join()
        usual, met = statistics.median(alone), statistics.median(beside)
        siege.tried[f"{usual:.2f} s alone, {met:.2f} s beside"] += 1
        if met > max(BAR * usual, PRECISION_SECONDS):
            yield f"{met:.1f} s beside slow programs, {usual:.1f} s alone"


@attack("hostile-programs", "programs that are small to send and large to read or to compile")
def hostile_programs(siege: Siege) -> Iterator[str]:
    """Submit each program, which must be refused."""
    with api(siege) as here:
        for name, text in programs().items():
            if siege.over():
                return
            file = {"name": "a.qasm", "content": text}
            asked = {"file": file, "backend": "sparse", "method": "fast", "shots": 1}
            answer = here.post(json.dumps(asked).encode())
            siege.tried[str(answer.status_code)] += 1
            if answer.status_code != 422:
                yield f"{name}: {answer.status_code} {answer.text[:80]}"


def _light(number: int) -> dict[str, str]:
    return {"name": "a.qasm", "content": f"{HEAD}qubit q; bit c; rx({number}.5) q; c = measure q;"}


def _submitted(here: Api, file: dict[str, str], token: int) -> float:
    """Return the seconds that a submission took."""
    began = monotonic()
    asked = {"file": file, "backend": "sparse", "method": "fast", "shots": 1}
    here.post(json.dumps(asked).encode(), token)
    return monotonic() - began


def _flood(here: Api, siege: Siege, end: threading.Event, place: int) -> None:
    number = 0
    while not end.is_set():
        number += 1
        # Within all bounds on texts, so that a process reads it for seconds before it is refused.
        text = f"{HEAD}// {place} {number}\nqubit[40] q; bit c; {'h q; ' * 400} unknown q[0];"
        try:
            _submitted(here, {"name": "a.qasm", "content": text}, 0)
        except httpx2.HTTPError:
            continue
        siege.tried["slow programs"] += 1
