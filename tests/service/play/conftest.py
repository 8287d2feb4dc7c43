"""A server on which matches are played, without a network."""

from typing import Any

import pytest
from attrs import define
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Engine

from play.hosted.matches import Matches
from service.api.app import create_app
from service.api.broker import BrokerLink
from service.api.dependencies import Service
from workers.settings import Settings
from workers.untrusted_programs.inspector import Inspector


@define(eq=False)
class Server:
    """A server and a client of it."""

    app: FastAPI
    client: TestClient

    @property
    def matches(self) -> Matches:
        """All matches of the server."""
        return self.app.state.matches

    def start(self, *seats: str, **given: Any) -> "Links":
        """Start a match."""
        wanted = {"game": "six-nimmt", "seats": seats or ("person", "person", "greedy")} | given
        answer = self.client.post("/play/matches", json=wanted)
        assert answer.status_code == 201, answer.text
        told = answer.json()
        return Links(self.client, told["watch"], [one["link"] for one in told["seats"]])


@define(eq=False)
class Links:
    """A match by its links."""

    client: TestClient
    watch: str
    seats: list[str]

    def see(self, seat: int | None = None) -> dict[str, Any]:
        """Return what a seat sees."""
        link = self.watch if seat is None else self.seats[seat]
        answer = self.client.get(f"{link}/view")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, seat: int, move: str, number: int) -> Response:
        """Return the answer to a move."""
        return self.client.post(f"{self.seats[seat]}/moves", json={"move": move, "number": number})

    def play(self, seat: int, move: str | None = None) -> dict[str, Any]:
        """Play a move, or the first one that is possible."""
        seen = self.see(seat)
        answer = self.send(seat, move or seen["view"]["legal_moves"][0], seen["moves_made"])
        assert answer.status_code == 200, answer.text
        return answer.json()


def make_server(engine: Engine, set_: Settings | None = None) -> Server:
    """Return a server, whose readers of programs do not run."""
    set_ = set_ or Settings(most_bytes=20_000)
    link = BrokerLink(lambda *_: None, dict)
    app = create_app(Service(engine, set_, Inspector(set_), link))
    return Server(app, TestClient(app))


@pytest.fixture
def server(any_engine: Engine) -> Server:
    """A server with an empty database."""
    return make_server(any_engine)
