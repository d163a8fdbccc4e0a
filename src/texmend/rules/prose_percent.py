r"""A per cent sign behind a number in running text, `50% of them`: TeX takes the rest of the line for a comment, without a word.
It is written `\%`. In an author's file only where it hides the end of a row or half of a formula, which the engine notices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Mode, Scan, T

_NUMBER = re.compile(r"(?:(?<![\w\\#.])\d+(?:[.,]\d+)*|(?<=\d)\$)(?:[ ~]|\\,)?\Z")
_GOES_ON = re.compile(r"%(?:[.,;:!?)\]}'’”]|\s*(?:\\\\|&)|[-–]?[ \t]+(?:\(?[a-zà-öø-ÿα-ωа-я]|\\?[&(]|[A-Z][a-z]+\s+[a-z]|[$\\]))")
"""What a sentence or a row says behind its number."""
_REMARK = re.compile(r"%+\s*(?:TODO|FIXME|NOTE|see\b|was\b|use\b|change|set\b|adjust|same\b|default|e\.g\.)", re.I)
_OF_TEX = re.compile(r"\\(?:set|addto)(?:length|counter)|\\(?:def|advance|kern|hskip|vskip|rule|penalty)\b|[a-z]\s*=\s*\S*\Z")
_ROW = re.compile(r"[^%]*?(?:\\\\|&)")
_TABLES = frozenset("tabular tabular* tabularx longtable tabulary array tblr xltabular".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        if scan.package or scan.body_start is None:
            continue
        edits += [(path, Edit(at, at, "\\")) for at in signs(scan, scene.is_draft)]
    if edits:
        yield Fix(tuple(edits), "a per cent sign behind a number hides the rest of its line: it is written \\%")


def signs(scan: Scan, draft: bool) -> Iterator[int]:
    """Where a sign stands for the words "per cent"; in a draft, and beside other signs that nobody escaped, in any sentence."""
    stop = scan.body_end if scan.body_end is not None else len(scan.text)
    for t in scan.tokens:
        if t.kind is not T.COMMENT or not (scan.body_start or 0) < t.start < stop:
            continue
        before = scan.line_text(scan.line_at(t.start))[: scan.column_at(t.start) - 1]
        in_row = any(e.name in _TABLES for e in scan.environments_at(t.start)) and _ROW.match(t.text[1:])
        if not (in_row or ((draft or _cuts(t.text)) and _is_prose(scan, t.start, before, t.text))):
            continue
        if (
            (_NUMBER.search(before) or _named(scan, draft, before, t.text) or (in_row and _is_unit(before, t.text)))
            and not _REMARK.match(t.text)
            and not _OF_TEX.search(before)
        ):
            yield t.start
            yield from (t.start + m.start() for m in re.finditer(r"(?<=\d)%|(?<=\d )%", t.text))


def _cuts(comment: str) -> bool:
    """Whether half of a formula or group is behind the sign: whoever wrote that took it for text."""
    return len(re.findall(r"(?<!\\)\$", comment)) % 2 == 1 or comment.count("{") != comment.count("}")


def _is_unit(before: str, comment: str) -> bool:
    """Whether the sign alone heads a column, `g & % \\\\` or `Yield (%) \\\\`, and hides the end of its cell."""
    return bool(re.search(r"(?:&|\(|\bin)[ ~]*\Z", before)) and bool(re.match(r"%\)?[ \t]*(?:\\\\|&)", comment))


def _named(scan: Scan, draft: bool, before: str, comment: str) -> bool:
    """Whether the sign is a unit without a number: `the content in %.`, `(%)`."""
    return draft and bool(re.search(r"(?:\b(?:in|of|en|von|als|as)[ ~]|\()\Z", before)) and bool(re.match(r"%[.,;:)]", comment))


def _is_prose(scan: Scan, at: int, before: str, comment: str) -> bool:
    if scan.mode_at(at) is Mode.MATH or any(d.start <= at < d.end for d in scan.definitions):
        return False
    if _GOES_ON.match(comment):
        return True
    words = len(re.findall(r"(?<![\\A-Za-z])[a-zà-ÿα-ωа-я]{2,}|[一-鿿]", before))
    return (comment.strip() == "%" and words >= 3) or bool(re.match(r"%[ \t]?[一-鿿，。；、）]", comment))


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="prose-percent",
    summary="A per cent sign behind a number, which hides the rest of a sentence or of a table's row, is written \\%.",
    kinds=frozenset(
        (
            Kind.EXTRA_ALIGNMENT,
            Kind.MISPLACED_ALIGNMENT,
            Kind.MATH_EXPECTED,
            Kind.MATH_UNCLOSED,
            Kind.EXTRA_BRACE,
            Kind.RUNAWAY_ARGUMENT,
            Kind.PARAGRAPH_IN_ARGUMENT,
            Kind.TEX_ERROR,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case(
            "a row",
            _DOC % "\\begin{tabular}{lr}\na & 46% \\\\\nb & 2 \\\\\n\\end{tabular}",
            _DOC % "\\begin{tabular}{lr}\na & 46\\% \\\\\nb & 2 \\\\\n\\end{tabular}",
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case(
            "the head of a column",
            _DOC % "\\begin{tabular}{lr}\na & % \\\\\nb & 2 \\\\\n\\end{tabular}",
            _DOC % "\\begin{tabular}{lr}\na & \\% \\\\\nb & 2 \\\\\n\\end{tabular}",
            kind=Kind.EXTRA_ALIGNMENT,
            builds=False,
        ),
        Case(
            "prose of an author that hides half of a formula",
            _DOC % "About 50% of $x and\n$y$ are.",
            _DOC % "About 50\\% of $x and\n$y$ are.",
            kind=Kind.MATH_EXPECTED,
            builds=False,
        ),
        Case("prose of an author", _DOC % "About 50% of them.", None, kind=Kind.EXTRA_ALIGNMENT),
        Case(
            "prose of a generated text",
            _DOC % "About 50% of them, 4 % or 5%.",
            _DOC % "About 50\\% of them, 4 \\% or 5\\%.",
            draft=True,
            builds=False,
        ),
        Case(
            "a unit without a number",
            _DOC % "The content in %. It is (%) low.",
            _DOC % "The content in \\%. It is (%) low.",
            draft=True,
            builds=False,
            settled=False,
        ),
        Case(
            "a remark, and a line end that does not count",
            _DOC % "\\vspace{3cm}% of the paper\n\\setlength{\\parskip}{1pt}\\hspace{2cm}%\nText 12 % TODO check",
            None,
            draft=True,
        ),
    ),
)
