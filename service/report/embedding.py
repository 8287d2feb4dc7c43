"""What a page carries with it: records as JSON, and the library that draws."""

import gzip
import json
from base64 import b64encode
from hashlib import sha256
from typing import Any

from plotly.offline import get_plotlyjs

from service.report.markup import Html

ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&"}
"""Without these, nothing in a JSON text can end the element that it stands in."""


def embedded_json(name: str, value: Any) -> Html:
    """Return an element that holds a value as JSON; browsers do not run it."""
    written = json.dumps(value, allow_nan=False, separators=(",", ":"))
    safe = written.translate(ESCAPES)
    return Html(f'<script type="application/json" id="{name}">{safe}</script>')


def embedded_library(name: str) -> tuple[Html, str]:
    """Return an element with plotly.js packed by gzip, in base64; and the script's hash."""
    script = get_plotlyjs().encode()
    packed = b64encode(gzip.compress(script, mtime=0)).decode()
    element = Html(f'<script type="text/plain" id="{name}">{packed}</script>')
    return element, content_hash(script)


def content_hash(script: bytes) -> str:
    """Return a script's hash as a Content-Security-Policy names it."""
    return f"'sha256-{b64encode(sha256(script).digest()).decode()}'"
