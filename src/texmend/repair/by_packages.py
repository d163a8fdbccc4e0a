"""Exact package recovery, only where texmend owns the tree: everything that is missing, as one batch, four rounds at most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from texmend.guard.packages import refuse_name
from texmend.model.diagnostic import Kind
from texmend.model.errors import PackagesUnavailable
from texmend.model.outcome import StopReason
from texmend.model.repair import PackageRepair, Situation
from texmend.ports import Lookup, PackageSource
from texmend.repair.by_rules import causes_first
from texmend.repair.remedy import Remedy, remedy
from texmend.repair.wanted import OPENTYPE, Wanted, by_log, by_source

ROUNDS = 4
"""Batches of one session (DESIGN section 3.2)."""
LARGEST_BATCH = 200
"""File names of one search."""


@dataclass
class ByPackages:
    """Proposes the packages that hold the missing files; asked before anybody else."""

    lookup: Lookup
    source: PackageSource
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> PackageRepair | StopReason | None:
        """One batch: what the log misses, what the sources load and what packages that came load. None when the first error is
        no matter of the environment.

        Raises:
            PackagesUnavailable: the repository cannot be asked, or a file is in several packages.
        """
        missed = list(dict.fromkeys(self._missed(situation)))
        if not missed:
            return None
        may_be_elsewhere = missed[0][0].endswith(OPENTYPE)  # a font of the system: others have their say when no package has it
        done = [a.repair for a in situation.attempts if isinstance(a.repair, PackageRepair)]
        if len(done) >= ROUNDS:
            return None if may_be_elsewhere else StopReason.RECOVERY_CAP
        came = tuple(p for r in done for p in r.packages)
        wanted = list(dict.fromkeys([*missed, *self._loaded(situation, came)]))[:LARGEST_BATCH]
        self._search(wanted)
        first = self._packages(missed[0])
        if len(first) > 1:
            raise PackagesUnavailable(f"{missed[0][0]} is in several packages: {', '.join(first)}", StopReason.AMBIGUOUS_PACKAGE)
        if not first or first[0] in came:
            return None if may_be_elsewhere else StopReason.PACKAGE_NOT_FOUND
        chosen = {w: p[0] for w in wanted if len(p := self._packages(w)) == 1 and p[0] not in came}
        packages = tuple(dict.fromkeys((*chosen.values(), *self.source.companions(tuple(chosen.values())))))
        files = tuple(next(n for n in w if self._found.get(n)) for w in chosen)
        return PackageRepair("packages:tlmgr", f"{', '.join(files)} from {', '.join(packages)}", packages, files)

    def _missed(self, situation: Situation) -> Iterator[Wanted]:
        """What the log misses, the first error's first; nothing if that is no matter of the environment."""
        for n, error in enumerate(causes_first(situation.draft.result.errors)):
            of_tree = error.kind is Kind.MISSING_FONT or (
                error.kind is not Kind.MISSING_TOOL and remedy(error, situation.draft.document, self.lookup) is Remedy.ENVIRONMENT
            )
            if of_tree and (names := by_log(error)) and not any(map(self.lookup.in_tree, names)):
                yield names
            elif n == 0:
                return

    def _loaded(self, situation: Situation, came: tuple[str, ...]) -> Iterator[Wanted]:
        """What the sources and the packages that came load and neither the project nor the tree has."""
        own = {f.rsplit("/", 1)[-1] for f in self.lookup.project_files()}
        for names in (*by_source(situation.draft.document), *((n,) for n in self.source.requires(came))):
            if not any(refuse_name(n) or n in own or self.lookup.in_tree(n) for n in names):
                yield names

    def _search(self, wanted: list[Wanted]) -> None:
        if asked := [n for n in dict.fromkeys(n for w in wanted for n in w) if n not in self._found]:
            self._found |= self.source.search(asked)

    def _packages(self, names: Wanted) -> tuple[str, ...]:
        """The packages of the first of these names that any package has."""
        return next((p for n in names if (p := self._found.get(n, ()))), ())
