"""Why a connection to a provider is not safe."""

import ssl

from urllib3.util.ssl_match_hostname import CertificateError

from backends.providers.text import line


def unsafe(error: BaseException, whose: str) -> str:
    """Return the fault of a connection: the certificate, or the TLS protocol.

    Args:
        error: of a library, which passes the reason on as an argument of its own error.
        whose: owner of the server.
    """
    reasons: list[object] = [error]
    for reason in reasons:
        if isinstance(reason, ssl.SSLCertVerificationError):
            return _invalid(whose, reason.verify_message)
        if isinstance(reason, CertificateError):
            return _invalid(whose, reason)
        if isinstance(reason, BaseException) and len(reasons) < 100:
            options = getattr(reason, "kwargs", {})
            reasons += [getattr(reason, "reason", None), *reason.args, *options.values()]
    return f"no safe connection: {whose}'s server does not speak TLS as it should"


def _invalid(whose: str, why: object) -> str:
    return f"the certificate of {whose}'s server is not valid: {line(why)}"
