"""A worker that ends as soon as it has recorded what it has lowered."""

import pytest

from compiler.compilation.listener import each_here
from workers.compilation.compiling import compile_order


def recorded_unproven(session, order, plan, **options):
    """Return the record of a compilation whose worker has ended before any proof."""
    records = []

    def ends(record):
        records.append(record)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_order(session, order, plan, each_here, lambda _: None, begun=ends, **options)
    return records[0]
