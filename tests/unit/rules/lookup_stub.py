"""A Lookup of fixed answers: a small tree, enough for the rules' own cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from texmend.tex.renown import COMMANDS, COMMON, ENVIRONMENTS, WRITTEN

_ENVIRONMENTS = frozenset(
    "document itemize enumerate description center flushleft flushright quote quotation verse figure table tabular array equation displaymath math "
    "abstract minipage titlepage thebibliography verbatim picture list figure* table* tabular* eqnarray eqnarray* trivlist".split()
)


@dataclass(frozen=True)
class SmallTree:
    files: tuple[str, ...] = ()
    names: Mapping[str, frozenset[str]] = field(default_factory=dict)
    index: frozenset[str] = frozenset()

    def project_files(self) -> Sequence[str]:
        return self.files

    def in_tree(self, name: str) -> str | None:
        suffix = "." + name.partition(".")[2]
        return f"/tree/{name}" if name in self.tree_names(suffix) else None

    def in_index(self, name: str) -> bool:
        return name in self.index

    def tree_names(self, suffix: str) -> frozenset[str]:
        if suffix in self.names:
            return self.names[suffix]
        known = {
            ".pdf": ("example-image",),
            ".sty": (*COMMON, "scrlayer-scrpage"),
            ".cls": ("article", "report", "book", "letter", "beamer", "amsart", "memoir"),
            ".bst": ("plain", "unsrt", "alpha", "abbrv", "plainnat"),
            ".bbx": ("numeric", "authoryear", "alphabetic"),
            ".code.tex": (
                "tikzlibrarypositioning",
                "tikzlibrarycalc",
                "tikzlibraryarrows",
                "tikzlibraryshapes",
                "tikzlibraryarrows.meta",
                "tikzlibrarypgfplots.fillbetween",
            ),
            ".ldf": ("german", "ngerman", "english", "american", "french", "gloss-german", "gloss-english"),
        }
        return frozenset(n + suffix for n in known.get(suffix, ()))

    def command_packages(self, command: str) -> Sequence[str]:
        return COMMANDS.get(command, ())

    def defining_most(self, commands: Sequence[str]) -> Mapping[str, int]:
        return Counter(p for c in commands for p in COMMANDS.get(c, ()))

    def environment_packages(self, name: str) -> Sequence[str]:
        return ENVIRONMENTS.get(name, ())

    def defined_commands(self, packages: frozenset[str]) -> frozenset[str]:
        return (WRITTEN - COMMANDS.keys()) | {c for c, defining in COMMANDS.items() if defining[0] in packages}

    def defined_environments(self, packages: frozenset[str]) -> frozenset[str]:
        return _ENVIRONMENTS | {e for e, defining in ENVIRONMENTS.items() if defining[0] in packages}

    def options(self, package: str) -> frozenset[str]:
        return frozenset()
