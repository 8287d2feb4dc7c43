"""Who may speak to whom, by the rules of Kubernetes' network policies."""

import pytest

from tests.helm.chart import NAMESPACE, example, merged, of_kind, pods, resources, selects

ON = {"networkPolicies": {"enabled": True}}
PORTS = {"http": 8000, "metrics": 8001, "postgresql": 5432, "redis": 6379}
ANYWHERE = None


def allowed(found, source, target, port):
    """Tell whether a connection is let through.

    Args:
        found: all objects of the release.
        source: namespace and labels of a pod.
        target: labels of a pod of the release, or None for a place outside of the cluster.
        port: its number.
    """
    policies = [one["spec"] for one in of_kind(found, "NetworkPolicy").values()]
    namespace, labels = source
    there = (NAMESPACE, target)
    return _lets(policies, "Ingress", target, source, port) and (
        namespace != NAMESPACE or _lets(policies, "Egress", labels, there, port)
    )


def _lets(policies, direction, labels, other, port):
    if labels is ANYWHERE:
        return True
    mine = [
        policy
        for policy in policies
        if direction in policy["policyTypes"] and selects(policy["podSelector"], labels)
    ]
    rules = [rule for policy in mine for rule in policy.get(direction.lower(), ())]
    peers = "from" if direction == "Ingress" else "to"
    return not mine or any(
        any(PORTS.get(p["port"], p["port"]) == port for p in rule["ports"])
        and (peers not in rule or any(_is(peer, other) for peer in rule[peers]))
        for rule in rules
    )


def _is(peer, other):
    namespace, labels = other
    if labels is ANYWHERE:
        return False
    if "namespaceSelector" in peer:
        name = {"kubernetes.io/metadata.name": namespace}
        return selects(peer["namespaceSelector"], name) and "podSelector" not in peer
    return namespace == NAMESPACE and selects(peer["podSelector"], labels)


def whom(found):
    """Return the labels of the release's pods by their short names."""
    return {
        name.removeprefix("try-stichwerk-"): pod["metadata"]["labels"]
        for name, pod in pods(found).items()
    }


@pytest.fixture(scope="module")
def everything():
    return resources(example("autoscaling"))


def test_pods_speak_to_whom_they_must_and_to_nobody_else(everything):
    labels = whom(everything)
    stranger = ("elsewhere", {"app": "x"})
    neighbour = (NAMESPACE, {"app": "x"})
    monitoring, ingress = ("monitoring", {}), ("ingress-nginx", {})
    ours = {name: (NAMESPACE, one) for name, one in labels.items()}
    callers = {**ours, "stranger": stranger, "neighbour": neighbour,
               "monitoring": monitoring, "ingress": ingress, "keda": ("keda", {})}  # fmt: skip
    doors = {
        (name, port): labels[name]
        for name, port in (
            ("api", 8000), ("api", 8001), ("worker-compile", 8001), ("worker-compile", 8000),
            ("postgresql", 5432), ("postgresql", 22), ("redis", 6379),
        )
    }  # fmt: skip
    service = {"api", "worker-compile", "worker-waiting", "worker-score", "campaign-nightly"}
    expected = {
        ("api", 8000): {"ingress", "monitoring", "test"},
        ("worker-compile", 8001): {"monitoring"},
        ("postgresql", 5432): {*service, "monitoring"},
        ("redis", 6379): {*service, "keda"},
    }
    for door, target in doors.items():
        heard = {
            name for name, caller in callers.items() if allowed(everything, caller, target, door[1])
        }
        assert heard == expected.get(door, set()), door


def test_only_workers_that_talk_to_providers_get_out(everything):
    labels = whom(everything)
    for port, expected in ((443, {"worker-waiting"}), (53, set(labels)), (80, set())):
        out = {
            name
            for name, one in labels.items()
            if allowed(everything, (NAMESPACE, one), ANYWHERE, port)
        }
        assert out == expected, port


def test_stores_of_ones_own_are_reached_at_their_ports():
    values = merged(example("external"), ON, {"database": {"port": 6432}})
    found = resources(values)
    labels = whom(found)
    for port in (6432, 6379):
        out = {
            name for name, one in labels.items() if allowed(found, (NAMESPACE, one), ANYWHERE, port)
        }
        assert out == {"api", "worker-compile", "worker-waiting", "migrate"}, port
