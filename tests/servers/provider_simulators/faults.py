"""What a simulated provider is told to do wrong, and when."""

import random
import threading
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from compiler.errors import InputError


class Fault(StrEnum):
    """A way to fail.

    The server does those above the first line to requests by itself; an outage lasts until its
    rule is lifted. The machine does those below it to jobs as they are accepted, so their operation
    is `submit`. Those below the second line are one answer's: to `submit`, with the id of an
    earlier job; to `result`, cut off, another job's, or made to harm whoever reads it; and to
    `cancel`, which says that it was done, but was not, or takes its time. Those below the third
    line are the devices': they leave the account, or start no jobs, until the rule is lifted.
    """

    TOO_MANY_REQUESTS = "too-many-requests"
    SERVER_ERROR = "server-error"
    SERVER_ERROR_AFTER = "server-error-after"
    CUT_BEFORE = "cut-before"
    CUT_AFTER = "cut-after"
    EXPIRED_TOKEN = "expired-token"
    OUTAGE = "outage"
    SLOW_SUBMIT = "slow-submit"
    SLOW_ANSWER = "slow-answer"
    BAD_REQUEST = "bad-request"
    QUOTA_EXCEEDED = "quota-exceeded"
    NOT_FOUND = "not-found"
    CONFLICT = "conflict"
    GONE = "gone"
    DEVICE_OFFLINE = "device-offline"
    # ---
    SLOW_QUEUE = "slow-queue"
    JOB_FAILED = "job-failed"
    LATE_RESULT = "late-result"
    HIDDEN = "hidden"
    LATE_USAGE = "late-usage"
    OVERRUN = "overrun"
    LOST_RESULT = "lost-result"
    EXPIRED_RESULT = "expired-result"
    OTHER_PROGRAM = "other-program"
    CIRCUIT_FAILED = "circuit-failed"
    # ---
    DUPLICATE_ID = "duplicate-id"
    CORRUPT_RESULT = "corrupt-result"
    FOREIGN_RESULT = "foreign-result"
    HOSTILE_RESULT = "hostile-result"
    CANCEL_IGNORED = "cancel-ignored"
    SLOW_CANCEL = "slow-cancel"
    # ---
    DEVICE_LEFT = "device-left"
    DEVICE_PAUSED = "device-paused"


STATUSES: Mapping[Fault, int] = {
    Fault.BAD_REQUEST: 400,
    Fault.QUOTA_EXCEEDED: 402,
    Fault.NOT_FOUND: 404,
    Fault.CONFLICT: 409,
    Fault.GONE: 410,
    Fault.DEVICE_OFFLINE: 424,
}
"""HTTP status of each fault that refuses a request."""


ANY = "*"


@frozen
class Rule:
    """When to fail in one way.

    Args:
        fault: in which way.
        operation: name of the operation that fails, `*` for all.
        times: how often at most; None for no end.
        probability: of each occasion.
        seconds: how long, of what is slow, late or hidden, or kept by `expired-result`; to wait,
            of `too-many-requests`; of the device, beyond what the job's shots take, of `overrun`.
    """

    fault: Fault = field(converter=Fault)
    operation: str = ANY
    times: int | None = None
    probability: float = 1.0
    seconds: float = 1.0


def rule_from_text(text: str) -> Rule:
    """Return the rule of `FAULT[:OPERATION[:AMOUNT[:SECONDS]]]`.

    The amount is a probability if it has a decimal point, and a number of times if not; `*` stands
    for no end. For example `cut-after:submit:2` or `server-error:*:0.1`.

    Raises:
        InputError: if it is not of this form.
    """
    try:
        fault, operation, amount, seconds = text.split(":") + [""] * (3 - text.count(":"))
        return Rule(
            fault,
            operation or ANY,
            int(amount) if amount not in ("", ANY) and "." not in amount else None,
            float(amount) if "." in amount else 1.0,
            float(seconds or 1),
        )
    except ValueError as error:
        raise InputError(
            f"fault '{text}' is not FAULT[:OPERATION[:AMOUNT[:SECONDS]]]; faults: "
            f"{', '.join(Fault)}"
        ) from error


class Faults:
    """The rules in force. Each draws from a generator of its own, seeded by its place.

    So the same rules and the same requests in the same order fail in the same places.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._rules: list[_Counted] = []

    def add(self, rule: Rule) -> None:
        """Put one more rule in force."""
        with self._lock:
            generator = random.Random(f"{self._seed}:{len(self._rules)}")
            self._rules.append(_Counted(rule, generator))

    def clear(self) -> None:
        """Lift all rules."""
        with self._lock:
            self._rules.clear()

    def lift(self, fault: Fault) -> None:
        """Lift the rules of one fault."""
        with self._lock:
            self._rules = [counted for counted in self._rules if counted.rule.fault != fault]

    def fires(self, fault: Fault, operation: str) -> Rule | None:
        """Return the rule by which an operation fails now in this way, or None; it counts."""
        with self._lock:
            for counted in self._rules:
                if counted.matches(fault, operation) and counted.draws():
                    counted.fired += 1
                    return counted.rule
        return None

    def listed(self) -> list[Mapping[str, Any]]:
        """Return the rules as JSON objects, with how often each has `fired`."""
        with self._lock:
            return [
                {
                    "fault": counted.rule.fault.value,
                    "operation": counted.rule.operation,
                    "times": counted.rule.times,
                    "probability": counted.rule.probability,
                    "seconds": counted.rule.seconds,
                    "fired": counted.fired,
                }
                for counted in self._rules
            ]


class _Counted:
    def __init__(self, rule: Rule, generator: random.Random) -> None:
        self.rule = rule
        self.fired = 0
        self._generator = generator

    def matches(self, fault: Fault, operation: str) -> bool:
        left = self.rule.times is None or self.fired < self.rule.times
        return left and self.rule.fault == fault and self.rule.operation in (ANY, operation)

    def draws(self) -> bool:
        return self.rule.probability >= 1 or self._generator.random() < self.rule.probability
