"""Names that requests may be sent to, and proxies that are trusted about who sends them.

If any name were allowed, a page elsewhere could have its own name lead here.
"""

from collections.abc import Collection
from ipaddress import IPv4Network, ip_address, ip_network

from compiler.errors import InputError

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


def trusted_proxies(setting: str) -> list[str]:
    """Return the networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.

    Args:
        setting: addresses and networks separated by commas.

    Raises:
        InputError: naming the entry that is not an address or a network, or that is the network of
            all addresses: every client could then claim any address.
    """
    networks = list[str]()
    for name in filter(None, map(str.strip, setting.split(","))):
        try:
            network = ip_network(name)
        except ValueError as error:
            raise InputError(
                f"STICHWERK_TRUSTED_PROXIES='{name}': not an address or a network; write "
                "10.1.2.3 or 10.1.0.0/16"
            ) from error
        if network.prefixlen == 0:
            raise InputError(
                f"STICHWERK_TRUSTED_PROXIES='{name}': trusts every client; name the proxy's network"
            )
        networks.append(str(network))
        if isinstance(network, IPv4Network):
            # A socket that takes both kinds shows addresses of IPv4 like this.
            networks.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return networks


def _bracketed(address: str) -> str:
    try:
        return f"[{address}]" if ip_address(address).version == 6 else address
    except ValueError:
        return address
