"""What runs in the pods: as whom, with which command and variables, asked how."""

import re

import pytest
import yaml
from attrs import fields

from service.api.limits import trusted_proxies
from service.cli.front.application import all_commands
from service.cli.servers.serve import GRACE_SECONDS
from tests.helm.chart import (
    EXAMPLES,
    ROOT,
    chart,
    containers,
    example,
    of_kind,
    pods,
    resources,
    selects,
)
from workers.jobs.states import Queue
from workers.queue.broker import SOFT_SHUTDOWN_SECONDS
from workers.settings import PREFIX, Settings, settings

STORES = ("postgresql", "redis")
ELSEWHERE = {
    # What others read: Kubernetes and KEDA, libpq, Python, numba, and the maths libraries.
    "REDIS_PASSWORD", "PGPASSWORD", "HOME", "NUMBA_CACHE_DIR",
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS",
    # boto, of which our code asks for the region only.
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
}  # fmt: skip


@pytest.fixture(scope="module", params=EXAMPLES)
def found(request):
    return resources(example(request.param))


def ours(found):
    """Yield the name and the containers of every pod that runs our image."""
    for name, pod in pods(found).items():
        if pod["metadata"]["labels"].get("app.kubernetes.io/component") not in STORES:
            yield name, containers(pod)


def test_every_container_is_confined(found):
    for name, pod in pods(found).items():
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False, name
        user = spec["securityContext"]
        assert user["runAsNonRoot"] is True
        assert user["runAsUser"] > 0
        assert user["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in containers(pod):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            asked = container["resources"]
            assert set(asked["requests"]) == {"cpu", "memory"}, name
            assert "memory" in asked["limits"], name


def test_every_image_is_pinned(found):
    for pod in pods(found).values():
        for container in containers(pod):
            tagged = re.search(r":([0-9][^:@]*)$|@sha256:[0-9a-f]{64}$", container["image"])
            assert tagged, container["image"]


def test_mounts_have_their_volumes(found):
    for one in found:
        pod = one.get("spec", {}).get("template")
        if pod is None:
            continue
        claims = [claim["metadata"] for claim in one["spec"].get("volumeClaimTemplates", ())]
        there = {volume["name"] for volume in [*pod["spec"]["volumes"], *claims]}
        used = {m["name"] for c in containers(pod) for m in c.get("volumeMounts", ())}
        assert used == there


def test_selectors_choose_their_own_pods_only(found):
    made = pods(found)
    for one in found:
        if one["kind"] in ("Deployment", "StatefulSet"):
            chosen = [
                name
                for name, pod in made.items()
                if selects(one["spec"]["selector"], pod["metadata"]["labels"])
            ]
            assert chosen == [one["metadata"]["name"]]
            for spread in made[chosen[0]]["spec"].get("topologySpreadConstraints", ()):
                assert spread["labelSelector"] == one["spec"]["selector"]


@pytest.mark.parametrize("kind", ["Service", "ServiceMonitor", "PodMonitor", "PodDisruptionBudget"])
def test_what_selects_finds_something_with_its_ports(kind):
    names = 0
    for name in EXAMPLES:
        found = resources(example(name))
        services = of_kind(found, "Service").values()
        for one in of_kind(found, kind).values():
            names += 1
            selector = one["spec"]["selector"]
            if kind == "ServiceMonitor":
                chosen = [s for s in services if selects(selector, s["metadata"]["labels"])]
                open_ = [{port["name"] for port in s["spec"]["ports"]} for s in chosen]
                asked = {end["port"] for end in one["spec"]["endpoints"]}
            else:
                labels = selector if kind == "Service" else selector["matchLabels"]
                chosen = [
                    pod
                    for pod in pods(found).values()
                    if selects({"matchLabels": labels}, pod["metadata"]["labels"])
                ]
                open_ = [
                    {port["name"] for c in containers(pod) for port in c.get("ports", ())}
                    for pod in chosen
                ]
                asked = {
                    port.get("targetPort", port.get("port"))
                    for port in one["spec"].get("ports", one["spec"].get("podMetricsEndpoints", ()))
                }
            assert chosen, one
            assert all(asked <= ports for ports in open_), one
    assert names


def test_probes_ask_at_ports_that_are_open(found):
    for name, pod in pods(found).items():
        for container in pod["spec"]["containers"]:
            ports = {port["name"] for port in container.get("ports", ())}
            asked = {
                container[kind]["httpGet"]["port"]
                for kind in ("startupProbe", "livenessProbe", "readinessProbe")
                if "httpGet" in container.get(kind, {})
            }
            assert asked <= ports, name


def test_the_api_answers_what_probes_and_monitors_ask():
    """Only the path that asks for nothing may end a pod; /health asks for the database."""
    from service.api.routes import operations

    open_ = {route.path for route in operations.open_router.routes}
    guarded = {route.path for route in operations.router.routes}
    pod = pods(resources({}))["try-stichwerk-api"]["spec"]["containers"][0]
    assert pod["readinessProbe"]["httpGet"]["path"] in open_
    for kind in ("startupProbe", "livenessProbe"):
        assert pod[kind]["httpGet"]["path"] == "/live"
    assert "/live" in open_
    (monitor,) = of_kind(resources(example("autoscaling")), "ServiceMonitor").values()
    assert monitor["spec"]["endpoints"][0]["path"] in guarded


def test_commands_are_those_of_the_command_line(found):
    seen, declared = set(), all_commands()
    for _, held in ours(found):
        for container in held:
            if "command" in container:
                assert container["command"][0] in ("cp", "python")
                continue
            command, *arguments = container["args"]
            seen.add(command)
            declared[command].make_context(command, arguments)
    assert {"serve", "worker", "migrate"} <= seen


def test_variables_are_those_that_the_code_reads(found):
    sources = "".join(path.read_text() for path in (ROOT / "backends").rglob("*.py"))
    read = {PREFIX + field.name.upper() for field in fields(Settings)}
    for name, held in ours(found):
        for container in held:
            variables = [variable["name"] for variable in container.get("env", ())]
            assert len(set(variables)) == len(variables), name
            for variable in set(variables) - read - ELSEWHERE:
                assert f'"{variable}"' in sources, variable


def test_the_api_believes_the_proxies_of_its_ingress_alone():
    def trusted(values):
        pod = pods(resources(values))["try-stichwerk-api"]
        told = {one["name"]: one.get("value") for one in containers(pod)[-1]["env"]}
        return told.get(f"{PREFIX}TRUSTED_PROXIES")

    ingress = {"host": "a.example", "trustedProxies": ["10.42.3.0/24", "fd00::1"]}
    behind = {"api": {"ingress": {"enabled": True, **ingress}}}
    assert trusted({}) is None
    assert trusted({"api": {"ingress": {"enabled": False, **ingress}}}) is None
    assert trusted(behind) == "10.42.3.0/24,fd00::1"
    assert trusted(behind | {"settings": {"trustedProxies": "10.9.9.9"}}) == "10.9.9.9"
    assert trusted_proxies(trusted(behind))
    found = resources(behind)
    workers = [pod for name, pod in pods(found).items() if "worker" in name]
    assert workers
    assert f"{PREFIX}TRUSTED_PROXIES" not in str(workers)


def test_settings_reach_the_code(monkeypatch):
    known = {
        re.sub("([A-Z])", r"_\1", name).lower(): name
        for name in chart().schema["properties"]["settings"]["properties"]
    }
    elsewhere = {"database", "redis", "metrics_host"}
    assert set(known) == {field.name for field in fields(Settings)} - elsewhere
    # A million is where Helm's numbers begin to look like 1e+06.
    others = {"logFormat": "json", "hosts": "a.example", "playBackends": "sparse",
              "trustedProxies": "10.1.2.3", "notifyWebhook": "https://a.example/hook",
              "notifyMail": "a@b.example", "notifySmtp": "smtp://b.example:25",
              "notifyFrom": "c@b.example"}  # fmt: skip
    values = dict.fromkeys(known.values(), 1_000_000) | others
    pod = pods(resources({"settings": values}))["try-stichwerk-worker-compile"]
    for variable in containers(pod)[-1]["env"]:
        if "value" in variable:
            monkeypatch.setenv(variable["name"], variable["value"])
    read = settings()
    wanted = dict.fromkeys(known, 1_000_000) | {
        field: others[name] for field, name in known.items() if name in others
    }
    assert {name: getattr(read, name) for name in known} == wanted
    assert read.metrics_host == "0.0.0.0"
    assert read.redis == "redis://:$(REDIS_PASSWORD)@try-stichwerk-redis:6379/0"


def test_workers_end_well_before_they_are_ended():
    for values in map(example, EXAMPLES):
        made = of_kind(resources(values), "Deployment")
        for name, one in made.items():
            spec = one["spec"]["template"]["spec"]
            grace = spec["terminationGracePeriodSeconds"]
            if "-worker-" in name:
                assert grace >= SOFT_SHUTDOWN_SECONDS + 10
            else:
                pause = spec["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][-1]
                assert grace >= int(pause) + GRACE_SECONDS + 10
    schema = chart().schema["properties"]["workerDefaults"]["properties"]
    assert schema["terminationGracePeriodSeconds"]["minimum"] >= SOFT_SHUTDOWN_SECONDS + 10


def test_every_queue_is_taken(found):
    taken = [
        queue
        for _, held in ours(found)
        for container in held
        if container.get("args", [""])[0] == "worker"
        for queue in container["args"][2].split(",")
    ]
    assert sorted(taken) == sorted(Queue)
    assert set(Queue) == set(
        chart().schema["$defs"]["group"]["properties"]["queues"]["items"]["enum"]
    )


def test_only_workers_that_talk_to_providers_have_their_credentials():
    seen = {}
    for name, held in ours(resources(example("external"))):
        variables = {v["name"] for container in held for v in container.get("env", ())}
        seen[name] = {v for v in variables if v.startswith(("AWS_", "QISKIT_"))}
    assert seen.pop("try-stichwerk-worker-waiting") == {
        "QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE",
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION",
    }  # fmt: skip
    assert not any(seen.values())


def test_secrets_are_named_and_made_nowhere_but_for_the_stores(found):
    made = set(of_kind(found, "Secret"))
    assert all(name.endswith(STORES) for name in made)
    named = set(re.findall(r"secretKeyRef:\n\s+key: \S+\n\s+name: (\S+)", yaml.safe_dump(found)))
    outside = {"stichwerk-database", "stichwerk-broker", "ibm-account", "aws-account"}
    assert named - outside == made


def test_the_migration_waits_for_nothing_that_is_not_there_yet():
    (job,) = of_kind(resources(example("external")), "Job").values()
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    spec = job["spec"]["template"]["spec"]
    assert "serviceAccountName" not in spec
    assert [volume["name"] for volume in spec["volumes"]] == ["tmp"]
    assert not of_kind(resources(example("minimal")), "Job")
    for name in ("minimal", "external"):
        for pod in of_kind(resources(example(name)), "Deployment").values():
            first = pod["spec"]["template"]["spec"]["initContainers"][0]
            assert first["args"] == ["migrate", "--wait", "300"]
