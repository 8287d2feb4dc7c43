"""The rules as promtool plays them, and that no rule is left out of the play."""

import re
import shutil
import subprocess

import pytest
import yaml

from dashboards.declared import POSTGRES_PLUGIN
from tests.dashboards.boards import BOARDS
from tests.dashboards.rule_files import CASES, ROOT, RULES, alerts, cases, rules
from tests.servers.fixtures import present
from tests.servers.prometheus import prometheus_program

ANNOTATIONS = {"summary", "description", "runbook"}


SEVERITIES = {"critical", "warning"}


@pytest.fixture(scope="module")
def promtool():
    """Return a function that runs promtool."""
    program = present(lambda: prometheus_program("promtool"))

    def run(*words):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    return run


def test_promtool_accepts_the_rules(promtool):
    promtool("check", "rules", "--lint-fatal", *map(str, RULES))


def test_every_case_ends_as_it_says(promtool):
    promtool("test", "rules", *map(str, CASES))


def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_is_quiet():
    played = [test for case in cases() for test in case.get("alert_rule_test", ())]
    firing = {test["alertname"] for test in played if test.get("exp_alerts")}
    quiet = {test["alertname"] for test in played if not test.get("exp_alerts")}
    names = {alert.name for alert in alerts()}
    assert firing == names
    assert quiet == names


def test_every_recorded_series_has_a_case_with_values_and_one_without():
    played = [test for case in cases() for test in case.get("promql_expr_test", ())]
    recorded = {rule.name for rule in rules() if rule.kind == "record"}

    def named(test):
        return test["expr"].partition("{")[0]

    assert {named(test) for test in played if test["exp_samples"]} == recorded
    assert {named(test) for test in played if not test["exp_samples"]} == recorded


def test_names_are_given_once():
    names = [rule.name for rule in rules()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert.name)
def test_an_alert_says_what_is_wrong_and_where_to_read_on(alert):
    assert re.fullmatch(r"Stichwerk([A-Z][a-z]+)+", alert.name)
    assert set(alert.fields["annotations"]) == ANNOTATIONS
    assert alert.fields["labels"]["severity"] in SEVERITIES
    page, _, heading = alert.fields["annotations"]["runbook"].partition("#")
    text = (ROOT / page).read_text()
    assert heading == alert.name.lower()
    assert f"### {alert.name}\n" in text
    waits = alert.fields.get("for", "at once")
    severity = alert.fields["labels"]["severity"]
    assert f"| [{alert.name}](#{heading}) | {severity} | {waits} |" in text


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
        r"^\| `(STICHWERK_\w+)` \|", (ROOT / "docs/dashboards-setup.md").read_text(), re.M
    )
    assert used == set(documented)


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
