"""`python -m benchmarks.ending`: how long after SIGTERM anything of `stichwerk up` is alive.

Redis, the API with the processes that read programs, both workers with theirs and their sweepers,
and both simulated providers run, and are idle, when it is told to stop.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.servers.process import free_port
from tests.service.cli.servers.started import MARK, free_ports, marked

LOOK_SECONDS = 0.01
SETTLE_SECONDS = 3.0
"""In which processes that are started last become idle, too."""
LOGS = ("compile.log", "submit.log")


def seconds_to_end(folder: Path) -> float:
    """Start everything, wait until it is idle, and return how long it lives when told to stop."""
    port = free_ports(3)
    variables = os.environ | {
        "STICHWERK_REDIS": f"redis://127.0.0.1:{free_port()}/0",
        "STICHWERK_DATABASE": str(folder / "records.sqlite"),
        MARK: str(folder),
    }
    command = [sys.executable, "-m", "service", "up", "--port", str(port), "--simulate-providers"]
    log = folder / "up.log"
    with log.open("wb") as out:
        up = subprocess.Popen(command, cwd=folder, env=variables, stderr=out)
    while not _ready(folder, log):
        if up.poll() is not None:
            raise SystemExit(log.read_text())
        time.sleep(0.2)
    time.sleep(SETTLE_SECONDS)
    before = time.monotonic()
    up.send_signal(signal.SIGTERM)
    while up.poll() is None or marked(str(folder)):
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - before


def _ready(folder: Path, log: Path) -> bool:
    logs = [folder / ".stichwerk" / name for name in LOGS]
    return b"ready: " in log.read_bytes() and all(b" ready." in one.read_bytes() for one in logs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ending")
    parser.add_argument("--times", type=int, default=10, help="how often it is started and stopped")
    found = []
    for _ in range(parser.parse_args().times):
        with TemporaryDirectory() as folder:
            found.append(seconds_to_end(Path(folder)))
        print(f"{found[-1]:.2f} s, with a load of {os.getloadavg()[0]:.1f}", flush=True)
    print(f"median {median(found):.2f} s, {min(found):.2f} s to {max(found):.2f} s")


if __name__ == "__main__":
    main()
