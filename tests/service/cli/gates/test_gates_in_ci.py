"""What runs the gate elsewhere: GitHub's workflows, the action, pre-commit, and this suite."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from service.cli.front.application import all_commands

ROOT = Path(__file__).parents[4]
ACTION = ROOT / ".github/actions/gates/action.yml"
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-hooks.yaml"
DOCS = ROOT / "docs/gates.md"
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")


def read(path):
    """Return a YAML file's contents."""
    return yaml.safe_load(path.read_text())


def steps():
    """Return the steps of the action and of every workflow."""
    found = list(read(ACTION)["runs"]["steps"])
    for path in WORKFLOWS:
        found += [step for job in read(path)["jobs"].values() for step in job["steps"]]
    return found


def commands(text):
    """Return the words of every call of `stichwerk gates` in a text."""
    joined = text.replace("\\\n", " ")
    return [
        shlex.split(line, comments=True)
        for line in re.findall(r"(?<=stichwerk gates )[^\n`'|>{}]+", joined.replace('"', ""))
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read_and_end_in_time(path):
    workflow = read(path)
    # YAML 1.1 takes `on` for true.
    assert set(workflow[True]) == {"pull_request", "push"}
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_actions_of_others_are_pinned_to_a_commit():
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used
    for name in used:
        assert PINNED.fullmatch(name) or (ROOT / name / "action.yml").is_file(), name


def test_the_hook_is_one_that_pre_commit_takes():
    (hook,) = read(HOOKS)
    assert {"id", "name", "entry", "language"} <= hook.keys()
    assert hook["pass_filenames"] is False
    for name in ("gates.toml", "circuits/gate_counts.json", "circuits/a.qasm", "b.qpy", "my.toml"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "README.md")


def test_every_call_is_one_that_the_command_line_knows():
    declared = all_commands()
    texts = [step["run"] for step in steps() if "run" in step]
    texts += [read(HOOKS)[0]["entry"], DOCS.read_text()]
    calls = [call for text in texts for call in commands(text)]
    assert len(calls) >= 6
    for command, *words in calls:
        known = {name for option in declared[f"gates {command}"].params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= known | {"--help"}


@pytest.mark.full
def test_the_actions_script_fails_when_the_gate_does(tmp_path):
    (tmp_path / "ghz.qasm").write_bytes((ROOT / "examples/ghz.qasm").read_bytes())
    (tmp_path / "my.toml").write_text('programs = ["ghz.qasm"]\nmethods = ["fast"]\n')
    home = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    options = ("--suite", "my.toml", "--baseline", "my.json")
    subprocess.run(
        [sys.executable, "-m", "service", "gates", "update", *options],
        cwd=tmp_path,
        env=os.environ | home,
        check=True,
    )
    baseline = json.loads((tmp_path / "my.json").read_text())
    baseline["entries"][0]["two_qubit_gates"] = 1
    (tmp_path / "my.json").write_text(json.dumps(baseline))
    program = tmp_path / "stichwerk/bin/stichwerk"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m service "$@"\n')
    program.chmod(0o755)
    *_, script = read(ACTION)["runs"]["steps"]
    summary = tmp_path / "summary.md"
    environment = {
        **home,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(summary),
        "SUITE": "my.toml",
        "BASELINE": "my.json",
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script["run"]],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    text = summary.read_text()
    assert text.startswith("### Gate counts: worse\n")
    assert "<code>ghz.qasm</code>" in text
    # GHZ on four qubits takes three CX.
    assert "1 → 3" in text
