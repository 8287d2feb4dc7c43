"""Matches on pages that are measured on a backend: waiting, restarts, and jobs that go wrong."""

import pytest
from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from play.hosted.matches import allowed_backends
from tests.service.play.conftest import make_server
from workers.accounts.tokens import PLAYERS, create_token
from workers.jobs.states import FINAL
from workers.queue.worker import Worker
from workers.records.tables import Job, Token
from workers.settings import Settings

SETTINGS = Settings(most_bytes=20_000, play_backends="sparse, aer")


@pytest.fixture
def server(any_engine):
    """A server that offers two simulators."""
    return make_server(any_engine, SETTINGS)


def jobs(engine):
    with Session(engine) as session:
        return list(session.scalars(select(Job).order_by(Job.id)))


def worked(engine):
    """Do what workers do, until all jobs have ended."""
    for job in jobs(engine):
        while Worker(engine, SETTINGS).advance(job.id) is not None:
            pass
    assert all(job.state in FINAL for job in jobs(engine))


def until_measured(links, reached=lambda seen: seen if seen["waiting"] else None):
    """Move until something is measured that is not certain; return what is reached then."""
    for _ in range(400):
        seen = links.see()
        if end := reached(seen):
            return end
        seat = seen["view"]["to_move"][0]
        mine = links.see(seat)
        moves = mine["view"]["legal_moves"]
        move = next((move for move in moves if move.endswith(" H")), moves[0])
        answer = links.send(seat, move, mine["moves_made"])
        assert answer.status_code == 200, answer.text
    raise AssertionError("nothing was measured")


def uncertain(seen):
    """Return how the first measurement was made whose outcomes are not certain, if there is one."""
    origins = [one["origin"] for one in seen["measured"]]
    return next((origin for origin in origins if origin["how"] != "certain"), None)


def started(server, **given):
    return server.start("person", "person", seed=3, backend="sparse", **given)


def test_a_match_waits_for_its_job_and_goes_on(server, any_engine):
    links = started(server)
    seen = until_measured(links)
    (job,) = jobs(any_engine)
    said = f"job {job.id} on sparse (post-selected, {job.shots:,} shots): queued"
    assert (seen["waiting"], seen["backend"], seen["thinking"]) == (said, "sparse", True)
    page = server.client.get(links.seats[0]).text
    assert f"Measuring: {said}" in page
    # Nobody moves meanwhile, and looking starts no second job.
    assert seen["view"]["to_move"] == []
    mine = links.see(0)
    assert links.send(0, "1", mine["moves_made"]).status_code == 409
    assert [one.id for one in jobs(any_engine)] == [job.id]
    worked(any_engine)
    after = links.see(0)
    origin = after["measured"][-1]["origin"]
    assert (origin["how"], origin["job"], origin["shots"]) == (
        "post-selected", job.id, job.shots,
    )  # fmt: skip
    assert after["waiting"] == ""
    assert f"post-selected, one of {origin['agreeing']:,} of" in server.client.get(links.watch).text


def test_all_who_play_are_one_tenant_with_a_limit(any_engine):
    server = make_server(any_engine, evolve(SETTINGS, play_jobs=2))
    matches = [started(server) for _ in range(3)]
    for links in matches[:2]:
        until_measured(links)
    first, second = jobs(any_engine)
    with Session(any_engine) as session:
        token = session.scalars(select(Token)).one()
        assert (first.token_id, second.token_id) == (token.id, token.id)
        # Nobody else's jobs wait behind theirs, and nobody opens anything with it.
        assert (token.name, token.scopes) == (PLAYERS, [])
        assert token.revoked_at is not None
        with pytest.raises(InputError, match="must be 1 to 80 letters"):
            create_token(session, PLAYERS, ["submit"])
    third = until_measured(matches[2], uncertain)
    assert third["how"] == "exact"
    assert third["reason"].startswith("2 jobs of this token are open, at most 2 are allowed")
    assert len(jobs(any_engine)) == 2
    worked(any_engine)
    assert matches[0].see()["measured"][-1]["origin"]["job"] == first.id


def test_only_what_is_offered_can_be_chosen(server, any_engine):
    form = {"game": "six-nimmt", "seat-0": "person", "seat-1": "greedy", "backend": "ibm:torino"}
    refused = server.client.post("/play", data=form)
    assert refused.status_code == 422
    assert "is not offered to matches; offered: sparse, aer" in refused.text
    json = {"game": "six-nimmt", "seats": ["person", "greedy"], "backend": "aer:torino"}
    assert server.client.post("/play/matches", json=json).status_code == 422
    page = server.client.get("/play").text
    assert 'name="backend"' in page
    assert "sparse, by jobs" in page
    taken = server.client.post("/play", data=form | {"backend": "aer"})
    assert taken.status_code == 200
    plain = make_server(any_engine).client
    assert 'name="backend"' not in plain.get("/play").text
    answer = plain.post("/play/matches", json=json | {"backend": "sparse"})
    assert "offered: none here" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("ibm:torino", "'ibm:torino' is no simulator of this machine, and strangers may start"),
        ("sparse,nothing", "unknown backend 'nothing'"),
        ("aer:mars", "STICHWERK_PLAY_BACKENDS: "),
    ],
)
def test_an_operator_can_offer_only_what_is_free(names, message):
    with pytest.raises(InputError) as error:
        allowed_backends(names)
    assert str(error.value).startswith("STICHWERK_PLAY_BACKENDS: ")
    assert message in str(error.value)


def test_a_board_on_a_machine_is_shown_as_it_was_measured(server, any_engine):
    links = server.start(
        "person", "person", game="five-in-a-row", options={"size": "9", "scheme": "cqc"},
        seed=3, backend="sparse",
    )  # fmt: skip
    assert not links.see()["thinking"]
    links.play(0, "S+ E5 F5")
    (job,) = jobs(any_engine)
    said = f"job {job.id} on sparse (look, 1,000 shots): queued"
    assert links.see()["waiting"] == said
    worked(any_engine)
    seen = links.see()
    assert (seen["waiting"], seen["thinking"]) == ("", False)
    look = seen["measured"][-1]["look"]
    assert (look["backend"], look["job"], look["shots"]) == ("sparse", job.id, 1000)
    exact = {row[0]: row[5] for row in look["seen"]}
    assert (exact["black_stones"], exact["black_at_e5"]) == (1, 0.5)
    page = server.client.get(links.watch).text
    assert f"1,000 shots on sparse, job {job.id}" in page
    assert "Measured board, in per cent of the shots" in page
    # Whoever does not wait for it moves on, and the new board is looked at.
    links.play(1, "E E5-E6 F5-F6")
    links.play(0, "A1")
    assert len(jobs(any_engine)) == 3
    worked(any_engine)
    assert links.see()["measured"][-1]["look"]["job"] == jobs(any_engine)[-1].id
