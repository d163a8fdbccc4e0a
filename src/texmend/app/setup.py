"""`setup`: a TeX tree that texmend owns is installed, updated or removed in the user's data folder."""

from __future__ import annotations

from texmend.adapters.records.sessions import default_data_dir
from texmend.adapters.tree.installer import Installer, installed_packages
from texmend.adapters.tree.owned import Owned, Tree
from texmend.app.guarded import guarded
from texmend.model.errors import NotWritable
from texmend.model.installing import Action, SetupRequest, Steps, silent
from texmend.model.outcome import StopReason
from texmend.model.report import EnvironmentAction, Report


@guarded
def setup(request: SetupRequest, steps: Steps = silent) -> Report:
    """What was asked for is done; the tree that was in use before is as it was when it cannot be."""
    owned = Owned(default_data_dir() / "tex")
    installer = Installer(owned, steps)
    try:
        if request.action is Action.REMOVE:
            there = installer.remove()
            return _report("texmend's own TeX is removed" if there else "there is nothing to remove")
        before = owned.current()
        tree = installer.install(request)
    except OSError as e:
        raise NotWritable(f"{owned.folder}: {e.strerror or e}; TEXMEND_DATA names another folder") from e
    same = before is not None and before.folder == tree.folder
    return _report(_described(tree, "is there already (--update brings newer packages)" if same else "is ready"), tree)


def _described(tree: Tree, end: str) -> str:
    marker, packages = tree.marker, len(installed_packages(tree.folder))
    if tree.programs is None:
        return f"a tree of packages on top of the system's TeX Live {marker.release} {end}: {tree.folder}"
    return f"TeX Live {marker.release}, scheme {marker.scheme}, {packages} packages, {end}: {tree.folder}"


def _report(detail: str, tree: Tree | None = None) -> Report:
    done = (EnvironmentAction("installed", str(tree.folder), ""),) if tree else ()
    return Report(str(StopReason.VERIFIED.status), str(StopReason.VERIFIED), detail, environment_actions=done)
