"""The minimal prompt: the failing part, what the tools said, the cause, what was tried; counted before it is sent.

Text of files and tools stands between marks that it cannot contain (they hold a hash of it), so that it stays data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import Document, digest
from texmend.model.repair import Attempt
from texmend.repair.earlier import earlier
from texmend.repair.parts import WHOLE_TOKENS, WINDOW_TOKENS, Part, choose_part, shown_lines
from texmend.tex.tokencount import rough_tokens

PROMPT_TOKENS = 8_000
"""The most that a question may cost (DESIGN section 3.5)."""
_SIZES = ((WHOLE_TOKENS, WINDOW_TOKENS, 1_200), (1_500, 1_000, 600), (700, 500, 200), (250, 250, 0))
"""Tokens of a whole file, of a window, of the preamble beside it: the first that fits is taken."""
_LINE = 300
"""The longest line of a diagnosis, in characters."""
_BEGIN = "\\begin{document}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, ready to be sent."""

    system: str
    prompt: str
    part: Part
    version: str
    """Names and versions of the prompt files: what the trace records."""

    @property
    def tokens(self) -> int:
        """Estimated."""
        return rough_tokens(self.system) + rough_tokens(self.prompt)


@dataclass(frozen=True, slots=True)
class Question:
    """What a prompt is made of."""

    document: Document
    result: CompileResult
    attempts: tuple[Attempt, ...] = ()
    """Earlier answers of the model."""
    known: tuple[Document, ...] = ()
    """Documents that those answers may have started from."""
    rules: tuple[str, ...] = ()
    """Hard rules of the document's template, one sentence each."""


def build_prompt(question: Question, limit: int = PROMPT_TOKENS) -> Prompt | None:
    """The fullest prompt of at most `limit` tokens; None if not even the smallest window fits."""
    for whole, window, beside in _SIZES:
        path, suspects = failing_place(question.document, question.result)
        part = choose_part(path, question.document.text(path) or "", suspects, whole, window)
        if part is not None and (prompt := _prompt(question, part, beside)).tokens <= limit:
            return prompt
    return None


def first_cause(result: CompileResult) -> Diagnostic | None:
    """The first error that follows from no other one."""
    errors = result.errors
    return next((d for d in errors if d.follows is None), errors[0] if errors else None)


def failing_place(document: Document, result: CompileResult) -> tuple[str, tuple[int, ...]]:
    """The file to rewrite and its suspect lines, likeliest first: of the cause, of the error, else the root with none."""
    d = first_cause(result)
    if d is None:
        return document.root.path, ()
    places = [(d.cause.file, d.cause.line)] if d.cause else []
    places += [(d.file, d.line)] if d.file and d.line else []
    path = next((p for p in (*(p for p, _ in places), d.file) if p and document.text(p) is not None), document.root.path)
    return path, tuple(line for p, line in places if p == path)


@cache
def template(name: str) -> tuple[str, str]:
    """Version and text of a prompt file."""
    raw = resources.files("texmend.repair").joinpath("prompts", f"{name}.md").read_text("utf-8")
    version, _, text = raw.partition("\n")
    return f"{name}-{version.removeprefix('version:').strip()}", text


def fenced(label: str, text: str) -> str:
    """The text as data, between marks that it does not contain."""
    mark = f"{label}-{digest(text)[:8]}"
    return f"<<<{mark}\n{text}\n{mark}>>>"


def _prompt(question: Question, part: Part, beside: int) -> Prompt:
    system_version, system = template("system")
    version, ask = template("whole" if part.whole else "part")
    d = first_cause(question.result)
    before = _preamble(question.document, part, beside)
    tried = earlier(question.attempts, question.known)
    values = {
        "engine": str(question.document.engine),
        "error": _error(d),
        "cause": _cause(d),
        "tried": "\n" + fenced("tried", tried) + "\n" if tried else "",
        "excerpt": fenced("tools", _plain(question.result.excerpt)),
        "preamble": f"\nThe preamble, to read only:\n{fenced('preamble', before)}\n" if before else "",
        "path": _line(part.path),
        "text": fenced("text", part.text),
        "first": str(part.first),
        "last": str(part.last),
    }
    rules = "".join(f"- {_line(rule)}\n" for rule in question.rules)
    return Prompt(_filled(system, {"rules": rules}), _filled(ask, values), part, f"{system_version} {version}")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The template with its places filled in one pass: what is filled in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda m: values.get(m[1], m[0]), text)


def _error(d: Diagnostic | None) -> str:
    if d is None:
        return "none is named; no finished PDF was made"
    place = f"{d.file or 'unknown place'}{f', line {d.line}' if d.line else ''}"
    return _line(f"{d.message} ({place}; {d.kind}{f': {d.subject}' if d.subject else ''})")


def _cause(d: Diagnostic | None) -> str:
    if d is None or d.cause is None:
        return "not known; it may stand well before the line that the tools name"
    return _line(f"{d.cause.file}, line {d.cause.line}: {d.cause.why}")


def _preamble(document: Document, part: Part, budget: int) -> str:
    """What stands before the part and its \\begin{document}, without comments, cut at `budget` tokens; the root's for a chapter."""
    lines = shown_lines(document.text(part.path) or "")[: part.first - 1]
    if part.path != document.root.path and not any(_BEGIN in x for x in lines):
        lines = shown_lines(document.root_text)
    elif part.whole:
        return ""
    kept: list[str] = []
    for line in lines:
        if line.strip() and not line.lstrip().startswith("%"):
            budget -= rough_tokens(line) + 1
            if budget < 0:
                break
            kept.append(line)
        if _BEGIN in line:
            break
    return "\n".join(kept)


def _line(text: str) -> str:
    """The text on one line, bounded, without control characters and lone bytes."""
    return " ".join(_plain(text).split())[:_LINE]


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in "\n".join(shown_lines(text)))
