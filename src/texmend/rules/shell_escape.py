r"""minted without shell escape: the code is set by listings, line by line as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.fragile_frame import marks
from texmend.rules.preamble import add_package, class_name, loaded, loads_of
from texmend.rules.text import braced_end, option_end, skip_blank

_LANGUAGES = {
    "c": "C",
    "cpp": "C++",
    "c++": "C++",
    "python": "Python",
    "python3": "Python",
    "py": "Python",
    "java": "Java",
    "bash": "bash",
    "sh": "sh",
    "html": "HTML",
    "xml": "XML",
    "sql": "SQL",
    "r": "R",
    "matlab": "Matlab",
    "octave": "Octave",
    "php": "PHP",
    "perl": "Perl",
    "ruby": "Ruby",
    "haskell": "Haskell",
    "fortran": "Fortran",
    "lua": "[5.0]Lua",
    "latex": "[LaTeX]TeX",
    "tex": "TeX",
    "make": "make",
    "pascal": "Pascal",
    "scala": "Scala",
    "prolog": "Prolog",
}
_BEGIN = re.compile(r"\\begin\s*\{minted\}")
_END = re.compile(r"\\end\s*\{minted\}")
_INLINE = re.compile(r"\\(mintinline|mint)(?![A-Za-z])")
_SETTINGS = re.compile(
    r"\\(?:setminted|setmintedinline)(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}|\\usemintedstyle(?:\[[^\]]*\])?\{[^{}]*\}"
)
_KEPT = {"caption": "caption", "label": "label", "firstline": "firstline", "lastline": "lastline", "firstnumber": "firstnumber"}
_KINDS = frozenset((Kind.SHELL_ESCAPE, Kind.MISSING_TOOL, Kind.UNDEFINED_ENVIRONMENT))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    unloaded = d is not None and d.kind is Kind.UNDEFINED_ENVIRONMENT
    if (d and unloaded and d.subject != "minted") or not (scene.is_draft or scene.placeholders):
        return
    if unloaded is ("minted" in loaded(scene)):
        return  # an author chose minted: only a generated document, or one that may have stand-ins, is set otherwise
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        if "newminted" in text or "inputminted" in text or "newmint" in text:
            return
        edits += [(path, e) for e in _rewritten(text)]
    for load in loads_of(scene, "minted"):
        with_listings = "listings" in loaded(scene)
        if len(load.names) == 1:
            edits.append((load.path, Edit(load.start, load.end, "" if with_listings else r"\usepackage{listings}")))
        else:
            edits += [(load.path, Edit(s, e, "listings")) for n, s, e in load.names if n == "minted"]
    if unloaded:
        edits += add_package(scene, "listings")
    if class_name(scene) == "beamer":
        edits += marks(scene)
    yield Fix(tuple(edits), "minted needs a program to be run, which a safe build does not do: listings sets the code")


def _rewritten(text: str) -> Iterator[Edit]:
    for m in _BEGIN.finditer(text):
        at = skip_blank(text, m.end())
        after = option_end(text, at)
        brace = skip_blank(text, after)
        end = braced_end(text, brace)
        if end is None:
            continue
        language = text[brace + 1 : end - 1].strip().lower()
        options = _options(text[at + 1 : after - 1] if after > at else "", language)
        yield Edit(m.start(), end, f"\\begin{{lstlisting}}[{options}]")
    yield from (Edit(m.start(), m.end(), r"\end{lstlisting}") for m in _END.finditer(text))
    for m in _INLINE.finditer(text):
        at = option_end(text, m.end())
        end = braced_end(text, at)
        if end is not None:
            yield Edit(m.start(), end, r"\lstinline[basicstyle=\ttfamily]")
    yield from (Edit(m.start(), m.end(), "") for m in _SETTINGS.finditer(text))


def _options(given: str, language: str) -> str:
    parts = [f"language={_LANGUAGES[language]}"] if language in _LANGUAGES else []
    parts += [r"basicstyle=\ttfamily", "columns=fullflexible", "keepspaces=true"]
    if re.search(r"\blinenos\b(?!\s*=\s*false)", given):
        parts.append("numbers=left")
    if "breaklines" in given:
        parts.append("breaklines=true")
    for m in re.finditer(r"(\w+)\s*=\s*(\{[^{}]*\}|[^,\]]+)", given):
        if m.group(1) in _KEPT:
            parts.append(f"{_KEPT[m.group(1)]}={m.group(2)}")
    return ",".join(parts)


_DOC = "\\documentclass{article}\n\\usepackage{%s}\n\\begin{document}\n%s\n\\end{document}\n"
_STYLE = r"language=C,basicstyle=\ttfamily,columns=fullflexible,keepspaces=true"
RULE = Rule(
    name="shell-escape",
    summary=(
        "minted runs a program, which a safe build does not allow: in a generated document, or where stand-ins ar"
        "e allowed, listings sets the same code."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a listing",
            _DOC % ("minted", "\\begin{minted}{c}\nint a;\n\\end{minted}"),
            _DOC % ("listings", f"\\begin{{lstlisting}}[{_STYLE}]\nint a;\n\\end{{lstlisting}}"),
            kind=Kind.SHELL_ESCAPE,
            placeholders=True,
        ),
        Case(
            "not even loaded",
            "\\documentclass{article}\n\\begin{document}\n\\begin{minted}{c}\nint a;\n\\end{minted}\n\\end{document}\n",
            _DOC % ("listings", f"\\begin{{lstlisting}}[{_STYLE}]\nint a;\n\\end{{lstlisting}}"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="minted",
            placeholders=True,
        ),
        Case(
            "an author's own document",
            _DOC % ("minted", "\\begin{minted}{c}\nint a;\n\\end{minted}"),
            None,
            kind=Kind.SHELL_ESCAPE,
        ),
        Case("not minted", _DOC % ("listings", "Text."), None, kind=Kind.SHELL_ESCAPE),
    ),
)
