"""Rendering of templates, which escape every value."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

STATIC = files("service.pages") / "static"

SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'"
)
"""Content-Security-Policy of served pages, whose scripts and styles are files."""


SITES = (
    ("/play", "Play", "Quantum board and card games against bots or friends, without an account."),
    ("/advise", "Advise", "Which card to play in Skat, with exact probabilities."),
    ("/jobs", "Jobs", "Your jobs on devices and simulators, live. Needs a token."),
    ("/trends", "Trends", "Fidelity of your jobs over time. Needs a token."),
    ("/report", "Report", "All records: fidelities, gates, queue. Needs a token of scope all."),
    ("/docs", "API", "The HTTP API: routes, parameters and responses."),
)
"""Address, name and purpose of the pages that every page links to."""


def plain(text: str) -> str:
    """Return a text on one line, with a mark for characters that would not show.

    Such are control characters and those that turn the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def static_file(name: str) -> str:
    """Return the content of a static file."""
    return (STATIC / name).read_text(encoding="utf-8")


def content_hash(script: str) -> str:
    """Return a script's hash as a Content-Security-Policy names it."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def render(template: str, **values: Any) -> str:
    """Return a page, or a part of one.

    Args:
        template: its name in `service/pages/templates`.
        values: of the template's variables; all but `Markup` are escaped.
    """
    return _environment.get_template(template).render(values)


def render_part(template: str, **values: Any) -> Markup:
    """Return a part of a page, to be used as a value of another template."""
    return Markup(render(template, **values))


def _written(value: Any) -> Any:
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_environment = Environment(
    loader=PackageLoader("service.pages"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    finalize=_written,
)
_environment.globals["sites"] = SITES
_environment.globals["policy"] = SERVED_POLICY
_environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
