"""Kubernetes takes what the chart renders."""

import re
from functools import cache

import helm_python
import kubernetes_validate
import pytest
import yaml
from kubernetes_validate import utils

from tests.helm.chart import (
    CHART,
    EXAMPLES,
    RELEASE,
    ROOT,
    chart,
    default_values,
    example,
    get,
    of_kind,
    resources,
    texts,
)
from workers.campaigns.file import campaign_from_toml

VERSIONS = ("1.25", "1.37")


CUSTOM = {"ServiceMonitor", "PodMonitor", "PrometheusRule", "ScaledObject"}


@pytest.fixture(autouse=True)
def _schemas_are_read_once(monkeypatch):
    monkeypatch.setattr(utils, "schema_contents", cache(utils.schema_contents))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_object_is_valid(name):
    found = resources(example(name))
    assert len({(one["kind"], one["metadata"]["name"]) for one in found}) == len(found)
    for one in found:
        if one["kind"] not in CUSTOM:
            for version in VERSIONS:
                kubernetes_validate.validate(one, version, strict=True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_helm_finds_nothing_to_complain_of(name):
    report = helm_python.lint(CHART, example(name), strict=True)
    assert report["errors"] == []
    assert {message["error"] for message in report["messages"]} <= {"icon is recommended"}


def test_the_oldest_kubernetes_is_the_oldest_that_is_tried():
    assert chart().metadata["kubeVersion"] == f">={VERSIONS[0]}.0-0"


def test_the_version_is_that_of_the_project():
    project = (ROOT / "pyproject.toml").read_text()
    assert f'\nversion = "{chart().metadata["appVersion"]}"\n' in project


def test_a_package_holds_the_rules_and_dashboards_themselves(tmp_path):
    archive = helm_python.package(CHART, destination=tmp_path)
    with helm_python.Chart.load(archive) as packed:
        held = {file["name"]: file["data"] for file in packed.files}
    sources = {
        f"{folder}/{path.name}": path.read_text()
        for folder, pattern in (("rules", "*.yml"), ("dashboards", "*.json"))
        for path in (CHART / folder).glob(pattern)
    }
    assert {name.partition("/")[0] for name in sources} == {"rules", "dashboards"}
    assert {name: held.get(name) for name in sources} == sources
    assert not any(name.startswith("ci/") for name in held)


def test_the_rules_are_those_of_the_dashboards():
    (rule,) = of_kind(resources(example("autoscaling")), "PrometheusRule").values()
    groups = rule["spec"]["groups"]
    expected = [
        group
        for path in sorted((ROOT / "dashboards" / "rules").glob("*.yml"))
        for group in yaml.safe_load(path.read_text())["groups"]
    ]
    assert groups == expected
    assert groups


def test_each_dashboard_is_a_labelled_config_map():
    maps = of_kind(resources(example("autoscaling")), "ConfigMap").values()
    found = [one for one in maps if not one["metadata"]["name"].endswith("-campaigns")]
    held = {name: text for one in found for name, text in one["data"].items()}
    assert held == {path.name: path.read_text() for path in (CHART / "dashboards").glob("*.json")}
    assert held
    for one in found:
        assert one["metadata"]["labels"]["grafana_dashboard"] == "1"
        # etcd takes no larger objects.
        assert sum(map(len, one["data"].values())) < 1_000_000


def test_a_pod_looks_for_each_campaign():
    found = resources(example("autoscaling"))
    (one,) = of_kind(found, "CronJob").values()
    assert one["spec"]["concurrencyPolicy"] == "Forbid"
    (container,) = one["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["campaign", "/etc/campaigns/nightly.toml"]
    assert {mount["name"] for mount in container["volumeMounts"]} >= {"tmp", "campaigns"}
    held = of_kind(found, "ConfigMap")[f"{RELEASE}-stichwerk-campaigns"]["data"]
    assert campaign_from_toml(held["nightly.toml"], "nightly.toml", _unread).name == "nightly"
    assert of_kind(resources({}), "CronJob") == {}


def _unread(name, expected):
    raise AssertionError(name)


PAGE = (ROOT / "docs" / "kubernetes.md").read_text()


def test_values_are_named_as_they_are():
    known = default_values()
    settings = chart().schema["properties"]["settings"]["properties"]
    named = set(re.findall(r"`([a-z][A-Za-z]*(?:\.[A-Za-z]+)+)(?:=[^`]*)?`", PAGE))
    values = {name for name in named if name.partition(".")[0] in known}
    assert len(values) > 10
    for name in values:
        head, _, rest = name.partition(".")
        assert rest in settings if head == "settings" else get(known, name.split(".")) is not None


def test_the_example_of_groups_is_taken():
    (example,) = re.findall(r"```yaml\n(workers:.*?)```", PAGE, re.S)
    rendered = texts(yaml.safe_load(example))
    assert (
        "try-stichwerk-worker-scoring" in rendered["stichwerk/templates/workers/deployments.yaml"]
    )
