r"""`\item` (or `\bibitem`) outside every list: the run of items gets its list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.commands import Command
from texmend.tex.scan import Scan, T

_NOT_LISTS = frozenset(
    """document center flushleft flushright quote quotation abstract minipage frame block column columns multicols
        titlepage figure table theorem
    lemma proof definition remark example tcolorbox alertblock exampleblock""".split()
)
_ENDS = frozenset(
    "\\" + n
    for n in """section subsection subsubsection chapter part paragraph begin end maketitle tableofcontents clearpage
        newpage bibliography
    bibliographystyle printbibliography appendix label_ vspace bigskip medskip""".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        if scan.package or (scan.body_start is None and path == scene.document.root.path):
            continue
        if any(e.name in ("itemize", "enumerate", "description") for e in scan.stray_ends):
            continue  # a list that lost its begin is another fault
        for name, run in _runs(scan):
            edits += [(path, e) for e in _listed(scan, name, run)]
    if edits:
        yield Fix(tuple(edits), "items outside every list get their list")


def _runs(scan: Scan) -> Iterator[tuple[str, list[Command]]]:
    """Lonely items that follow each other with nothing but their own text between them."""
    run: list[Command] = []
    for c in scan.commands("\\item", "\\bibitem"):
        if not _lonely(scan, c):
            continue
        if run and (c.name != run[-1].name or _end_of(scan, run[-1], c.start) < c.start):
            yield run[0].name, run
            run = []
        run.append(c)
    if run:
        yield run[0].name, run


def _lonely(scan: Scan, c: Command) -> bool:
    around = scan.environments_at(c.start)
    if any(d.start <= c.start < d.end for d in scan.definitions) or any(e.name not in _NOT_LISTS for e in around):
        return False
    group = scan.group_at(c.start)
    return group is None or bool(around and group.start < around[-1].start)


def _end_of(scan: Scan, last: Command, limit: int) -> int:
    """Where the text of an item ends: at a heading, an environment's border, or a blank line that no item follows."""
    i = scan.index_at(last.end)
    while i < len(scan.tokens) and scan.tokens[i].start < limit:
        t = scan.tokens[i]
        if t.kind is T.COMMAND and t.text in _ENDS and not _inner(scan, last, t.start):
            return t.start
        if t.kind is T.PARAGRAPH:
            nxt = next((x for x in scan.tokens[i + 1 : i + 4] if x.kind not in (T.COMMENT, T.NEWLINE, T.SPACE)), None)
            if nxt is None or nxt.text != last.name:
                return t.start
        i += 1
    return limit


def _inner(scan: Scan, last: Command, at: int) -> bool:
    """Whether the border belongs to an environment that starts inside the item."""
    return any(last.start < e.start <= at < e.end and e.closed for e in scan.environments)


def _listed(scan: Scan, name: str, run: list[Command]) -> Iterator[Edit]:
    around = scan.environments_at(run[0].start)
    stop = around[-1].end_start if around else (scan.body_end if scan.body_end is not None else len(scan.text))
    end = _end_of(scan, run[-1], stop)
    end = len(scan.text[:end].rstrip())
    if name == "\\bibitem":
        kind = "thebibliography}{99"
    else:
        labels = [bool(c.optional) for c in run]
        kind = "description" if all(labels) and all(re.search(r"[A-Za-z]{2}", c.optional[0].text) for c in run) else "itemize"
    yield Edit(run[0].start, run[0].start, f"\\begin{{{kind}}}\n")
    yield Edit(end, end, f"\n\\end{{{kind.partition('}')[0]}}}")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="lonely-item",
    summary=(
        "Items that stand outside every list are put into one: itemize, description where they have "
        "names, thebibliography for entries."
    ),
    kinds=frozenset((Kind.ITEM_OUTSIDE_LIST, Kind.LATEX_ERROR, Kind.UNDEFINED_COMMAND)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a run of items",
            _DOC % "Buy:\n\\item apples\n\\item pears\n\nDone.",
            _DOC % "Buy:\n\\begin{itemize}\n\\item apples\n\\item pears\n\\end{itemize}\n\nDone.",
            kind=Kind.ITEM_OUTSIDE_LIST,
        ),
        Case(
            "entries of a bibliography",
            _DOC % "A \\cite{a}.\n\\section{S}\n\\bibitem{a} Ax, one.\n\\bibitem{b} Bo, two.",
            _DOC
            % (
                "A \\cite{a}.\n\\section{S}\n\\begin{thebibliography}{99}\n\\bibitem{a} Ax, one.\n\\bibitem{b} "
                "Bo, two.\n\\end{thebibliography}"
            ),
            kind=Kind.ITEM_OUTSIDE_LIST,
        ),
        Case("in a list", _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}", None, kind=Kind.ITEM_OUTSIDE_LIST),
    ),
)
