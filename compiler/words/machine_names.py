"""Names of machines, without their calibration; reading them needs nothing of targets."""

import re

DIGITS = 12
"""Hexadecimal digits of the digest in the spec of a device of one's own, `device:NAME:DIGEST`."""

OWN = re.compile(rf"(?<![^:])(device:[A-Za-z0-9_.+-]+):[0-9a-f]{{{DIGITS}}}(?![^:])")


def machine_of(spec: str) -> str:
    """Return the spec of a backend or target without the mark of its calibration.

    `aer:device:square:0123456789ab` is `aer:device:square`; other specs name machines as they are.
    """
    return OWN.sub(r"\1", spec)


def calibrated(spec: str) -> str:
    """Return the spec of a backend or target with its calibration in words, if it names one."""
    digest = calibration_digest(spec)
    return f"{machine_of(spec)} · calibration {digest}" if digest else spec


def calibration_digest(spec: str) -> str:
    """Return the digest in the spec of a device of one's own; empty in any other."""
    match = OWN.search(spec)
    return match[0].rpartition(":")[2] if match else ""
