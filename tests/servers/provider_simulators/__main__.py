"""Play IBM and Amazon Braket on this machine until Ctrl-C, with jobs run on Aer.

    python -m tests.servers.provider_simulators > providers.env

Devices have the errors of gates and readout of their calibration snapshots, SV1 has none. The
variables that lead the SDKs there are written to stdout, for `. ./providers.env` in another shell.
Each server has /audit, which lists the jobs it accepted, and /faults, which takes further rules.
"""

import argparse
import shlex
import sys
import time
from contextlib import suppress

from compiler.errors import InputError
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.playing import simulated_providers


def main() -> int:
    """Serve until interrupted; return 2 if an option is invalid."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.servers.provider_simulators",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--port", action="append", default=[], metavar="PROVIDER=PORT", type=_port)
    add("--queue-seconds", type=float, default=0, help="minimum time of a job in the queue")
    add("--drift", type=float, default=0, help="growth of all errors in a simulated day")
    add("--noiseless", action="store_true", help="devices without noise")
    add("--seed", type=int, default=0, help="of the shots, and of faults by chance")
    add(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT[:OPERATION[:AMOUNT[:SECONDS]]]",
        help="rule of a failure; may be repeated. An amount with a decimal point is a probability, "
        f"without one a number of times. Faults: {', '.join(Fault)}. Operations of all providers: "
        "submit, find, status, result, cancel",
    )
    options = parser.parse_args()
    try:
        serving = simulated_providers(
            queue_seconds=options.queue_seconds,
            drift=options.drift,
            noiseless=options.noiseless,
            faults=options.fault,
            ports=dict(options.port),
            seed=options.seed,
            listener=lambda line: print(line, file=sys.stderr),
        )
        with serving as variables, suppress(KeyboardInterrupt):
            for name, value in variables.items():
                print(f"export {name}={shlex.quote(value)}", flush=True)
            while True:
                time.sleep(3600)
    except InputError as error:
        parser.error(str(error))
    return 0


def _port(text: str) -> tuple[str, int]:
    name, _, port = text.partition("=")
    return name, int(port)


if __name__ == "__main__":
    sys.exit(main())
