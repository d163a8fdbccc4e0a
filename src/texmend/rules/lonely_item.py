r"""`\item` or `\bibitem` outside every list: the run of items gets its list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Scan

_ITEM = re.compile(r"\\(item|bibitem)(?![A-Za-z])")
_STOP = re.compile(
    r"\\(?:part|chapter|section|subsection|subsubsection|paragraph|appendix|end\s*\{|begin\s*\{(?!itemize|enumerate|description|equation|align|tabular|center|verbatim|lstlisting))"
)
_HEADING = re.compile(
    r"\\(?:section|chapter)\*?\s*\{\s*(?:References|Bibliography|REFERENCES|BIBLIOGRAPHY|Literature|Works Cited)\s*\}[ \t]*(?:\r\n|\n|\r)?\s*$"
)
_BLANK = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths for e in _in_text(scene.scan(p))]
    if edits:
        yield Fix(tuple(edits), "items outside every list get one")


def _in_text(scan: Scan) -> Iterator[Edit]:
    mask = masked(scan.text)
    start = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(mask)
    done = start
    for m in _ITEM.finditer(mask, start, stop):
        if m.start() < done or _listed(scan, m.start()):
            continue
        border = _STOP.search(mask, m.end(), stop)
        limit = border.start() if border else stop
        last = [x for x in _ITEM.finditer(mask, m.start(), limit) if x.group(1) == m.group(1)][-1]
        blank = _BLANK.search(mask, last.end(), limit)
        end = len(mask[: blank.start() if blank else limit].rstrip())
        done = end
        if m.group(1) == "bibitem":
            heading = _HEADING.search(mask[: m.start()])
            begin = heading.start() if heading else m.start()
            yield Edit(begin, m.start(), "\\begin{thebibliography}{99}\n")
            yield Edit(end, end, "\n\\end{thebibliography}")
        else:
            yield Edit(m.start(), m.start(), "\\begin{itemize}\n")
            yield Edit(end, end, "\n\\end{itemize}")


def _listed(scan: Scan, at: int) -> bool:
    return any(
        e.name not in ("document", "center", "frame", "block", "column", "columns", "minipage", "multicols", "abstract", "quote")
        for e in scan.environments_at(at)
    )


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="lonely-item",
    summary="Items outside every list get one; bibliography items get theirs, in place of a heading made by hand.",
    kinds=frozenset((Kind.ITEM_OUTSIDE_LIST,)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "items",
            _DOC % "Text:\n\\item a\n\\item b\n\nMore.",
            _DOC % "Text:\n\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}\n\nMore.",
            kind=Kind.ITEM_OUTSIDE_LIST,
        ),
        Case(
            "references",
            _DOC % "\\section*{References}\n\\bibitem{a} A.\n\n\\bibitem{b} B.",
            _DOC % "\\begin{thebibliography}{99}\n\\bibitem{a} A.\n\n\\bibitem{b} B.\n\\end{thebibliography}",
            kind=Kind.ITEM_OUTSIDE_LIST,
        ),
        Case("in a list", _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}", None, kind=Kind.ITEM_OUTSIDE_LIST),
    ),
)
