"""Objects of the Prometheus operator and of KEDA, by the parts of their schemas that are used."""

import pytest

from tests.helm.chart import containers, example, merged, of_kind, pods, resources
from workers.jobs.states import Queue
from workers.settings import Settings

MAX_WINDOW_SECONDS = 3600
"""Kubernetes refuses longer ones, which no published schema says."""
KEDA = {"workerDefaults": {"autoscaling": {"type": "keda"}}}
EXTERNAL = merged(
    example("external"),
    KEDA,
    {"broker": {"keda": {"address": "redis.example:6380", "passwordKey": "password", "tls": True}}},
)


@pytest.mark.parametrize("values", [KEDA, EXTERNAL])
def test_keda_asks_for_each_queue_of_its_workers(values):
    found = resources(values)
    workers = pods(found)
    asked = []
    for one in of_kind(found, "ScaledObject").values():
        spec = one["spec"]
        worker = containers(workers[spec["scaleTargetRef"]["name"]])[-1]
        assert worker["name"] == spec["scaleTargetRef"]["envSourceContainerName"]
        queues = [trigger["metadata"]["listName"] for trigger in spec["triggers"]]
        assert ",".join(queues) == worker["args"][2]
        asked += queues
        for trigger in spec["triggers"]:
            variables = {variable["name"] for variable in worker["env"]}
            assert trigger["metadata"]["passwordFromEnv"] in variables
    assert sorted(asked) == sorted(Queue)


def test_alerts_find_what_is_scraped_whatever_the_release_is_called():
    found = resources({"monitoring": {"enabled": True}, "fullnameOverride": "games"})
    named = [
        (rule["targetLabel"], rule["replacement"])
        for kind, endpoints in (
            ("ServiceMonitor", "endpoints"),
            ("PodMonitor", "podMetricsEndpoints"),
        )
        for one in of_kind(found, kind).values()
        for endpoint in one["spec"][endpoints]
        for rule in endpoint["relabelings"]
    ]
    assert named == [("job", "stichwerk-api"), ("job", "stichwerk-worker")]


def test_no_pod_goes_while_a_compilation_may_last():
    """A queue is empty while its last job is worked on, so its length alone says nothing."""
    (scaled,) = of_kind(
        resources({"workers": {"compile": {"autoscaling": {"type": "keda", "minReplicas": 0}}}}),
        "ScaledObject",
    ).values()
    assert scaled["spec"]["cooldownPeriod"] >= Settings().compile_seconds


def test_an_autoscaler_waits_no_longer_than_kubernetes_lets_it():
    for kind in ("cpu", "queue"):
        values = {"workerDefaults": {"autoscaling": {"type": kind, "cooldownSeconds": 9000}}}
        found = of_kind(resources(values), "HorizontalPodAutoscaler").values()
        assert len(found) == 2
        for one in found:
            window = one["spec"]["behavior"]["scaleDown"]["stabilizationWindowSeconds"]
            assert 0 <= window <= MAX_WINDOW_SECONDS


def test_jobs_that_wait_for_their_provider_make_no_pods():
    found = of_kind(resources(example("autoscaling")), "HorizontalPodAutoscaler")
    metrics = found["try-stichwerk-worker-waiting"]["spec"]["metrics"]
    asked = [one["external"]["metric"]["selector"]["matchLabels"]["queue"] for one in metrics]
    assert asked == [Queue.SUBMIT]
