"""A PostgreSQL that returns to an older state under the workers, beside both providers."""

from functools import partial

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from tests.servers.fixtures import present
from tests.servers.migrated import migrated_template
from tests.servers.postgres import PostgresServer
from tests.workers.stages.at_provider.real_sdks import Service, servers
from workers.clock import steady_name
from workers.records.backup import RESTORED, doubt_older_state, is_older_state
from workers.records.database import open_database
from workers.records.tables import DatabaseOrigin, Job
from workers.stages.at_provider.submitting import THERE_ALREADY
from workers.stages.context import shared_backend

__all__ = ["servers"]


@pytest.fixture
def postgres():
    """A PostgreSQL of this test's own, which can be lost."""
    with present(PostgresServer) as server:
        yield server


@pytest.fixture
def service(postgres, servers):
    engine = open_database(postgres.create("falling", migrated_template(postgres)))
    yield Service(engine, servers).with_settle(60.0)
    engine.dispose()


def hide(service, monkeypatch):
    """Let searches show nothing of what the providers have accepted, until this is undone."""
    for server in service.servers.values():
        monkeypatch.setattr(server.provider.machine, "listed", list)


@pytest.mark.parametrize(
    "backend", ["ibm:torino", pytest.param("braket:garnet", marks=pytest.mark.full)]
)
def test_a_standby_that_lags_is_noticed_when_it_is_promoted(
    service, postgres, monkeypatch, backend
):
    """It holds a job as never submitted that its provider has accepted, but does not show yet."""
    assert service.until(service.submit(backend)).state == "done"
    job_id, untouched = service.submit(backend), service.submit("sparse")
    postgres.copy()
    assert service.until(job_id).state == "done"
    paid = service.accepted()
    postgres.fall_back()
    service.engine.dispose()
    assert service.job(job_id).asked_at is None
    with monkeypatch.context() as patch:
        hide(service, patch)
        service.advance(job_id, 5)
        job = service.job(job_id)
        assert (job.state, job.doubtful, job.asks) == ("submitting", True, 1)
        assert service.accepted() == paid
    assert service.until(job_id).state == "done"
    assert service.accepted() == paid
    assert RESTORED in service.events(job_id)
    assert not service.job(untouched).doubtful, "no provider can have it"


@pytest.mark.parametrize(
    "backend", [pytest.param("ibm:torino", marks=pytest.mark.full), "braket:garnet"]
)
def test_a_job_is_looked_for_once_before_it_is_first_asked_for(service, postgres, backend):
    """An image that is put back cannot be told from what it was taken of."""
    assert service.until(service.submit(backend)).state == "done"
    job_id = service.submit(backend)
    postgres.copy()
    assert service.until(job_id).state == "done"
    paid = service.accepted()
    postgres.fall_back(promoted=False)
    service.engine.dispose()
    with Session(service.engine) as session:
        assert not is_older_state(session)
    assert service.until(job_id).state == "done"
    assert service.accepted() == paid
    assert THERE_ALREADY in service.events(job_id)


def test_a_job_that_was_in_doubt_is_given_time_anew(service, postgres, monkeypatch):
    """Its provider had all its time, knew nothing, and was asked again just before the fall."""
    backend = "ibm:torino"
    job_id = service.submit(backend)
    with Session(service.engine) as session:
        assert not doubt_older_state(session)
        session.execute(
            update(Job).values(
                asked_at=Job.created_at,
                asks=1,
                doubtful=True,
                doubt_clocks={"since": "2001-01-01T00:00:00+00:00", steady_name(): -1e6},
                provider_address=shared_backend(backend).address(),
            )
        )
        session.commit()
    postgres.copy()
    assert service.until(job_id).state == "done"
    paid = service.accepted()
    postgres.fall_back()
    service.engine.dispose()
    with monkeypatch.context() as patch:
        hide(service, patch)
        service.advance(job_id, 5)
        assert service.accepted() == paid
    assert service.until(job_id).state == "done"
    assert service.accepted() == paid


def test_who_has_read_a_job_before_it_was_marked_does_not_ask_for_it(service, monkeypatch):
    """Another worker notices while this one is about to ask."""
    job_id = service.submit("braket:garnet")
    noticed = []

    def asked(kept, session, **options):
        if not noticed:
            noticed.append(kept)
            with Session(service.engine) as other:
                other.execute(update(DatabaseOrigin).values(identity="elsewhere"))
                other.commit()
                assert doubt_older_state(other)
        return kept(session, **options)

    target = "workers.stages.at_provider.submitting.is_older_state"
    monkeypatch.setattr(target, partial(asked, is_older_state))
    service.advance(job_id)
    job = service.job(job_id)
    assert (job.state, job.doubtful, job.asks) == ("submitting", True, 1)
    assert service.accepted() == []


def test_a_server_that_does_not_say_which_copy_it_is_is_worked_with(postgres, caplog):
    """As some that are rented; a job is looked for once all the same."""
    postgres.create("rented", migrated_template(postgres))
    with postgres.connect("rented") as connection:
        connection.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        connection.execute("CREATE ROLE guest LOGIN")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
    engine = open_database(postgres.url("rented").replace("stichwerk@", "guest@"))
    with Session(engine) as session:
        assert not is_older_state(session)
    engine.dispose()
    assert "permission denied for function pg_control_system" in caplog.text


def test_a_file_in_the_place_of_another_is_noticed(tmp_path):
    """A copy of the file, made while nobody used it, and put back by a new file."""
    path, copy = tmp_path / "records.sqlite", tmp_path / "copy.sqlite"
    engine = open_database(str(path))
    with Session(engine) as session:
        assert not is_older_state(session)
        session.commit()
        assert not is_older_state(session)
    engine.dispose()
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    engine = open_database(str(path))
    with Session(engine) as session:
        assert is_older_state(session)
        assert doubt_older_state(session)
        assert not doubt_older_state(session)
    engine.dispose()
