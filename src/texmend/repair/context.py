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
from texmend.model.repair import Attempt, FailedAnswer
from texmend.repair.earlier import earlier, without_model
from texmend.repair.parts import Part, shown_lines
from texmend.repair.view import SIZES, View, first_cause, look
from texmend.tex.tokencount import rough_tokens

PROMPT_TOKENS = 8_000
"""The most that a question may cost (DESIGN section 3.5)."""
_LINE = 300
"""The longest line of a diagnosis, in characters."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, ready to be sent."""

    system: str
    prompt: str
    view: View
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
    """Everything tried, by rules, search and the model."""
    known: tuple[Document, ...] = ()
    """Documents that the model's answers may have started from."""
    rules: tuple[str, ...] = ()
    """Hard rules of the document's template, one sentence each."""
    strategy: str = "auto"
    """How it is to answer: "rewrite", "edits", or "auto"."""


def build_prompt(question: Question, limit: int = PROMPT_TOKENS) -> Prompt | None:
    """The fullest prompt of at most `limit` tokens; None if not even the barest view fits."""
    for sizes in SIZES:
        view = look(question.document, question.result, sizes)
        if view is not None and (prompt := _prompt(question, view)).tokens <= limit:
            return prompt
    return None


def ask_again(prompt: Prompt, answer: str, why: str) -> Prompt:
    """The question once more, with the answer whose blocks could not be put in, and why."""
    version, text = template("again")
    more = _filled(text, {"answer": fenced("answer", _plain(answer[: len(prompt.view.main.text) + 2_000])), "why": _line(why)})
    return Prompt(prompt.system, f"{prompt.prompt}\n{more}", prompt.view, f"{prompt.version} {version}")


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


def _prompt(question: Question, view: View) -> Prompt:
    main = view.main
    names = ["system", "edits" if _edits(question, main) else "whole" if main.whole else "part"]
    if names[-1] == "edits" or view.others:
        names.append("blocks")
    texts = dict(zip(("system", "ask", "blocks"), map(template, names), strict=False))
    d = first_cause(question.result)
    told = "\n".join(filter(None, (without_model(question.attempts), earlier(question.attempts, question.known))))
    values = {
        "engine": str(question.document.engine),
        "error": _error(d),
        "cause": _cause(d),
        "tried": "\n" + fenced("tried", _plain(told)) + "\n" if told else "",
        "excerpt": fenced("tools", _plain(question.result.excerpt)),
        "places": _places(view),
        "what": f"The file {_line(main.path)}, whole" if main.whole else f"{_lines(main)}, which goes on before and after them",
        "path": _line(main.path),
        "text": fenced("text", main.text),
        "first": str(main.first),
        "last": str(main.last),
    }
    elsewhere = "\nIf the fault is to be mended in one of the other places, write no file but blocks. " if view.others else ""
    blocks = texts["blocks"][1] if "blocks" in texts else ""
    values["blocks"] = blocks if names[1] == "edits" else elsewhere + blocks
    rules = "".join(f"- {_line(rule)}\n" for rule in question.rules)
    version = " ".join(v for v, _ in texts.values())
    return Prompt(_filled(texts["system"][1], {"rules": rules}), _filled(texts["ask"][1], values), view, version)


def _edits(question: Question, main: Part) -> bool:
    """Whether edits are asked for. `auto`: a small file is written again, a long one edited; the other way after a failure."""
    if question.strategy != "auto":
        return question.strategy == "edits"
    failed = sum(isinstance(a.repair, FailedAnswer) for a in question.attempts)
    return (not main.whole) ^ (failed % 2 == 1)


def _places(view: View) -> str:
    """The other places, each as data."""
    shown = (f"{_lines(part)}:\n{fenced('place', part.text)}\n" for part in view.others)
    return "\nOther places of the document, which you may change too:\n" + "".join(shown) if view.others else ""


def _lines(part: Part) -> str:
    left_out = " (comments and blank lines left out)" if part.hidden else ""
    return f"Lines {part.first} to {part.last} of the file {_line(part.path)}{left_out}"


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


def _line(text: str) -> str:
    """The text on one line, bounded, without control characters and lone bytes."""
    return " ".join(_plain(text).split())[:_LINE]


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in "\n".join(shown_lines(text)))
