r"""Where packages are loaded, and how one more is: merged into a load that is there, or put where it works.

Place: before the first use in the preamble, after the loads that are there, before the packages that want to be last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from texmend.model.document import start_of_line
from texmend.model.repair import Edit
from texmend.rules.base import Scene
from texmend.rules.text import braced_end, masked, option_end, skip_blank, split_list

_LOAD = re.compile(
    r"\\(usepackage|RequirePackage|RequirePackageWithOptions|documentclass|LoadClass|LoadClassWithOptions)(?![A-Za-z@])"
)
_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
_LAST = (
    "hyperref",
    "cleveref",
    "bookmark",
    "glossaries",
    "glossaries-extra",
    "hyperxmp",
    "autonum",
    "nameref",
    "unicode-math",
    "natbib",
    "biblatex",
    "gb4e",
)
"""Packages before which another is put; those of `_AFTER` come behind them."""
_AFTER = frozenset(("cleveref", "glossaries", "glossaries-extra", "bookmark", "autonum", "hypcap", "hyperref"))
_CONDITION = re.compile(r"\\if(?:[A-Za-z@]*)(?![A-Za-z@])|\\fi(?![A-Za-z@])")


@dataclass(frozen=True, slots=True)
class Load:
    """One command that loads packages or a class."""

    path: str
    command: str
    start: int
    end: int
    options: tuple[int, int]
    """Span of the text inside the brackets; empty at the place where brackets would go."""
    bracketed: bool
    names: tuple[tuple[str, int, int], ...]
    """Each name with its span."""

    @property
    def is_class(self) -> bool:
        return self.command in ("documentclass", "LoadClass", "LoadClassWithOptions")


@lru_cache(maxsize=128)
def loads_in(path: str, text: str) -> tuple[Load, ...]:
    r"""Every load of a text that TeX reads, in order: none behind \end{document}."""
    mask = masked(text)
    end_document = mask.find(r"\end{document}")
    found = []
    for m in _LOAD.finditer(mask, 0, end_document if end_document >= 0 else len(mask)):
        at = skip_blank(mask, m.end())
        after = option_end(mask, at)
        brace = skip_blank(mask, after)
        end = braced_end(mask, brace)
        if end is None:
            continue
        bracketed = after > at
        options = (at + 1, after - 1) if bracketed else (m.end(), m.end())
        found.append(Load(path, m.group(1), m.start(), end, options, bracketed, _names(mask, brace + 1, end - 1)))
    return tuple(found)


def _names(mask: str, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
    return tuple((m.group(), m.start(), m.end()) for m in re.compile(r"[^\s,{}]+").finditer(mask, start, end))


def loads(scene: Scene) -> tuple[Load, ...]:
    """Every load of the document, the root's first."""
    return tuple(load for path in scene.tex_paths for load in loads_in(path, scene.document.text(path) or ""))


def loads_of(scene: Scene, name: str) -> tuple[Load, ...]:
    """The loads of a package, not of a class."""
    return tuple(load for load in loads(scene) if not load.is_class and any(n == name for n, _, _ in load.names))


def loaded(scene: Scene) -> frozenset[str]:
    """The packages that the document itself loads, by name."""
    return frozenset(n for load in loads(scene) if not load.is_class for n, _, _ in load.names)


def class_load(scene: Scene) -> Load | None:
    r"""The root's \documentclass."""
    path = scene.document.root.path
    found = [x for x in loads_in(path, scene.document.root_text) if x.command == "documentclass"]
    return found[0] if found else next((x for x in loads(scene) if x.command == "documentclass"), None)


def class_name(scene: Scene) -> str:
    """The document's class, empty if there is none."""
    load = class_load(scene)
    return load.names[0][0] if load and load.names else ""


def everything_loaded(scene: Scene) -> frozenset[str]:
    """Packages and classes together, as `Lookup.defined_commands` takes them."""
    return frozenset(n for load in loads(scene) for n, _, _ in load.names)


def body_start(text: str) -> int:
    r"""Where `\begin{document}` starts, the text's length if there is none."""
    m = _BEGIN_DOCUMENT.search(masked(text))
    return m.start() if m else len(text)


def option_list(scene: Scene, load: Load) -> list[str]:
    """The options of a load."""
    text = scene.document.text(load.path) or ""
    return split_list(masked(text)[load.options[0] : load.options[1]]) if load.bracketed else []


def add_options(scene: Scene, load: Load, options: Iterable[str]) -> list[tuple[str, Edit]]:
    """Edits that give a load the options that it has not got yet."""
    have = option_list(scene, load)
    new = [o for o in options if o not in have]
    if not new:
        return []
    at = load.options[1]
    if load.bracketed:
        text = scene.document.text(load.path) or ""
        inner = text[load.options[0] : at]
        at -= len(inner) - len(inner.rstrip())
        lead = "," if have and not inner.rstrip().endswith(",") else ""
        return [(load.path, Edit(at, at, lead + ",".join(new)))]
    return [(load.path, Edit(at, at, "[" + ",".join(new) + "]"))]


def add_package(scene: Scene, name: str, options: Iterable[str] = (), first_use: str = "") -> list[tuple[str, Edit]]:
    r"""Edits that load a package with these options: into the load that is there, else as a new line at the right place.

    Args:
        first_use: a command whose use in the preamble must come after the load.
    """
    options = tuple(options)
    if there := loads_of(scene, name):
        return _with_options(scene, there[0], name, options)
    bracket = f"[{','.join(options)}]" if options else ""
    return put_in_preamble(scene, f"\\usepackage{bracket}{{{name}}}", before=() if name in _AFTER else _LAST, first_use=first_use)


def _with_options(scene: Scene, load: Load, name: str, options: tuple[str, ...]) -> list[tuple[str, Edit]]:
    if len(load.names) == 1 or not options:
        return add_options(scene, load, options)
    taken = remove_name(scene, load, name)
    end = line_after(scene.document.text(load.path) or "", load.end)
    return [*taken, (load.path, Edit(end[0], end[0], f"{end[1]}\\usepackage[{','.join(options)}]{{{name}}}"))]


def remove_name(scene: Scene, load: Load, name: str) -> list[tuple[str, Edit]]:
    """Edits that take one name out of a load of several, or the whole load with its line."""
    text = scene.document.text(load.path) or ""
    spans = [(s, e) for n, s, e in load.names if n == name]
    if len(load.names) > 1:
        return [(load.path, Edit(*_with_comma(text, s, e), "")) for s, e in spans]
    return [(load.path, Edit(*whole_line(text, load.start, load.end), ""))] if spans else []


def _with_comma(text: str, start: int, end: int) -> tuple[int, int]:
    after = re.compile(r"\s*,\s*").match(text, end)
    if after:
        return start, after.end()
    before = re.search(r"\s*,\s*$", text[:start])
    return (before.start() if before else start), end


def whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """The span widened to its whole lines, line end included, where nothing else stands on them; else the span itself."""
    left = start_of_line(text, start)
    m = re.compile(r"[ \t]*(?:\r\n|\n|\r|$)").match(text, end)
    return (left, m.end()) if m and not text[left:start].strip() else (start, end)


def line_after(text: str, end: int) -> tuple[int, str]:
    """Where a new line can go in after a command, and the line end to start it with (empty when other text shares the line)."""
    m = re.compile(r"[ \t]*(?:%[^\r\n]*)?(?=[\r\n]|$)").match(text, end)
    return (m.end(), "\n") if m else (end, "")


def put_in_preamble(scene: Scene, line: str, before: Iterable[str] = (), first_use: str = "") -> list[tuple[str, Edit]]:
    r"""Edits that put a line into the root's preamble: behind its loads, ahead of those in `before` and of the first use."""
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    stop = body_start(text)
    class_end = max((x.end for x in loads_in(path, text) if x.command == "documentclass"), default=0)
    there = [x for x in loads_in(path, text) if class_end < x.start < stop and not x.is_class and not _conditional(mask, x.start)]
    names = frozenset(before)
    last = next((x for x in there if any(n in names for n, _, _ in x.names)), None)
    limit = min(last.start if last else stop, _first_use(mask, first_use, class_end, stop))
    behind = [x.end for x in there if x.end <= limit] or ([class_end] if class_end else [])
    if not behind:
        return [(path, Edit(0, 0, line + "\n"))]
    at, start = line_after(text, behind[-1])
    return [(path, Edit(at, at, start + line))]


def before_body(scene: Scene, line: str) -> list[tuple[str, Edit]]:
    """Edits that put a line last into the root's preamble, behind every package and setting."""
    path, text = scene.document.root.path, scene.document.root_text
    at = body_start(text)
    return put_in_preamble(scene, line) if at == len(text) else [(path, Edit(at, at, line + "\n"))]


def _first_use(mask: str, command: str, start: int, stop: int) -> int:
    if not command:
        return stop
    m = re.compile(re.escape(command) + r"(?![A-Za-z@])").search(mask, start, stop)
    if not m:
        return stop
    line = mask.rfind("\n", 0, m.start()) + 1
    return max(line, start)


def _conditional(mask: str, at: int) -> bool:
    r"""Whether the place lies between an `\if…` and its `\fi`, or inside braces."""
    depth = 0
    for m in _CONDITION.finditer(mask, 0, at):
        depth += -1 if m.group().startswith(r"\fi") else 1
    opened = mask.count("{", 0, at) - mask.count("\\{", 0, at) - mask.count("}", 0, at) + mask.count("\\}", 0, at)
    return depth > 0 or opened > 0
