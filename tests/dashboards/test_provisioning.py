"""Files by which a Grafana and a Prometheus find everything."""

import re
import shutil
import subprocess

import yaml

from dashboards.queries import POSTGRES_PLUGIN
from tests.dashboards.boards import BOARDS
from tests.dashboards.rule_files import ROOT, RULES
from tests.servers.fixtures import present
from tests.servers.prometheus import prometheus_program

FOLDER = ROOT / "dashboards" / "provisioning"
SOURCES = FOLDER / "datasources" / "stichwerk.yml"
PROVIDERS = FOLDER / "dashboards" / "stichwerk.yml"


def test_there_is_a_data_source_of_every_type_that_dashboards_let_choose():
    provided = {source["type"] for source in yaml.safe_load(SOURCES.read_text())["datasources"]}
    chosen = {
        variable["query"]
        for board in BOARDS.values()
        for variable in board["templating"]["list"]
        if variable["type"] == "datasource"
    }
    assert provided == chosen == {"prometheus", POSTGRES_PLUGIN}


def test_every_variable_of_the_environment_is_documented():
    used = set()
    for path in (SOURCES, PROVIDERS):
        used |= set(re.findall(r"\$\{(\w+)\}", path.read_text()))
    documented = re.findall(
        r"^\| `(STICHWERK_\w+)` \|", (ROOT / "docs/dashboards.md").read_text(), re.M
    )
    assert used == set(documented)


def test_dashboards_are_loaded_from_a_folder_and_changed_in_code_only():
    (provider,) = yaml.safe_load(PROVIDERS.read_text())["providers"]
    assert provider["type"] == "file"
    assert provider["allowUiUpdates"] is False


def test_promtool_accepts_the_example_and_its_rules(tmp_path):
    promtool = present(lambda: prometheus_program("promtool"))
    shutil.copytree(ROOT / "dashboards" / "rules", tmp_path / "rules")
    example = tmp_path / "provisioning" / "prometheus.yml"
    example.parent.mkdir()
    shutil.copy(FOLDER / "prometheus.yml", example)
    (example.parent / "metrics.token").write_text("token")
    done = subprocess.run(
        [promtool, "check", "config", "--lint-fatal", str(example)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("rules found") == len(RULES)
