"""The page about metrics says what the code says."""

import re
from pathlib import Path

from tools import metric_names

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "metrics.md").read_text()


def test_the_table_is_that_of_the_code():
    found = re.search(r"<!-- metrics: tools/metric_names.py -->\n(.*?)\n<!-- end -->", PAGE, re.S)
    assert found is not None
    assert found[1] == metric_names.markdown()


def test_every_metric_that_the_page_names_is_one():
    from service.api.metrics import REQUESTS
    from workers.metrics.family import FAMILIES

    assert REQUESTS.name in FAMILIES
    assert set(re.findall(r"`(stichwerk_\w+)", PAGE)) == set(FAMILIES)
