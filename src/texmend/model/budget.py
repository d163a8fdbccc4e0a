"""What a session may spend. What was spent is read off the trail, not counted twice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one session (defaults: DESIGN section 1)."""

    model_rounds: int = 2
    package_rounds: int = 4
    wall_seconds: float = 600.0
    pass_seconds: float = 180.0
    tokens: int | None = None
    """Input and output together over all model calls; None: no limit."""
