"""The page about metrics says what the code says."""

import re
import sys
from importlib import import_module
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "metrics.md").read_text()


def test_the_table_is_that_of_the_code(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.delitem(sys.modules, "metric_names", raising=False)
    table = import_module("metric_names").markdown()
    monkeypatch.delitem(sys.modules, "metric_names")
    found = re.search(r"<!-- metrics: tools/metric_names.py -->\n(.*?)\n<!-- end -->", PAGE, re.S)
    assert found is not None
    assert found[1] == table


def test_every_metric_that_the_page_names_is_one():
    from service.api.metrics import REQUESTS
    from workers.metrics.family import FAMILIES

    assert REQUESTS.name in FAMILIES
    assert set(re.findall(r"`(stichwerk_\w+)", PAGE)) == set(FAMILIES)
