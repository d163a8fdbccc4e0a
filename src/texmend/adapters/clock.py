"""The real clock."""

from __future__ import annotations

import time


class MonotonicClock:
    """Seconds that only grow, from an arbitrary start."""

    def now(self) -> float:
        return time.monotonic()
