"""The environment of processes that read, compile or simulate other people's circuits.

They need no account of a provider, no database and no broker, so they get the variables below and
no others. The kernel shows the environment that a process was started with in `/proc`, also to
other processes of the same user, even after the process has changed its variables; so that memory
is overwritten, too.
"""

import ctypes
import os
import re
from pathlib import Path

from workers.logs import ADDRESS_NAMES, SECRET_NAMES

ALLOWED = re.compile(
    "|".join(
        (
            # The system: places, language, time.
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_[A-Z]+", "TZ",
            "TMPDIR", "TEMP", "TMP", "TERM", "NO_COLOR", "XDG_CACHE_HOME",
            "LD_LIBRARY_PATH", "LD_PRELOAD", "VIRTUAL_ENV", "PYTHON[A-Z]+", "MPLCONFIGDIR",
            # Arithmetic: threads, kinds of processors, kept machine code.
            "(OMP|OPENBLAS|MKL|BLIS|NUMEXPR|NUMBA|NPY|RAYON|MALLOC|GLIBC|CUDA|NVIDIA)_[A-Z0-9_]+",
            "QISKIT_(PARALLEL|IN_PARALLEL|NUM_PROCS|SETTINGS|SABRE_ALL_THREADS)",
            # Switches that keep libraries from reporting their use.
            "QDK_PYTHON_TELEMETRY", "USAGE_DATA_OPT_OUT",
            # Ours.
            "STICHWERK_[A-Z_]+",
        )
    )
)  # fmt: skip
"""Names that are passed on, unless they are among `ADDRESS_NAMES` or look like a secret."""

ENV_START, ENV_END = 50, 51
"""Fields of /proc/self/stat, from 1: addresses between which the first environment lies."""


def child_environment() -> dict[str, str]:
    """Return those variables of this process that its children get."""
    return {name: value for name, value in os.environ.items() if _is_passed_on(name)}


def hide_environment() -> None:
    """Keep all variables, but show in `/proc` those alone that children get.

    No other thread may run: the C library's variables are replaced.
    """
    variables = dict(os.environ)
    shown = [os.fsencode(f"{name}={value}\0") for name, value in child_environment().items()]
    # The variables are copied to the heap, so that nothing points to the overwritten memory.
    os.environ.clear()
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = (int(fields[field - 3]) for field in (ENV_START, ENV_END))
        if 0 < start < end:
            block = b"".join(shown)[: end - start]
            ctypes.memset(start, 0, end - start)
            ctypes.memmove(start, block, len(block))
    except OSError:
        # Without /proc nothing is shown there.
        pass
    finally:
        os.environ.update(variables)


def _is_passed_on(name: str) -> bool:
    if name in ADDRESS_NAMES or SECRET_NAMES.search(name):
        return False
    return ALLOWED.fullmatch(name) is not None
