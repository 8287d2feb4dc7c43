"""The chart as Helm renders it, without a cluster."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import helm_python
import yaml

ROOT = Path(__file__).parents[2]
CHART = ROOT / "helm" / "stichwerk"
RELEASE = "try"
NAMESPACE = "games"
EXAMPLES = ("minimal", "external", "autoscaling")

Values = dict[str, Any]
Resource = dict[str, Any]
Path_ = tuple[str, ...]

# Helm says of each link into dashboards/ that it follows it.
helm_python.disable_logging()


@cache
def chart() -> helm_python.Chart:
    """Return the chart, loaded once."""
    return helm_python.Chart.load(CHART)


@cache
def _text(name: str) -> str:
    return (CHART / name).read_text()


def default_values() -> Values:
    """Return what values.yaml says."""
    values: Values = yaml.safe_load(_text("values.yaml"))
    return values


def example(name: str) -> Values:
    """Return the values of an example in ci/."""
    values: Values = yaml.safe_load(_text(f"ci/{name}.yaml"))
    return values


def merged(*layers: Mapping[str, Any]) -> Values:
    """Return values laid over each other, as Helm does."""
    result: Values = {}
    for layer in layers:
        for key, value in layer.items():
            below = result.get(key)
            both = isinstance(value, Mapping) and isinstance(below, dict)
            result[key] = merged(below, value) if both else deepcopy(value)
    return result


def at(path: Sequence[str], value: Any) -> Values:
    """Return values that say one thing only."""
    for key in reversed(path):
        value = {key: value}
    found: Values = value
    return found


def get(values: Any, path: Sequence[str]) -> Any:
    """Return what stands at a path."""
    for key in path:
        values = values[key]
    return values


def leaves(values: Mapping[str, Any], path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yield every value that is no mapping, or an empty one, with its path."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def texts(values: Values, **options: Any) -> dict[str, str]:
    """Return what Helm makes of each template."""
    return chart().render(values, name=RELEASE, namespace=NAMESPACE, **options)


def resources(values: Values, **options: Any) -> list[Resource]:
    """Return all objects of a release."""
    return [
        found
        for name, text in texts(values, **options).items()
        if name.endswith(".yaml")
        for found in yaml.load_all(text, yaml.CSafeLoader)
        if found is not None
    ]


def of_kind(found: Sequence[Resource], kind: str) -> dict[str, Resource]:
    """Return the objects of a kind by name."""
    return {one["metadata"]["name"]: one for one in found if one["kind"] == kind}


def pod_of(resource: Resource) -> Resource | None:
    """Return metadata and spec of the pods that an object makes, if it makes any."""
    if resource["kind"] == "Pod":
        return resource
    if resource["kind"] == "CronJob":
        resource = resource["spec"]["jobTemplate"]
    template: Resource | None = resource.get("spec", {}).get("template")
    return template


def pods(found: Sequence[Resource]) -> dict[str, Resource]:
    """Return the pods that objects make, by the objects' names."""
    made = ((one["metadata"]["name"], pod_of(one)) for one in found)
    return {name: pod for name, pod in made if pod is not None}


def containers(pod: Resource) -> list[Resource]:
    """Return the containers of a pod, the init containers first."""
    return [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]


def selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Tell whether a label selector chooses what has these labels."""
    for wanted in selector.get("matchExpressions", ()):
        assert wanted["operator"] == "In"
        if labels.get(wanted["key"]) not in wanted["values"]:
            return False
    return selector.get("matchLabels", {}).items() <= labels.items()


def templates() -> str:
    """Return the text of all templates."""
    return "\n".join(json.dumps(template["data"]) for template in chart().templates)


def used_paths() -> set[Path_]:
    """Return every `.Values.some.path` of the templates."""
    found = re.findall(r"\.Values\.([A-Za-z][A-Za-z.]*)", templates())
    return {tuple(path.rstrip(".").split(".")) for path in found}
