"""The use cases as installed: each imports its part of `app` when it is called."""

from __future__ import annotations

from texmend.model.events import Listener
from texmend.model.report import Report
from texmend.settings import Settings


class Installed:
    """The real `UseCases`."""

    def fix(self, path: str, settings: Settings, listen: Listener) -> Report:
        from texmend import app

        return app.fix(path, settings, listen)

    def check(self, path: str, settings: Settings, listen: Listener) -> Report:
        from texmend import app

        return app.check(path, settings, listen)
