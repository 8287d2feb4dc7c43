"""Keys by which providers know jobs that follow from another job's.

They are the first 32 hexadecimal digits of the SHA-256 of a text in ASCII:

- `round KEY PLACE`: the job at a place, counted from 0, among those under the job with a key
- `retry KEY`: the job that takes the place of one that its provider has failed or cancelled

A job that is lost when records are restored is thus recorded anew under the same key, and found at
its provider. Keys of all other jobs are random.
"""

from hashlib import sha256

DIGITS = 32


def round_key(parent: str, place: int) -> str:
    """Return the key of the job at a place among those under a job with a key."""
    return _derived(f"round {parent} {place}")


def retry_key(ended: str) -> str:
    """Return the key of the job that takes the place of one with a key."""
    return _derived(f"retry {ended}")


def _derived(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()[:DIGITS]
