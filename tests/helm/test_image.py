"""The Dockerfile, as far as it can be looked at without an engine."""

import re
import subprocess
from fnmatch import fnmatch

import pytest

from tests.helm.chart import ROOT, containers, pods, resources
from workers.provenance import revision

TEXT = (ROOT / "Dockerfile").read_text()
STEPS = [
    step
    for line in re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", TEXT)).splitlines()
    if (step := line.strip())
]
FINAL = STEPS[max(i for i, step in enumerate(STEPS) if step.startswith("FROM")) :]
RULES = (ROOT / ".dockerignore").read_text().splitlines()


def included(path):
    """Tell whether a file of the tree is sent to the engine; the last rule that fits decides."""
    taken = True
    for rule in RULES:
        if not rule or rule.startswith("#"):
            continue
        pattern = rule.removeprefix("!")
        parts = path.split("/")
        heads = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        names = parts if pattern.startswith("**/") else heads
        if any(fnmatch(name, pattern.removeprefix("**/")) for name in names):
            taken = rule.startswith("!")
    return taken


def variables(steps):
    """Return what ENV sets."""
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(s for s in steps if s.startswith("ENV"))))


def test_every_base_is_pinned():
    (image,) = re.findall(r"^ARG PYTHON_IMAGE=(\S+)$", TEXT, re.M)
    assert re.fullmatch(r"python:3\.11\.\d+-slim-bookworm", image)
    assert {step for step in STEPS if step.startswith("FROM")} == {
        "FROM ${PYTHON_IMAGE} AS build",
        "FROM ${PYTHON_IMAGE}",
    }


def test_it_runs_as_the_user_of_the_chart():
    pod = pods(resources({}))["try-stichwerk-api"]
    user = pod["spec"]["securityContext"]
    assert f"USER {user['runAsUser']}:{user['runAsGroup']}" in FINAL
    (cache,) = (c for c in containers(pod) if c["name"] == "searches")
    assert variables(FINAL)["NUMBA_CACHE_DIR"] == cache["command"][2]


def test_caches_are_compiled_for_the_processor_that_they_are_used_on():
    built, used = variables(STEPS[: -len(FINAL)]), variables(FINAL)
    for name in ("NUMBA_CACHE_DIR", "NUMBA_CPU_NAME"):
        assert built[name] == used[name]


def test_records_say_which_revision_the_image_was_built_of(monkeypatch):
    assert "ARG REVISION=" in FINAL
    assert variables(FINAL)["STICHWERK_REVISION"] == "${REVISION}"
    monkeypatch.setenv("STICHWERK_REVISION", "b" * 40)
    assert revision.__wrapped__() == "b" * 40


def test_the_context_is_what_is_copied_and_nothing_else():
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    sent = {path.partition("/")[0] for path in tracked if included(path)}
    copied = {
        word
        for step in STEPS
        if step.startswith("COPY") and "--from" not in step
        for word in step.split()[1:-1]
    }
    assert sent == copied


@pytest.mark.parametrize(
    "path",
    [
        ".git/config", ".env", ".stichwerk/metrics.token", "stichwerk.sqlite", "service/.env",
        "workers/__pycache__/x.pyc", "tests/conftest.py", "report.html",
    ],
)  # fmt: skip
def test_secrets_and_records_stay_outside(path):
    assert not included(path)
