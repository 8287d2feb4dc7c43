"""No process that handles other people's circuits sees an account, a database or a broker."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workers.parallel import Pool
from workers.peers.peer import answered
from workers.sandbox.child_environment import child_environment
from workers.sandbox.sandbox import Sandbox, within
from workers.settings import Settings
from workers.untrusted_programs.inspector import Inspector

PLANTED = "planted-secret-4f1c"
SECRETS = (
    "QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE", "QISKIT_IBM_URL", "IBM_QUANTUM_TOKEN", "IAM_URL",
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION",
    "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ENDPOINT_URL_BRAKET",
    "BRAKET_ENDPOINT", "STICHWERK_DATABASE", "STICHWERK_REDIS", "STICHWERK_TOKEN", "PGPASSWORD",
    "REDIS_PASSWORD", "GITHUB_TOKEN", "HTTPS_PROXY", "AN_OPAQUE_NAME",
)  # fmt: skip
PASSED = {"OMP_NUM_THREADS": "1", "STICHWERK_PRICES": "prices-9d2.toml", "QISKIT_PARALLEL": "FALSE"}


@pytest.fixture(autouse=True)
def planted(monkeypatch):
    for name in SECRETS:
        monkeypatch.setenv(name, f"postgresql://user:{PLANTED}@host/{name}")
    for name, value in PASSED.items():
        monkeypatch.setenv(name, value)


def seen() -> str:
    """Return all that a hostile program finds out about its environment."""
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    of_c, place = [], 0
    while environ[place]:
        of_c.append(environ[place])
        place += 1
    child = subprocess.run(["/usr/bin/env"], capture_output=True, check=True).stdout
    first = Path("/proc/self/environ").read_bytes()
    return repr((dict(os.environ), of_c, child, first))


def assert_bare(text: str) -> None:
    assert PLANTED not in text
    assert not [name for name in SECRETS if name in text]
    # What computing needs is there.
    assert [value for value in PASSED.values() if value not in text] == []


def test_a_name_is_passed_on_only_if_it_is_known():
    found = child_environment()
    assert PASSED.items() <= found.items()
    assert {"PATH", "HOME"} <= found.keys()
    assert not found.keys() & set(SECRETS)


def test_a_sandbox_sees_none():
    sandbox = Sandbox()
    try:
        assert_bare(sandbox.call(seen, most_bytes=1 << 28, seconds=300, attend=lambda: None))
    finally:
        sandbox.end()


def test_processes_of_pools_see_none():
    with Pool(2) as pool:
        assert_bare(pool.submit(seen).result())
    assert_bare(within(60, seen))


def test_the_compiler_of_an_environment_of_its_own_sees_none():
    dump = "import os; print(os.environ, open('/proc/self/environ').read())"
    assert_bare(answered((sys.executable, "-c", dump), ""))


def test_the_process_that_reads_programs_sees_none():
    inspector = Inspector(Settings(readers=1))
    inspector.start()
    try:
        assert_bare(inspector._children[0].call(seen, seconds=300))
    finally:
        inspector.close()


HIDING = """
import os
from workers.sandbox.child_environment import hide_environment
hide_environment()
assert os.environ["PGPASSWORD"] == os.popen("echo $PGPASSWORD").read().strip()
print(open("/proc/self/environ").read())
"""


def test_servers_keep_their_environment_but_show_no_secrets():
    done = subprocess.run(
        [sys.executable, "-c", HIDING], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert_bare(done.stdout)


ROOT = Path(__file__).parents[3]
