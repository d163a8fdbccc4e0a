"""Builds the loop's parts from the settings: the repairers in the order of their cost, the gates' budget, the model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.pdf import page_text
from texmend.adapters.clock import MonotonicClock
from texmend.adapters.tree.lookup import TreeLookup
from texmend.adapters.tree.treefiles import tree_files
from texmend.app.target import Target
from texmend.loop.machine import Bench
from texmend.model import events
from texmend.model.budget import Budget
from texmend.ports import Lookup, ModelClient, Repairer
from texmend.repair.as_written import AsWritten
from texmend.repair.by_engine import ByEngine
from texmend.repair.by_packages import ByPackages
from texmend.repair.by_rules import ByRules
from texmend.repair.by_search import BySearch
from texmend.repair.in_two_steps import InTwoSteps
from texmend.settings import Settings


def lookup(target: Target, compiles: LatexCompiler | None = None, seconds: float = Settings().wall_budget) -> TreeLookup:
    """What the project and the TeX tree that is built with hold (without a compiler, the tree on the search path); it follows that
    tree when packages come.

    Args:
        seconds: of the session, from now; it waits no longer for another one that reads the tree.
    """
    managed = compiles.managed if compiles else None
    found = TreeLookup(target.workspace, project_files=tuple(target.files.paths()), tree=tree_files(managed), seconds=seconds)
    if managed:
        managed.moved.append(lambda: found.look_again(tree_files(managed)))
    return found


def bench(
    compiles: LatexCompiler, found: Lookup, settings: Settings, listen: events.Listener, client: ModelClient | None = None
) -> Bench:
    """The loop's parts: repairers in the order of their cost, the model (of `app.models.opened_model`) last, if there is one."""
    tree = compiles.managed
    recovery: Sequence[Repairer] = [ByPackages(found, tree)] if tree else []
    by_search = BySearch(found, EngineJudge(compiles))
    by_rules = ByRules(found)
    repairers = (*recovery, ByEngine(found, settings.write_engine), by_rules, InTwoSteps(by_rules), by_search, AsWritten())
    return Bench(
        compiles,
        repairers,
        _model(client, settings, listen),
        MonotonicClock(),
        listen,
        found,
        lambda pdf: page_text(Path(pdf.path)),
        tree,
    )


def _model(client: ModelClient | None, settings: Settings, listen: events.Listener) -> Repairer | None:
    if client is None:
        return None
    from texmend.app.models import strategy
    from texmend.repair.by_model import ByModel

    return ByModel(client, listen, strategy=strategy(client, settings))


def budget(settings: Settings) -> Budget:
    """The session's limits."""
    return Budget(settings.rounds, 4, settings.wall_budget, settings.pass_timeout, settings.token_budget)
