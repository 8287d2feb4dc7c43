"""What is known of IBM's machines without its SDK, which takes seconds to import."""

import subprocess
import sys

QUESTION = """
import sys
from backends import backend_from_spec
machine = backend_from_spec("ibm:torino")
assert machine.default_target() == "heavy-hex:torino"
assert machine.least_cost_usd(1000) > 0
assert machine.supports()
print("qiskit_ibm_runtime" in sys.modules)
from backends.ibm import connection
print("qiskit_ibm_runtime" in sys.modules)
"""


def test_nobody_waits_for_the_sdk_who_asks_ibm_nothing():
    done = subprocess.run(
        [sys.executable, "-c", QUESTION], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]
