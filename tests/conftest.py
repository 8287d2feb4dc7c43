"""Fixtures of all rooms: real servers."""

from .servers.fixtures import postgres_server, postgres_url, redis_server, redis_url

__all__ = ["postgres_server", "postgres_url", "redis_server", "redis_url"]
