"""Which names requests may be sent to: else a page elsewhere could have its own name lead here."""

from collections.abc import Collection
from ipaddress import ip_address

ANY = "*"
OWN = ("localhost", "127.0.0.1", "[::1]")


def allowed_hosts(setting: str, listening_at: str) -> frozenset[str]:
    """Return the names that are allowed, in lower case.

    Args:
        setting: names separated by commas; empty for this machine's own and the address below.
        listening_at: the address that the server listens on.
    """
    named = [name.strip().lower() for name in setting.split(",") if name.strip()]
    return frozenset(named or [*OWN, _bracketed(listening_at.lower())])


def is_allowed(header: bytes | None, allowed: Collection[str]) -> bool:
    """Tell whether a `Host` header names one of them, whatever its port; without one, it does not.

    A trailing dot means the same name.
    """
    if ANY in allowed:
        return True
    text = (header or b"").decode("latin-1").strip().lower()
    name, colon, port = text.rpartition(":")
    if colon and port.isascii() and port.isdigit():
        text = name
    return text.removesuffix(".") in allowed


def _bracketed(address: str) -> str:
    try:
        return f"[{address}]" if ip_address(address).version == 6 else address
    except ValueError:
        return address
