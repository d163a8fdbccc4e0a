"""The use cases as installed: each imports its part of `app` when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from texmend.model.evaluation import CaseRow, Evaluation, Plan
    from texmend.model.events import Listener
    from texmend.model.installing import SetupRequest, Steps
    from texmend.model.report import Finding, Report, SessionLine
    from texmend.settings import Settings


class Installed:
    """The real `UseCases`."""

    def fix(self, path: str, settings: Settings, listen: Listener) -> Report:
        from texmend.app.fix import fix

        return fix(path, settings, listen)

    def check(self, path: str, settings: Settings, listen: Listener) -> Report:
        from texmend.app.check import check

        return check(path, settings, listen)

    def undo(self, session: str | None, settings: Settings, listen: Listener) -> Report:
        from texmend.app.history import undo

        return undo(session, settings, listen)

    def done(self, session: str | None, settings: Settings) -> Report:
        from texmend.app.history import done

        return done(session, settings)

    def show(self, session: str | None, settings: Settings, verify: bool) -> Report:
        from texmend.app.history import show

        return show(session, settings, verify)

    def sessions(self, settings: Settings) -> Sequence[SessionLine]:
        from texmend.app.history import sessions

        return sessions(settings)

    def export(self, path: str, output: str | None, settings: Settings) -> Report:
        from texmend.app.packing import export

        return export(path, output, settings)

    def report(self, session: str | None, output: str | None, settings: Settings) -> Report:
        from texmend.app.packing import report

        return report(session, output, settings)

    def setup(self, request: SetupRequest, steps: Steps) -> Report:
        from texmend.app.setup import setup

        return setup(request, steps)

    def doctor(self, settings: Settings) -> Sequence[Finding]:
        from texmend.app.doctor import doctor

        return doctor(settings)

    def evaluate(self, plan: Plan, settings: Settings, done: Callable[[str, CaseRow], None]) -> Evaluation:
        from texmend.app.evaluation import evaluate

        return evaluate(plan, settings, done)
