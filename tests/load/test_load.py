"""Submissions from many clients at once: none is lost. How fast, `make load` tells."""

import pytest

from benchmarks.load.__main__ import measured
from benchmarks.load.figures import Load
from benchmarks.load.service import service
from tests.servers.fixtures import present
from tests.servers.postgres import PostgresServer
from tests.servers.redis import RedisServer

SMALL = Load(submissions=24, clients=8, alone=2, flood=20, beside=1, records=200, limit_seconds=120)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["postgresql", "sqlite"])
def test_every_accepted_submission_has_its_row_and_gets_done(kind):
    for server in (RedisServer, PostgresServer):
        present(server).__exit__(None, None, None)
    with service(kind, processes=1) as running:
        found = measured(running, SMALL)
    assert found.problems == []
    assert found.figures["accepted"] == SMALL.submissions
    assert found.figures["accepted without a row"] == 0
