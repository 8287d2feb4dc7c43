"""Removal of secrets from stored, logged and shown texts."""

import logging
import os
import re
from urllib.parse import unquote, urlsplit

SECRET_NAMES = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_KEY", re.I)
ADDRESS_NAMES = ("STICHWERK_DATABASE", "STICHWERK_REDIS")
SHAPES = (
    re.compile(r"(?i)\b(bearer|apikey|basic)\s+[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"\bstw_[A-Za-z0-9_-]{16,}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.?[A-Za-z0-9_-]*"),
    re.compile(r"(?i)\b(x-amz-(?:signature|security-token|credential)|signature)=[^\s&,\"']+"),
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"),
)
"""Keys in headers, our own tokens, JSON web tokens, signed URLs, passwords in URLs."""
HIDDEN = "[hidden]"


def redacted(text: str) -> str:
    """Return a text without the secrets of this process's environment, and without similar ones."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    for shape in SHAPES:
        text = shape.sub(HIDDEN, text)
    return text


def _secrets() -> list[str]:
    named = {
        value for name, value in os.environ.items() if SECRET_NAMES.search(name) and len(value) >= 6
    }
    passwords = {
        unquote(password)
        for name in ADDRESS_NAMES
        if (password := _password(os.environ.get(name, "")))
    }
    return sorted(named | passwords, key=len, reverse=True)


def _password(address: str) -> str | None:
    try:
        return urlsplit(address).password
    except ValueError:
        # A secret in a text that is no URL is found by its shape.
        return None


class RedactingFilter(logging.Filter):
    """Rewrites every record of the logger or handler it is added to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Hide secrets in the message and in the traceback; always let the record pass."""
        record.msg, record.args = redacted(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redacted(record.exc_text)
        return True
