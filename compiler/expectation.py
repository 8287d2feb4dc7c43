"""Expected result of a user's circuit: a distribution, and its stored form."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from compiler.circuits.tolerances import ROUNDING
from compiler.errors import InputError
from compiler.judge import DistributionJudge

MAX_OUTCOMES = 1 << 16
"""Outcomes that a distribution may have."""

LONGEST_INTEGER = 300
"""Digits of a number that a float can still hold."""

BITS = re.compile(r"[01]+")
SHARE = re.compile(r"([0-9]{1,18})(?:/([0-9]{1,18}))?")


@frozen
class Expectation:
    """The distribution of a circuit's measured bits.

    Args:
        bits: the number of classical bits.
        shares: probability by measured bits, bit i being classical bit i; none is 0.
        given: whether a user gave it; else it was computed from the circuit.
    """

    bits: int
    shares: Mapping[int, float]
    given: bool

    @classmethod
    def computed(cls, bits: int, probabilities: Mapping[int, float]) -> "Expectation":
        """Return an exact distribution without rounding."""
        likely = {outcome: p for outcome, p in probabilities.items() if p > ROUNDING}
        total = math.fsum(likely.values())
        return cls(bits, {outcome: p / total for outcome, p in likely.items()}, given=False)

    @classmethod
    def from_bytes(cls, content: bytes) -> "Expectation":
        """Return a result of `as_bytes`."""
        content_ = json.loads(content)
        shares = {int(text, 2): float(p) for text, p in content_["shares"].items()}
        return cls(content_["bits"], shares, content_["given"])

    def as_bytes(self) -> bytes:
        """Return all of it, the same bytes for the same distribution."""
        shares = {f"{share:0{self.bits}b}": self.shares[share] for share in sorted(self.shares)}
        content = {"bits": self.bits, "given": self.given, "shares": shares}
        return json.dumps(content, separators=(",", ":")).encode()

    def judge(self, name: str) -> DistributionJudge:
        """Return the judge of a circuit.

        Args:
            name: of the circuit.
        """
        source = "the distribution that was given" if self.given else "its own exact distribution"
        return DistributionJudge(
            f"{name}, against {source}; the last classical bit comes first", self.bits, self.shares
        )


def expectation_from_json(text: str, name: str) -> Expectation:
    """Read a user's expected result; see `expectation_of`. An object may have it as `counts`.

    Args:
        text: a JSON object.
        name: of the file, for messages.

    Raises:
        InputError: with the fault.
    """
    try:
        document = json.loads(
            text, object_pairs_hook=_unrepeated, parse_constant=_no_number, parse_int=_integer
        )
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except RecursionError:
        raise InputError(f"{name}: is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from error
    if isinstance(document, dict) and isinstance(document.get("counts"), dict):
        document = document["counts"]
    if not isinstance(document, dict):
        raise InputError(f'{name}: write one JSON object, such as {{"00": 0.5, "11": 0.5}}')
    return expectation_of(document, name)


def expectation_of(weights: Mapping[str, Any], name: str) -> Expectation:
    """Return the distribution that counts or probabilities stand for; they need not add up to 1.

    Args:
        weights: by bit string, classical bit 0 on the right, with spaces between registers or
            without: numbers, or fractions such as `1/4`.
        name: where they come from, for messages.

    Raises:
        InputError: with the fault.
    """
    if not weights:
        raise InputError(f"{name}: no outcomes; name at least one")
    if len(weights) > MAX_OUTCOMES:
        raise InputError(f"{name}: {len(weights):,} outcomes; {MAX_OUTCOMES:,} are allowed")
    by_bits: dict[str, float] = {}
    for key, value in weights.items():
        bits = key.replace(" ", "")
        if not BITS.fullmatch(bits):
            raise InputError(f"{name}: outcome {_shown(key)}: write a string of bits such as 0110")
        if bits in by_bits:
            raise InputError(f"{name}: outcome {_shown(key)} is there twice")
        by_bits[bits] = _weight(value, f"{name}: outcome {_shown(key)}")
    lengths = sorted({len(bits) for bits in by_bits})
    if len(lengths) > 1:
        raise InputError(
            f"{name}: outcomes of {lengths[0]} and of {lengths[-1]} bits; "
            "all must have as many as the circuit has classical bits"
        )
    largest = max(by_bits.values())
    if not largest:
        raise InputError(f"{name}: every outcome has the weight 0")
    # Weights may be as large as floats are, so that their sum would be too large.
    total = math.fsum(weight / largest for weight in by_bits.values())
    shares = {int(bits, 2): weight / largest / total for bits, weight in by_bits.items()}
    return Expectation(lengths[0], {outcome: p for outcome, p in shares.items() if p}, given=True)


def _weight(value: object, where: str) -> float:
    if isinstance(value, str) and (match := SHARE.fullmatch(value)):
        denominator = int(match[2] or 1)
        if denominator:
            return int(match[1]) / denominator
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} has {_shown(value)}; write a number, or a fraction such as 1/4")
    if value < 0:
        raise InputError(f"{where} has the negative number {_shown(value)}")
    try:
        weight = float(value)
    except OverflowError:
        weight = math.inf
    if not math.isfinite(weight):
        raise InputError(f"{where} has a number that is too large, or none; write a smaller one")
    return weight


def _shown(value: object) -> str:
    return f"'{str(value)[:40]}'".encode("unicode_escape").decode()


def _unrepeated(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"{_shown(key)} is there twice")
        result[key] = value
    return result


def _no_number(text: str) -> float:
    raise InputError(f"{text} is no number")


def _integer(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise InputError(f"a number of {len(text)} digits is too large")
    return int(text)
