"""The composition root: builds the parts from Settings and runs the use cases that every face calls.

Every function returns a Report and never raises but for a bug: bad input, a refusal and a stop are reports too.
"""

from __future__ import annotations

from texmend.model import events
from texmend.model.report import Report
from texmend.settings import Settings


def fix(path: str, settings: Settings, listen: events.Listener = events.ignore) -> Report:
    """Compile, repair and verify the document at `path`; writes beside it only when verified."""
    raise NotImplementedError


def check(path: str, settings: Settings, listen: events.Listener = events.ignore) -> Report:
    """Compile the document and report what is wrong; writes nothing in the workspace."""
    raise NotImplementedError
