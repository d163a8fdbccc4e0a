"""Turns what could not be looked at into a report, once for every use case."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from texmend.app.reporting import failure
from texmend.model.errors import TexmendError
from texmend.model.outcome import StopReason
from texmend.model.report import Report

P = ParamSpec("P")


def guarded(use_case: Callable[P, Report]) -> Callable[P, Report]:
    """The use case, whose TexmendError or interrupt is a report with the error's own stop reason."""

    @wraps(use_case)
    def run(*args: P.args, **kwargs: P.kwargs) -> Report:
        try:
            return use_case(*args, **kwargs)
        except TexmendError as e:
            return failure(e.reason, str(e))
        except KeyboardInterrupt:
            return failure(StopReason.CANCELLED, "stopped by you; nothing was written")

    return run
