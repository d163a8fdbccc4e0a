"""Exact package recovery, only where texmend owns the tree: what the log asks for, as one batch, four rounds at most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from texmend.guard.packages import refuse_name
from texmend.model.outcome import StopReason
from texmend.model.repair import PackageRepair, Situation
from texmend.ports import Lookup, PackageSource
from texmend.repair.by_rules import causes_first
from texmend.repair.remedy import Remedy, file_name, remedy

ROUNDS = 4
"""Batches of one session (DESIGN section 3.2)."""


@dataclass
class ByPackages:
    """Proposes the packages that hold the missing files; asked before anybody else."""

    lookup: Lookup
    source: PackageSource
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> PackageRepair | StopReason | None:
        """One batch for every missing file of the build; None when the first error is no matter of the environment.

        Raises:
            PackagesUnavailable: the repository cannot be asked.
        """
        wanted = list(dict.fromkeys(self._wanted(situation)))
        if not wanted:
            return None
        done = [a.repair for a in situation.attempts if isinstance(a.repair, PackageRepair)]
        if len(done) >= ROUNDS:
            return StopReason.RECOVERY_CAP
        packages = self._resolve(wanted)
        if isinstance(packages, StopReason):
            return packages
        known = {p for r in done for p in r.packages}
        new = tuple(dict.fromkeys(p for p in packages.values() if p not in known))
        if not new or wanted[0] not in packages:
            return StopReason.PACKAGE_NOT_FOUND
        why = f"{', '.join(n for n in wanted if n in packages)} from {', '.join(new)}"
        return PackageRepair("packages:tlmgr", why, new, tuple(packages))

    def _wanted(self, situation: Situation) -> Iterator[str]:
        """The missing files of the build, the first error's first; nothing if that is no matter of the environment."""
        document = situation.draft.document
        for n, error in enumerate(causes_first(situation.draft.result.errors)):
            if remedy(error, document, self.lookup) is Remedy.ENVIRONMENT and not refuse_name(name := file_name(error)):
                yield name
            elif n == 0:
                return

    def _resolve(self, wanted: list[str]) -> Mapping[str, str] | StopReason:
        """The one package of each file that has exactly one; the stop reason of the first file if it has none or several."""
        asked = [n for n in wanted if n not in self._found]
        if asked:
            self._found |= self.source.search(asked)
        match self._found.get(wanted[0], ()):
            case ():
                return StopReason.PACKAGE_NOT_FOUND
            case (_,):
                return {n: self._found[n][0] for n in wanted if len(self._found.get(n, ())) == 1}
            case _:
                return StopReason.AMBIGUOUS_PACKAGE
