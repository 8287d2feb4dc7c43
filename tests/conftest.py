"""Fixtures of all rooms: real servers, and a browser."""

from .servers.browser import chromium
from .servers.fixtures import postgres_server, postgres_url, redis_server, redis_url

__all__ = ["chromium", "postgres_server", "postgres_url", "redis_server", "redis_url"]
