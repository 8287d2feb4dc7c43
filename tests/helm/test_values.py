"""values.yaml, its schema, its table and the templates say the same."""

import pytest
import yaml
from helm_python import HelmRenderError, HelmValuesError

from tests.helm.chart import (
    CHART,
    at,
    chart,
    default_values,
    example,
    get,
    leaves,
    merged,
    templates,
    texts,
    used_paths,
)
from tools import values_table

LEAVES = dict(leaves(default_values()))


def test_no_value_is_dead():
    """Templates name it, or a mapping that it is in, which they pass on as a whole."""
    used, text = used_paths(), templates()
    for path in LEAVES:
        wholes = {path[:end] for end in range(min(2, len(path)), len(path) + 1)}
        assert wholes & used or any(f".{key}" in text for key in path[1:]), path


def test_every_value_that_is_used_is_there():
    known = default_values()
    for path in used_paths():
        get(known, path)
    assert len(used_paths()) > 50


def test_a_wrong_type_is_refused_for_every_value():
    """Helm lists all that is wrong at once."""
    wrong = {}
    for path, value in LEAVES.items():
        wrong = merged(wrong, at(path, "text" if not isinstance(value, str) else 1))
    with pytest.raises(HelmValuesError) as refused:
        chart().validate_schema(wrong)
    missing = [path for path in LEAVES if f"'/{'/'.join(path)}'" not in str(refused.value)]
    assert missing == []


def test_the_schema_knows_no_other_values():
    """Beside the names that users make up, it has those of values.yaml."""
    schema = chart().schema
    definitions = schema["$defs"]

    def names(part, path=()):
        part = definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        for name, below in part.get("properties", {}).items():
            yield (*path, name)
            yield from names(below, (*path, name))

    known = {path[:end] for path in LEAVES for end in range(1, len(path) + 1)}
    found = {path for path in names(schema) if path[0] not in ("settings", "global")}
    assert found <= known
    # What is left are names that users make up, and what stands under them.
    made_up = {"workers", "requests", "limits", "labels"}
    assert all(made_up & set(path) for path in known - found - {("settings",)})


def autoscaled(**values):
    return {"workerDefaults": {"autoscaling": values}}


BAD = [
    ({"image": {"tag": "latest"}}, "'/image/tag': 'not' failed"),
    ({"api": {"resources": {"requests": {"cpu": "lots", "memory": "1Gi"}}}}, "requests/cpu"),
    ({"api": {"resources": None}}, "missing property 'resources'"),
    ({"postgresql": {"password": "hidden"}}, "'password' not allowed"),
    ({"workers": {"compile": {"queues": ["print"]}}}, "/workers/compile/queues/0"),
    ({"workers": {"Compile": {"queues": ["compile"]}}}, "Compile"),
    ({"pods": {"labels": {"app.kubernetes.io/name": "x"}}}, "propertyName 'app.kubernetes.io"),
    ({"api": {"ingress": {"enabled": True}}}, "api.ingress.host: missing"),
    ({"api": {"ingress": {"trustedProxies": ["0.0.0.0/0"]}}}, "/api/ingress/trustedProxies/0"),
    ({"redis": {"enabled": False}}, "broker: set either redis.enabled, or"),
    ({"postgresql": {"enabled": False}}, "database: set either postgresql.enabled, or"),
    ({"workers": {"waiting": None}}, "no group serves the queue submit"),
    ({"workers": {"mine": {"processes": 1}}}, "missing property 'queues'"),
    ({"workerDefaults": {"replicas": 0}}, "no group always keeps a pod"),
    (autoscaled(minReplicas=5, type="cpu"), "maxReplicas is less than minReplicas"),
    (autoscaled(minReplicas=0, type="cpu"), "minReplicas 0 requires the type keda"),
    (
        {"workers": {"polling": {"queues": ["poll"], "autoscaling": {"type": "queue"}}}},
        "does not count jobs of the queue poll",
    ),
    (merged(example("external"), autoscaled(type="keda")), "requires broker.keda.address"),
]


@pytest.mark.parametrize(("values", "why"), BAD, ids=[why for _, why in BAD])
def test_bad_values_are_refused(values, why):
    with pytest.raises((HelmValuesError, HelmRenderError)) as refused:
        texts(values)
    assert why in str(refused.value)


EVIL = "x\"\n  evil: yes # {{ .Release.Name }}\n' - evil: &a *a"


def keys(found):
    """Yield all keys of a document."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield key
            yield from keys(value)
    elif isinstance(found, list):
        for value in found:
            yield from keys(value)


def test_no_text_becomes_yaml():
    """What the schema lets through stands in the objects as it was given."""
    free = {
        "prices": EVIL,
        "pods.annotations": {"a": EVIL},
        "pods.extraEnv": [{"name": "A", "value": EVIL}],
        "api.service.annotations": {"a": EVIL},
        "api.ingress.annotations": {"a": EVIL},
        "serviceAccount.annotations": {"a": EVIL},
        "monitoring.labels": {"a": EVIL},
        "monitoring.dashboards.labels.grafana_dashboard": EVIL,
        "monitoring.dashboards.folder": EVIL,
    }
    evil = {}
    for path, value in LEAVES.items():
        name = ".".join(path)
        if isinstance(value, str):
            evil[path] = EVIL
        if name in free:
            evil[path] = free[name]
    wrong = {}
    for path, value in evil.items():
        wrong = merged(wrong, at(path, value))
    with pytest.raises(HelmValuesError) as refused:
        chart().validate_schema(wrong)
    let_through = {path for path in evil if f"'/{'/'.join(path)}'" not in str(refused.value)}
    assert {".".join(path) for path in let_through} == free.keys()
    values = merged(
        example("autoscaling"),
        {"api": {"ingress": {"enabled": True, "host": "x.example"}}},
        *(at(path, evil[path]) for path in let_through),
    )
    rendered = texts(values)
    documents = [
        document
        for name, text in rendered.items()
        if name.endswith(".yaml")
        for document in yaml.safe_load_all(text)
    ]
    assert "evil" not in set(keys(documents))
    assert sum(text == EVIL for text in scalars(documents)) >= len(free)


def scalars(found):
    """Yield all texts of a document that are no keys."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for value in found:
            yield from scalars(value)
    elif isinstance(found, str):
        yield found


def test_the_table_of_values_is_that_of_values_yaml():
    assert f"-->\n{values_table.markdown()}\n<!-- end -->" in (CHART / "README.md").read_text()


def test_every_value_is_explained():
    explained = {path for path, _, _ in values_table.rows((CHART / "values.yaml").read_text())}
    for path in LEAVES:
        assert any(path[:end] in explained for end in range(1, len(path) + 1)), path
    assert explained <= {path[:end] for path in LEAVES for end in range(1, len(path) + 1)}
