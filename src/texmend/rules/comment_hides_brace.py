r"""A `%` that comments out a closing brace: in a caption or title it is a per cent sign; inside a `\def` it ends the
line's comment too late.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import T

_KINDS = frozenset(
    (
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.FATAL,
        Kind.EXTRA_BRACE,
        Kind.UNCLOSED_GROUP,
        Kind.UNDEFINED_COMMAND,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.MACRO_USE,
        Kind.NO_END_DOCUMENT,
        Kind.TEX_ERROR,
        Kind.MATH_EXPECTED,
        Kind.NO_BEGIN_DOCUMENT,
        Kind.LATEX_ERROR,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.NUMBER_EXPECTED,
        Kind.MATH_UNCLOSED,
        Kind.EXTRA_ALIGNMENT,
        Kind.MISPLACED_ALIGNMENT,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    escapes: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scanned = scene.scan(path)
        if not scanned.unclosed_groups:
            continue
        stop = scanned.document_end if scanned.document_end is not None else len(scanned.text)
        for t in scanned.tokens_in(0, stop):
            if (
                t.kind is T.COMMENT
                and "}" in t.text
                and _net(t.text) < 0
                and any(g.start < t.start for g in scanned.unclosed_groups)
            ):
                before = scanned.line_text(scanned.line_at(t.start))[: scanned.column_at(t.start) - 1]
                if t.text.startswith("%%") and not before.strip():
                    continue  # a line that is a comment
                if _is_remark(t.text, before):
                    yield _shortened(path, t.start, t.text)
                else:
                    escapes += [(path, Edit(at, at, "\\")) for at in _signs(t.start, t.text)]
    if escapes:
        yield Fix(tuple(escapes), "the per cent sign comments out the brace that closes the argument: it is written \\%")


def _signs(start: int, comment: str) -> Iterator[int]:
    """The per cent signs that are text: the first, and every further one that hides a brace again or stands behind a number."""
    yield start
    for m in re.finditer(r"(?<!\\)%", comment[1:]):
        if _net(comment[1 + m.start() :]) < 0 or re.search(r"\d ?$", comment[: 1 + m.start()]):
            yield start + 1 + m.start()


def _shortened(path: str, at: int, comment: str) -> Fix:
    cut = comment.rindex("}")
    new = "}" + comment[:cut].rstrip() + comment[cut + 1 :]
    return Fix(
        ((path, Edit(at, at + len(comment), new)),),
        "a comment hides the brace that closes the definition: the brace comes before it",
    )


def _is_remark(comment: str, before: str) -> bool:
    """A comment of words with one brace at its end, with a space behind the sign and no number before it: written as a remark."""
    words = bool(re.fullmatch(r"%+[ \t]+[^{}\\$%]*\}", comment.rstrip())) and len(comment.split()) > 2
    return words and not re.search(r"\d\s?$", before)


def _net(text: str) -> int:
    clean = re.sub(r"\\[{}]", "", text)
    return clean.count("{") - clean.count("}")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="comment-hides-brace",
    summary=(
        "A per cent sign that hides a closing brace is escaped where it is text, or its comment starts behind the"
        " brace where it is a remark."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    sanitizes=True,
    cases=(
        Case(
            "in a title",
            "\\documentclass{article}\n\\begin{document}\n\\section{Shares in %}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\section{Shares in \\%}\nText.\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "a remark in a definition",
            "\\documentclass{article}\n\\def\\who{A. Writer % the name of the author}\n\\begin{document}\n\\who\n\\end{document}\n",
            "\\documentclass{article}\n\\def\\who{A. Writer }% the name of the author\n\\begin{document}\n\\who\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "an honest comment",
            "\\documentclass{article}\n\\begin{document}\n\\textbf{a} % }\n\\end{document}\n",
            None,
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "a line that is a comment",
            "\\documentclass{article}\n%% \\{ for {  \\} for }\n%% and }\n\\begin{document}\n\\textbf{a\n\\end{document}\n",
            None,
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "a comment that TeX never reads",
            "\\documentclass{article}\n\\begin{document}\n\\textbf{a.\n\\end{document}\n%% Brace \\}  Tilde \\~}\n",
            None,
            kind=Kind.FILE_ENDED,
        ),
    ),
)
