"""Builds the compiler that a build or a session works with from the settings."""

from __future__ import annotations

import os

from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.sandbox import Rung, Sandbox, probe
from texmend.adapters.records.sessions import default_data_dir
from texmend.adapters.tree.owned import Owned
from texmend.adapters.tree.textree import find_tree
from texmend.adapters.tree.tlmgr import ManagedTree, managed_tree
from texmend.app.target import Target
from texmend.model import events
from texmend.model.errors import EngineMissing, SandboxUnavailable
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
    managed, notes = own_tree(settings)
    return LatexCompiler(
        work,
        sandbox(settings),
        listen,
        allow_shell_escape=settings.allow_shell_escape,
        isolated=settings.isolated,
        managed=managed,
        notes=notes,
    )


def _of_this_year(managed: ManagedTree) -> tuple[ManagedTree | None, tuple[str, ...]]:
    """Packages of another year do not fit the system's engines."""
    year, theirs = find_tree(os.environ).release, managed.tree.marker.release
    if year and theirs and year != theirs:
        return None, (
            f"texmend's packages are for TeX Live {theirs} and left out, this is {year}; `texmend setup --remove` removes them",
        )
    return managed, ()


def own_tree(settings: Settings) -> tuple[ManagedTree | None, tuple[str, ...]]:
    """The tree of texmend's own that a run works with, and what the user is told about it (docs/adr/0013).

    Raises:
        EngineMissing: the user wants it and no other, and it is not there or not whole.
    """
    if settings.tex == "system":
        return None, ()
    there = Owned(default_data_dir() / "tex").current()
    managed = managed_tree(default_data_dir()) if there else None
    if managed is None:
        fault = there.fault if there else "it is not installed"
        if settings.tex == "managed":
            raise EngineMissing(f"texmend's own TeX cannot be used: {fault}; `texmend setup` installs it")
        return None, ((f"texmend's own TeX is left out: {fault}; `texmend setup` mends it",) if there else ())
    if managed.programs is None:
        return _of_this_year(managed)
    return managed, (f"built with texmend's own TeX Live {managed.tree.marker.release} (--tex system uses the other one)",)
