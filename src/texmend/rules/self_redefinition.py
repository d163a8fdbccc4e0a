r"""A command or environment redefined by itself, which never ends: the old meaning is kept under a name of its own.

`\renewcommand{\emph}[1]{\emph{#1}}` becomes `\let\originalemph\emph` and a definition that uses `\originalemph`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded
from texmend.rules.text import braced_end, masked, skip_blank
from texmend.tex.commands import Definition

_KINDS = frozenset(
    (
        Kind.TIMEOUT,
        Kind.CAPACITY,
        Kind.OUTPUT_LIMIT,
        Kind.MEMORY_LIMIT,
        Kind.ENGINE_CRASH,
        Kind.NESTING_TOO_DEEP,
        Kind.TEX_ERROR,
        Kind.FATAL,
    )
)
_REDEFINE = frozenset(
    (r"\renewcommand", r"\def", r"\gdef", r"\DeclareRobustCommand", r"\RenewDocumentCommand", r"\DeclareDocumentCommand")
)
_COPIED = frozenset((r"\DeclareRobustCommand", r"\RenewDocumentCommand", r"\DeclareDocumentCommand"))
r"""A plain \let would keep only the outer shell of what these make anew (ltcmd.dtx, \NewCommandCopy)."""


_LETTERS = "abcdijklortuvHLOPS"
"""Commands of one letter that LaTeX gives authors: accents and letters."""


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    names: list[str] = []
    for path in scene.tex_paths:
        for d in scene.scan(path).definitions:
            new = list(_of_environment(scene, path, d) if d.by == r"\renewenvironment" else _of_command(scene, path, d))
            edits += new
            names += [d.name] if new else []
    if edits:
        listed = ", ".join(dict.fromkeys(names))
        yield Fix(tuple(edits), f"{listed} is redefined by itself, which never ends: the old meaning gets a name of its own")
    elif scene.placeholders:
        yield from _without_meaning(scene)


def _without_meaning(scene: Scene) -> Iterator[Fix]:
    """A new command or environment that is nothing but itself: it does without itself, so that its content is there."""
    edits: list[tuple[str, Edit]] = []
    names: list[str] = []
    for path in scene.tex_paths:
        for d in scene.scan(path).definitions:
            if d.by in _NEW and d.body_span is not None and not _has_old_meaning(scene, path, d):
                new = [(path, Edit(*span, "")) for span in _calls(masked(scene.document.text(path) or ""), d)]
                edits += new
                names += [d.name] if new else []
    if edits:
        listed = ", ".join(dict.fromkeys(names))
        yield Fix(tuple(edits), f"{listed} is defined by itself alone: its content stands there plainly", tuple(names), sure=False)


_NEW = frozenset((r"\newcommand", r"\newenvironment", r"\NewDocumentCommand", r"\NewDocumentEnvironment"))


def _calls(mask: str, d: Definition) -> Iterator[tuple[int, int]]:
    """Where a definition uses what it defines: a command's name, or the begin and the end of an environment."""
    assert d.body_span is not None
    if d.name.startswith("\\"):
        yield from (m.span() for m in _word(d.name).finditer(mask, *d.body_span))
        return
    stop = braced_end(mask, skip_blank(mask, d.body_span[1] + 1))
    marks = re.compile(r"\\(?:begin|end)\s*\{" + re.escape(d.name) + r"\}")
    found = [m.span() for m in marks.finditer(mask, d.body_span[0], stop or d.body_span[1])]
    yield from found if len(found) == 2 else ()


def _of_command(scene: Scene, path: str, d: Definition) -> Iterator[tuple[str, Edit]]:
    if d.by not in _REDEFINE or d.body_span is None:
        return
    mask = masked(scene.document.text(path) or "")
    uses = list(_word(d.name).finditer(mask, *d.body_span))
    if not uses or _is_saved(mask[slice(*d.body_span)], d.name) or not _has_old_meaning(scene, path, d):
        return
    kept = _kept_already(scene, path, d)
    old = kept or _free_name(scene, "\\original" + d.name[1:])
    if not kept:
        head = mask[d.name_span[1] : d.body_span[0]]
        copied = d.by in _COPIED or head.count("[") > 1
        line = f"\\NewCommandCopy{{{old}}}{{{d.name}}}\n" if copied else f"\\let{old}{d.name}\n"
        yield path, Edit(d.start, d.start, line)
    for m in uses:
        yield path, Edit(m.start(), m.end(), old)


def _of_environment(scene: Scene, path: str, d: Definition) -> Iterator[tuple[str, Edit]]:
    if d.body_span is None:
        return
    mask = masked(scene.document.text(path) or "")
    second = skip_blank(mask, d.body_span[1] + 1)
    stop = braced_end(mask, second)
    marks = re.compile(r"\\(?:begin|end)\s*\{(" + re.escape(d.name) + r")\}")
    uses = list(marks.finditer(mask, d.body_span[0], stop if stop is not None else d.body_span[1]))
    if stop is None or len(uses) != 2 or not d.name.isalpha():
        return
    if d.name not in scene.lookup.defined_environments(everything_loaded(scene)):
        return
    old = _free_name(scene, "\\original" + d.name)[1:]
    yield path, Edit(d.start, d.start, f"\\let\\{old}\\{d.name}\n\\let\\end{old}\\end{d.name}\n")
    for m in uses:
        yield path, Edit(m.start(1), m.end(1), old)


def _word(name: str) -> re.Pattern[str]:
    ending = r"(?![A-Za-z@])" if name[-1].isalpha() else ""
    return re.compile(r"(?<!\\)" + re.escape(name) + ending)


def _is_saved(body: str, name: str) -> bool:
    r"""Whether the definition itself gives the name another meaning before it uses it, or only writes it down."""
    return bool(re.search(r"\\(?:let|def|noexpand|string|unexpanded|expandafter)\s*" + re.escape(name) + r"(?![A-Za-z@])", body))


def _has_old_meaning(scene: Scene, path: str, d: Definition) -> bool:
    """Whether something defines the name before this definition does."""
    others = [(p, x) for p in scene.tex_paths for x in scene.scan(p).definitions if x.name == d.name and x.kind != "let"]
    if any(p != path or x.start < d.start for p, x in others):
        return True
    if len(d.name) == 2 and d.name[1] not in _LETTERS:
        return False  # a scratch name of the kernel, without a meaning outside it
    loaded = everything_loaded(scene)
    return d.name in scene.lookup.defined_commands(loaded) | scene.lookup.defined_environments(loaded)


def _kept_already(scene: Scene, path: str, d: Definition) -> str | None:
    r"""The name under which the author's own \let before the definition keeps the old meaning."""
    mask = masked(scene.document.text(path) or "")
    m = re.compile(r"\\let\s*(\\[A-Za-z@]+)\s*=?\s*" + re.escape(d.name) + r"(?![A-Za-z@])").search(mask, 0, d.start)
    return m[1] if m and m[1] != d.name else None


def _free_name(scene: Scene, name: str) -> str:
    texts = [scene.document.text(p) or "" for p in scene.tex_paths]
    while any(_word(name).search(t) for t in texts):
        name += "x"
    return name


_DOC = "\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="self-redefinition",
    summary="A command or environment redefined by itself never ends: the old meaning is kept under a name of its own.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case(
            "an environment that nothing else defines",
            _DOC % ("\\newenvironment{memo}[1]{\\begin{memo}[#1] \\itshape}{\\end{memo}}", "\\begin{memo}{A}B\\end{memo}"),
            _DOC % ("\\newenvironment{memo}[1]{[#1] \\itshape}{}", "\\begin{memo}{A}B\\end{memo}"),
            kind=Kind.CAPACITY,
            placeholders=True,
        ),
        Case(
            "a command that nothing else defines",
            _DOC % ("\\newcommand{\\keyterm}[1]{\\keyterm{#1}}", "\\keyterm{A}"),
            _DOC % ("\\newcommand{\\keyterm}[1]{{#1}}", "\\keyterm{A}"),
            kind=Kind.CAPACITY,
            placeholders=True,
        ),
        Case(
            "a command of LaTeX",
            _DOC % ("\\renewcommand{\\emph}[1]{\\emph{#1}!}", "\\emph{A}"),
            _DOC % ("\\let\\originalemph\\emph\n\\renewcommand{\\emph}[1]{\\originalemph{#1}!}", "\\emph{A}"),
            kind=Kind.TIMEOUT,
        ),
        Case(
            "an accent",
            _DOC % ("\\renewcommand{\\vec}[1]{\\mathbf{\\vec{#1}}}", "$\\vec{x}$"),
            _DOC % ("\\let\\originalvec\\vec\n\\renewcommand{\\vec}[1]{\\mathbf{\\originalvec{#1}}}", "$\\vec{x}$"),
            kind=Kind.CAPACITY,
        ),
        Case(
            "the author kept the old meaning and forgot to use it",
            _DOC % ("\\let\\oldhrule\\hrule\n\\def\\hrule{\\hrule height 2pt}", "\\hrule"),
            _DOC % ("\\let\\oldhrule\\hrule\n\\def\\hrule{\\oldhrule height 2pt}", "\\hrule"),
            kind=Kind.TIMEOUT,
        ),
        Case(
            "an environment",
            _DOC % ("\\renewenvironment{quote}{\\begin{quote}\\itshape}{\\end{quote}}", "\\begin{quote}A\\end{quote}"),
            _DOC
            % (
                "\\let\\originalquote\\quote\n\\let\\endoriginalquote\\endquote\n"
                "\\renewenvironment{quote}{\\begin{originalquote}\\itshape}{\\end{originalquote}}",
                "\\begin{quote}A\\end{quote}",
            ),
            kind=Kind.CAPACITY,
        ),
        Case("a name without an old meaning", _DOC % ("\\def\\again{a\\again}", "\\again"), None, kind=Kind.CAPACITY),
        Case(
            "kept and used",
            _DOC % ("\\let\\oldemph\\emph\n\\renewcommand{\\emph}[1]{\\oldemph{#1}}", "\\emph{A}\\loop\\iftrue\\repeat"),
            None,
            kind=Kind.TIMEOUT,
        ),
    ),
)
