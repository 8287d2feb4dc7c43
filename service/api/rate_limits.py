"""How often somebody may call: so many times a minute, and as many at once after a quiet one.

How many these are is `calls_a_minute` of `workers.settings`.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

MOST_KNOWN = 10_000
MINUTE = 60.0


class Rates:
    """Buckets that fill up again with time; safe to be shared by threads.

    Args:
        clock: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, who: Hashable, a_minute: int) -> int:
        """Count a call.

        Args:
            who: calls.
            a_minute: so many calls are allowed.

        Returns:
            whole seconds after which to come again, 0 if the call is allowed.
        """
        with self._lock:
            left = self._now_left(who, a_minute)
            allowed = left >= 1
            self._left[who] = (self._clock(), left - allowed)
            self._left.move_to_end(who)
            if len(self._left) > MOST_KNOWN:
                # Who has not called for longest has most likely a full bucket again.
                self._left.popitem(last=False)
        # Rounded first: 1.0000001 s are one second.
        return 0 if allowed else math.ceil(round((1 - left) * MINUTE / a_minute, 3)) or 1

    def exhausted(self, who: Hashable, a_minute: int) -> bool:
        """Tell whether a call would not be allowed now, without counting one."""
        with self._lock:
            return self._now_left(who, a_minute) < 1

    def _now_left(self, who: Hashable, a_minute: int) -> float:
        now = self._clock()
        at, left = self._left.get(who, (now, float(a_minute)))
        return min(a_minute, left + (now - at) * a_minute / MINUTE)
