"""docs/kubernetes.md names what there is."""

import re

import yaml

from tests.helm.chart import CHART, ROOT, chart, default_values, get, texts

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


def test_links_and_keys_are_there():
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link
    for key in re.findall(r"--from-literal=([a-z-]+)=", PAGE):
        known = (CHART / "values.yaml").read_text() + (CHART / "ci" / "external.yaml").read_text()
        assert re.search(rf": {key}\b", known), key
