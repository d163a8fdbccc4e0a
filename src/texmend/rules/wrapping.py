r"""What a language model wraps around a document: code fences, prose before \documentclass, thinking tags, a JSON string."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.text import masked

_CLASS = re.compile(r"\\document(?:class|style)(?![A-Za-z])")
_PREAMBLE_START = re.compile(r"^[ \t\ufeff]*(?:%|\\(?!\\)[A-Za-z@]{3,})", re.M)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*$", re.M)
_TAGS = re.compile(r"<(think|thinking|reasoning|reflection|analysis|scratchpad)>.*?</\1>[ \t]*(?:\r\n|\n|\r)?", re.S | re.I)
_LONE_TAGS = re.compile(
    r"^[ \t]*</?(?:think|thinking|answer|output|latex|document|code|response|result)>[ \t]*(?:\r\n|\n|\r|$)", re.M | re.I
)


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    edits = [*_head(text), *_fences(scene, path, text)]
    if edits:
        yield Fix(tuple((path, e) for e in edits), "text around the document that LaTeX would print or stumble over is taken away")


def _class_start(text: str) -> int:
    """Where the class is named, thoughts before it not counted; 0 if it is not."""
    start = 0
    while tag := _TAGS.match(text, start + len(text[start:]) - len(text[start:].lstrip())):
        start = tag.end()
    m = _CLASS.search(masked(text), start)
    return m.start() if m else 0


def _head(text: str) -> Iterator[Edit]:
    """What stands before the preamble: no comment, no command."""
    class_at = _class_start(text)
    start = max((t.end() for t in _TAGS.finditer(text, 0, class_at)), default=0)
    first = _PREAMBLE_START.search(text, start, class_at + 1)
    end = min(first.start() if first and _is_preamble(text, first, class_at) else class_at, class_at)
    if text[:end].strip(" \t\r\n\ufeff"):
        yield Edit(0, end, "")


def _is_preamble(text: str, first: re.Match[str], stop: int) -> bool:
    """Whether everything from the first command or comment to the class is comments, commands and blank lines."""
    lines = text[first.start() : stop].splitlines()
    return all(not x.strip() or x.lstrip().startswith(("%", "\\", "}", "{", "[")) for x in lines)


def _fences(scene: Scene, path: str, text: str) -> Iterator[Edit]:
    """Fence lines inside the document, and thinking tags."""
    mask = masked(text)
    start = _class_start(text)
    end = scene.scan(path).document_end
    stop = end if end is not None else len(text)
    tags = [t.span() for t in _TAGS.finditer(mask, start, stop)] + [t.span() for t in _LONE_TAGS.finditer(mask, start, stop)]
    for span in tags:
        yield Edit(*span, "")
    for f in _FENCE.finditer(mask, start, stop):
        if not any(a <= f.start() < b for a, b in tags):
            after = re.compile(r"\r\n|\n|\r").match(text, f.end())
            yield Edit(f.start(), after.end() if after else f.end(), "")


_BODY = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="wrapping",
    summary="Code fences, chat prose before the class, thinking tags: what a language model puts around a document is taken away.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case("a fence", "```latex\n" + _BODY + "```\n", _BODY + "```\n"),
        Case("prose", "Here is the document you asked for:\n\n" + _BODY, _BODY),
        Case("thoughts", "<think>\nUse \\documentclass? Yes.\n</think>\n% a comment\n" + _BODY, "% a comment\n" + _BODY),
        Case("a comment and a directive", "% !TEX program = pdflatex\n\\RequirePackage{fix-cm}\n" + _BODY, None),
        Case("a fence in a listing", _BODY.replace("Text.", "\\begin{verbatim}\n```\n\\end{verbatim}"), None),
    ),
)
