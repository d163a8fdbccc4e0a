r"""Reads a model's answer: the new text of the part that was asked for, or why there is none. Pure, total, linear.

An answer is hostile until it is read: nothing that is cut off, refused, damaged by JSON escapes or abbreviated ever
reaches a compiler.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that gives no draft."""

    why: str
    unchanged: bool = False
    """It is the text as it was."""


LENGTH = 4
"""An answer may be this many times as long as what it replaces (and `SLACK` characters more): beyond, it runs away."""
SLACK = 4_000
KEPT = 0.5
"""A text must keep at least this share of its words: an answer that keeps less was abbreviated."""
KEPT_WITH_REMARK = 0.95
"""The same where a new comment speaks of text that was left out."""
SHORT = 40
"""Words up to which a share says too little: one word kept is enough."""

_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THOUGHT_OPEN = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})([\w .:+=\"/-]{0,60})")
_REFUSAL = re.compile(
    r"\bi['’]?m (?:really |very |truly )?sorry|\bi am sorry|\bsorry, |\bi (?:can(?:no|['’])t|can not|won['’]t|will not) |"
    r"\bi(?:['’]?m| am) (?:not able|unable)|\bas an ai\b|\bunfortunately, i|抱歉|无法(?:帮助|协助|提供)",
    re.IGNORECASE,
)
_ELISION = re.compile(
    r"\s*(?:%+|//|\[|<!--|\()\s*[\[(]?\s*(?:\.\.\.|…|(?:the )?(?:rest|remainder|remaining)\b|"
    r".{0,60}\b(?:unchanged|the same|as before|omitted)\b|(?:existing|previous|original) (?:code|content|text)\b)|"
    r"\s*(?:\.\.\.|…)\s*\Z",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd\ud800-\udfff]")
_SPACED_WORD = re.compile(r"([\t\n])([A-Za-z]+)")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_EATEN = re.compile(
    r"\t(?:ext(?:bf|it|tt|sc|rm|sf|color)?|itle|hanks)[{\\]|\t(?:heta|imes|ableofcontents|riangle)(?![A-Za-z])|"
    r"\n(?:ewcommand|ewtheorem|ewenvironment|ewpage|oindent|onumber)(?![A-Za-z])"
)
_DOUBLED = re.compile(r"(?<!\\)\\\\(?=documentclass\b|usepackage\b|begin\{|end\{|section\{|item\b)")
_CLASS, _BEGIN, _END = "\\documentclass", "\\begin{document}", "\\end{document}"


def read_answer(answer: str, finish: str, asked: str) -> str | Unusable:
    r"""The text that replaces `asked`, or why the answer cannot be used.

    Args:
        answer: what the model wrote.
        finish: how it ended ("stop", "length", "refusal", …).
        asked: the part of the file that the model was asked to rewrite, with "\n" line ends; `answer` may have any.
    """
    if finish == "length":
        return Unusable("the answer is cut off at the token limit")
    if finish == "refusal":
        return Unusable("the model refused")
    text = _without_thought(answer).replace("\r\n", "\n")
    if not text.strip():
        return Unusable("the answer is empty")
    if damage := _damage(text, asked):
        return Unusable(damage)
    found = _body(text, asked)
    if found is None:
        return Unusable("the model refused" if _REFUSAL.search(text[:400]) else "the answer holds no text of the document")
    if _normal(found) == _normal(asked):
        return Unusable("the answer is the text as it was", unchanged=True)
    why = _incomplete(found, asked)
    return Unusable(why) if why else found


def _incomplete(text: str, asked: str) -> str:
    """Why the text is not a whole replacement; empty: it is one."""
    if _has(asked, _END) and not _has(text, _END):
        return "the answer is cut off: its \\end{document} is missing"
    if _has(asked, _BEGIN) and not _has(text, _BEGIN):
        return "the answer is a part where the whole document was asked for"
    if _has(text, _BEGIN) and not _has(asked, _BEGIN) and not _has(asked, _CLASS):
        return "the answer is a whole document where a part was asked for"
    if len(text) > LENGTH * len(asked) + SLACK:
        return "the answer is far longer than the text"
    kept = _share_kept(text, asked)
    if kept < KEPT:
        return "the answer leaves out most of the text"
    if kept < KEPT_WITH_REMARK and any(_ELISION.match(line) for line in _new_lines(text, asked)):
        return "the answer leaves out parts of the text"
    return ""


def _without_thought(answer: str) -> str:
    """The answer after the model's thinking aloud; one that never ended leaves nothing."""
    while found := _THOUGHT.match(answer):
        answer = answer[found.end() :]
    if _THOUGHT_OPEN.match(answer):
        return ""
    # Some templates open the thought in the prompt, so that only its end is in the answer.
    end = _THOUGHT_END.search(answer)
    if end and _CLASS not in answer[: end.start()] and "```" not in answer[: end.start()]:
        return answer[end.end() :]
    return answer


def _damage(text: str, asked: str) -> str:
    """What broken escapes left in the answer and the document does not have; empty if nothing."""
    if set(_CONTROL.findall(text)) - set(_CONTROL.findall(asked)):
        return "the answer holds control characters: its escapes are damaged"
    if _count(_EATEN, text) > _count(_EATEN, asked) or _eaten(text, asked):
        return "backslashes of the answer were eaten by escapes"
    if _count(_DOUBLED, text) > _count(_DOUBLED, asked):
        return "backslashes of the answer are doubled"
    return ""


def _eaten(text: str, asked: str) -> bool:
    r"""Whether a command of the document became rarer while its rest now follows a tab or a line end ("\tau": tab, "au")."""
    old, new = Counter(_COMMAND.findall(asked)), Counter(_COMMAND.findall(text))
    old_words, new_words = Counter(_SPACED_WORD.findall(asked)), Counter(_SPACED_WORD.findall(text))
    letters = {"\t": "t", "\n": "n"}
    return any(
        new[command] < old[command] and new_words[space, rest] > old_words[space, rest]
        for space, rest in new_words
        if (command := letters[space] + rest) in old
    )


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _body(text: str, asked: str) -> str | None:
    """The document, or the part of it, that the answer holds."""
    lines = text.split("\n")
    fenced = _fenced(lines, document_has_fences=any(_FENCE.match(line) for line in asked.split("\n")))
    if _has(asked, _BEGIN) or _CLASS in asked:
        return _whole(fenced, asked) or _cut_from_prose(lines, asked)
    if not asked.strip():
        return fenced[-1] if fenced else text
    bare = _cut_from_prose(lines, asked)
    parts = fenced + ([bare] if bare is not None and (not fenced or _share_kept(bare, asked) >= KEPT) else [])
    best = max(parts, key=lambda part: _share_kept(part, asked), default=None)
    return best if best is not None and (best in fenced or _share_kept(best, asked) >= KEPT) else None


def _fenced(lines: list[str], document_has_fences: bool) -> list[str]:
    """The texts inside code fences, in order; only the outermost pair counts where the document has such lines itself."""
    marks = [i for i, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if document_has_fences:
        return ["\n".join(lines[marks[0] + 1 : marks[-1]])] if len(marks) >= 2 else []
    out: list[str] = []
    begun, mark = -1, ""
    for i, line in enumerate(lines):
        found = _FENCE.fullmatch(line)
        if begun < 0:
            if found:
                begun, mark = i, found[1]
        elif found and found[1].startswith(mark) and not found[2].strip():
            out.append("\n".join(lines[begun + 1 : i]))
            begun = -1
        elif line.rstrip().endswith(mark):  # the fence closes on the last line of the text
            out.append("\n".join([*lines[begun + 1 : i], line.rstrip()[: -len(mark)]]))
            begun = -1
    return [*out, "\n".join(lines[begun + 1 :])] if begun >= 0 else out


def _whole(fenced: list[str], asked: str) -> str | None:
    """The last fenced text that is a whole document and not the old one; else the last whole one."""
    marker = _CLASS if _CLASS in asked else _BEGIN
    whole = [part for part in fenced if marker in part]
    changed = [part for part in whole if _normal(part) != _normal(asked)]
    candidates = changed or whole
    return candidates[-1] if candidates else None


def _cut_from_prose(lines: list[str], asked: str) -> str | None:
    """The lines from the first that can begin the text to its last one, without remarks before and after."""
    known = {line.strip() for line in asked.split("\n") if line.strip()}
    starts = (i for i, line in enumerate(lines) if line.strip() in known or line.lstrip().startswith(("\\", "%")))
    start = next(starts, None)
    if start is None:
        return None
    last = [i for i, line in enumerate(lines) if (_END in line if _has(asked, _END) else line.strip() in known)]
    end = last[-1] + 1 if last and (_has(asked, _END) or _CLASS not in asked) else len(lines)
    return "\n".join(line for line in lines[start:end] if not _FENCE.fullmatch(line) or line.strip() in known)


def _new_lines(text: str, asked: str) -> Iterator[str]:
    known = {line.strip() for line in asked.split("\n")}
    return (line for line in text.split("\n") if line.strip() not in known)


def _share_kept(text: str, asked: str) -> float:
    """The share of the words of `asked` that `text` still has; for a short text 1 if it has any of them."""
    old, new = Counter(re.findall(r"\w+", asked)), Counter(re.findall(r"\w+", text))
    kept, total = (old & new).total(), old.total()
    return float(kept > 0 or total == 0) if total <= SHORT else kept / total


def _has(text: str, marker: str) -> bool:
    """Whether the marker stands outside a comment."""
    return any(marker in line and "%" not in re.sub(r"\\.", "", line.partition(marker)[0]) for line in text.split("\n"))


def _normal(text: str) -> str:
    """The text without blank space at line ends, and without blank lines at both ends."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
