"""Settings of the environment: what is taken, and what is refused in one line."""

from decimal import Decimal

import pytest
from redis import Redis

from compiler.errors import InputError
from workers.settings import dollars, settings


@pytest.mark.parametrize("amount", ["1000000000USD", "1e9USD", "0.0000001USD", "1E-20USD"])
def test_amounts_up_to_the_bound(amount):
    assert dollars(amount) == Decimal(amount.removesuffix("USD"))


@pytest.mark.parametrize("amount", ["1000000000.01", "1e30", "1e99999USD", "9" * 30, "$1e10"])
def test_amounts_beyond_the_bound_name_it(amount):
    with pytest.raises(InputError, match="more than 1,000,000,000 USD"):
        dollars(amount)


@pytest.mark.parametrize("value", ["1" + "0" * 16, "9" * 5000, "1" + "0" * 30])
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("STICHWERK_LEASE_SECONDS", "1,000,000,000"),
        ("STICHWERK_MOST_BYTES", "1,125,899,906,842,624"),
    ],
)
def test_numbers_are_bounded(monkeypatch, name, most, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=f"{name}='{value}': must be at most {most}"):
        settings()


@pytest.mark.parametrize(
    "address",
    [
        "redis://127.0.0.1:6379/0",
        "redis://:pa%20ss@host:1/15",
        "redis://host",
        "redis://[::1]:6379",
        "rediss://user:secret@host:6380/0?ssl_cert_reqs=none&ssl_ca_certs=/ca.pem",
    ],
)
def test_addresses_that_clients_understand(monkeypatch, address):
    monkeypatch.setenv("STICHWERK_REDIS", address)
    assert settings().redis == address
    Redis.from_url(address).close()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("amqp://host", "must begin with redis:// or rediss://"),
        ("redis://", "names no host"),
        ("redis://host:0", "names no host and port"),
        ("redis://host:port", "Port could not be cast"),
        ("redis://host:99999", "Port out of range"),
        ("redis://[::1", "Invalid IPv6 URL"),
        ("redis://host/zero", "the number of a database, 0 to 9999"),
        ("redis://host/99999", "the number of a database"),
        ("redis://host?foo=bar", "'foo' after the \\? is not known here"),
        ("rediss://host?foo=bar", "'foo' after the \\? is not known; known: ssl_cert_reqs"),
        ("unix:///run/redis.sock", "must begin with redis:// or rediss://"),
        ("rediss://host?ssl_cert_reqs=nope", "ssl_cert_reqs must be one of required, optional"),
        ("redis://" + "a" * 64 + ".de", "label"),
    ],
)
def test_addresses_that_no_client_understands(monkeypatch, address, message):
    monkeypatch.setenv("STICHWERK_REDIS", address)
    with pytest.raises(InputError, match=f"STICHWERK_REDIS=.*{message}"):
        settings()
