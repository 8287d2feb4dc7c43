"""`python -m benchmarks.load`: the service under load; exit 1 if it lost or missed anything."""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from attrs import asdict, fields

from tests.servers.redis import redis_program
from workers.provenance import revision, versions

from .figures import Load, Measured
from .jobs import alone, beside, submissions, work
from .records import lists, metrics, sweeps
from .service import DATABASES, Service, service


def main() -> int:
    """Measure with each database."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    for field in fields(Load):
        flag = f"--{field.name.replace('_', '-')}"
        parser.add_argument(flag, type=type(field.default), default=field.default)
    parser.add_argument("--database", action="append", choices=DATABASES)
    parser.add_argument("--json", action="store_true", help="report as JSON")
    options = vars(parser.parse_args())
    as_json, databases = options.pop("json"), options.pop("database") or DATABASES
    load = Load(**options)
    results: list[Measured] = []
    for kind in databases:
        began = perf_counter()
        with service(kind, processes=len(os.sched_getaffinity(0))) as running:
            results.append(measured(running, load))
        _say(f"{kind} took {perf_counter() - began:.0f} s")
    if as_json:
        print(
            json.dumps(
                {"machine": machine(), "measured": [asdict(result) for result in results]}, indent=1
            )
        )
    else:
        print("\n".join(_lines(results)))
    return 1 if any(result.problems or result.slow for result in results) else 0


def measured(running: Service, load: Load) -> Measured:
    """Measure a service whose worker has not been started, part by part."""
    result = Measured(running.database)
    for part in (submissions, work, alone, beside, lists, metrics, sweeps):
        part(running, load, result)
        _say(f"{running.database}: {part.__name__} done")
    return result


def machine() -> dict[str, str]:
    """Return the settings that figures depend on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    redis = subprocess.run(
        [redis_program(), "--version"], capture_output=True, text=True, check=True
    ).stdout.split()
    return {
        "processor": model,
        "cores": str(len(os.sched_getaffinity(0))),
        "system": platform.platform(),
        "python": platform.python_version(),
        "redis": next(word[2:] for word in redis if word.startswith("v=")),
        "stichwerk": f"{versions()['stichwerk']} {revision() or ''}".strip(),
    }


def _lines(results: list[Measured]) -> list[str]:
    lines = [f"{name}: {value}" for name, value in machine().items()]
    for result in results:
        lines += ["", result.database]
        lines += [f"  {name}: {value:.4g}" for name, value in result.figures.items()]
        lines += [f"  FAILED: {problem}" for problem in (*result.problems, *result.slow)]
    return lines


def _say(line: str) -> None:
    print(f"load: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
