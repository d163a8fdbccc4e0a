r"""What a document uses and nothing that it loads defines."""

from __future__ import annotations

from texmend.rules.base import Scene
from texmend.rules.missing import used_names
from texmend.rules.preamble import everything_loaded


def never_defined(scene: Scene) -> set[str]:
    """Commands of the document that neither it nor what it loads defines."""
    own = frozenset(n for p in scene.tex_paths for n in scene.scan(p).defined_names)
    return {n for n in used_names(scene.document) if n[:1] == "\\"} - own - scene.lookup.defined_commands(everything_loaded(scene))


def package_of_counter(scene: Scene, name: str) -> str | None:
    """The package that declares an unknown counter and also defines an unknown command: many declare a counter of any one name."""
    register = f"\\c@{name}"
    counts = scene.lookup.defining_most(sorted(never_defined(scene) | {register}))
    declaring = [p for p in scene.lookup.command_packages(register) if counts.get(p, 0) > 1]
    return max(declaring, key=lambda p: counts[p], default=None)
