"""The API against its own description: whatever is sent, it is never the server's mistake."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.python.asgi import shutdown_lifespans
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from service.api import dependencies
from service.api.app import create_app
from service.api.broker import BrokerLink
from service.api.dependencies import Service
from service.play import doors
from tests.service.api.access.test_auth import DOORS
from tests.service.api.conftest import LIMITS, Redis
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import State
from workers.records.tables import Job
from workers.untrusted_programs.inspector import Inspector

OPERATIONS = [
    *((path.replace("/1", "/{job_id}"), method) for method, path in DOORS),
    ("/live", "GET"),
    ("/health", "GET"),
    ("/play/matches", "POST"),
    ("/play/{match}/view", "GET"),
    ("/play/{match}/version", "GET"),
    ("/play/{match}/{secret}/view", "GET"),
    ("/play/{match}/{secret}/moves", "POST"),
]

STORED = [operation for operation in OPERATIONS if operation[0].startswith(("/jobs", "/play"))]
"""Operations whose input reaches the database."""

EXAMPLES = [pytest.param(6, id="few"), pytest.param(40, id="many", marks=pytest.mark.full)]


@pytest.fixture
def described(
    inspector: Inspector, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> Iterator[BaseSchema]:
    """The description, which sends what is asked to the application."""
    # Requests without a token are part of what is tried, many a second.
    monkeypatch.setattr(dependencies, "FAILURES_A_MINUTE", 1_000_000)
    monkeypatch.setattr(doors, "CALLS_A_MINUTE", 1_000_000)
    redis = Redis()
    app = create_app(Service(engine, LIMITS, inspector, BrokerLink(redis.send, redis.count)))
    yield schemathesis.openapi.from_asgi("/openapi.json", app)
    shutdown_lifespans()


def test_every_operation_is_tried(described: BaseSchema) -> None:
    found = {(one.ok().path, one.ok().method.upper()) for one in described.get_all_operations()}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize(
    ("path", "method"),
    [pytest.param(*one, marks=pytest.mark.full if one in STORED else ()) for one in OPERATIONS],
)
def test_no_request_is_the_servers_mistake(
    described: BaseSchema, engine: Engine, path: str, method: str, examples: int
) -> None:
    tried(described[path][method], engine, examples)


@pytest.mark.parametrize("any_engine", ["postgresql"], indirect=True)
@pytest.mark.parametrize(("path", "method"), STORED)
def test_no_request_is_too_much_for_a_stricter_database(
    described: BaseSchema, engine: Engine, path: str, method: str
) -> None:
    tried(described[path][method], engine, 6)


def tried(operation: APIOperation, engine: Engine, examples: int) -> None:
    """Send requests of all kinds, while there is a job in every state."""
    with Session(engine) as session:
        token = create_token(session, "fuzz", Scope)
        for state in State:
            session.add(
                Job(program="p", target="all:3", backend="sparse", shots=1, seed=0, state=state)
            )
        session.commit()
    cases = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(cases))
    def try_(case: Case) -> None:
        # No schema says all that makes a program valid; and a token that was left out to make a
        # request invalid is put back here.
        case.call_and_validate(
            headers={"Authorization": f"Bearer {token}"},
            excluded_checks=[positive_data_acceptance, negative_data_rejection],
        )

    try_()
