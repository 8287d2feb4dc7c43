"""Programs that are slow to read, and many of them: others go on submitting."""

import json
import statistics
import threading
from collections.abc import Iterator
from time import monotonic

import httpx2

from .attack import Siege, attack
from .serving import Api, api

HEAD = 'OPENQASM 3.0; include "stdgates.inc";\n'
ASKERS = 3
SAMPLES = 5
BAR = 3.0
PRECISION_SECONDS = 1.0
"""A sample that is shorter tells nothing about who held whom up."""


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
