"""Builds the compiler that a build or a session works with from the settings."""

from __future__ import annotations

from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.sandbox import Rung, Sandbox, probe
from texmend.adapters.records.sessions import default_data_dir
from texmend.adapters.tree.tlmgr import managed_tree
from texmend.app.target import Target
from texmend.model import events
from texmend.model.errors import SandboxUnavailable
from texmend.project.inputs import session_files
from texmend.settings import Settings


def sandbox(settings: Settings) -> Sandbox:
    """The best box that works here.

    Raises:
        SandboxUnavailable: one was required, and none does.
    """
    found = probe()
    if found.rung is Rung.NONE and (settings.require_sandbox or settings.allow_shell_escape):
        raise SandboxUnavailable("no sandbox works on this machine (install bubblewrap, or allow user namespaces)")
    return found


def compiler(target: Target, work: WorkCopy, settings: Settings, listen: events.Listener) -> LatexCompiler:
    """A compiler on the session's own copy of the workspace."""
    work.stage(target.workspace, session_files(target.files, target.document.root.path))
    tree = managed_tree(default_data_dir())
    return LatexCompiler(
        work,
        sandbox(settings),
        listen,
        allow_shell_escape=settings.allow_shell_escape,
        isolated=settings.isolated,
        managed=tree.folder if tree else None,
    )
