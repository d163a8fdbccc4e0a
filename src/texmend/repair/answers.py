r"""Reads a model's answer: the new text of the parts that it was shown, or why there is none. Pure, total, linear.

An answer is hostile until it is read: nothing that is cut off, refused, damaged by JSON escapes or abbreviated ever
reaches a compiler.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from texmend.repair.blocks import Unclear, find_blocks, put_in
from texmend.repair.parts import Part


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
SHORT = 6
"""Words up to which a share says too little: one word kept is enough."""
OWN = 0.7
"""The share of a line's words that the document must have for the line to be one of its own, not a remark."""
LONGEST = 1_000_000
"""Characters up to which an answer is read at all."""

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
    text = _spoken(answer, finish)
    if isinstance(text, Unusable):
        return text
    if damage := _damage(text, asked):
        return Unusable(damage)
    found = _body(text, asked)
    if found is None:
        return Unusable("the model refused" if _REFUSAL.search(text[:400]) else "the answer holds no text of the document")
    found = _without_frame(found, asked)
    if _normal(found) == _normal(asked):
        return Unusable("the answer is the text as it was", unchanged=True)
    why = _incomplete(found, asked)
    return Unusable(why) if why else found


def read_parts(answer: str, finish: str, main: Part, others: Sequence[Part]) -> Mapping[Part, str] | Unusable | Unclear:
    """The new text of each part that the answer changes: by search/replace blocks, else by writing the main one again.

    Whatever was asked for, both are read, and pass the same tests.
    """
    text = _spoken(answer, finish)
    if isinstance(text, Unusable):
        return text
    blocks = find_blocks(text)
    if not blocks:
        written = read_answer(answer, finish, main.text)
        return written if isinstance(written, Unusable) else {main: written}
    parts = (main, *others)
    if damage := _damage("\n".join(b.inner for b in blocks), "\n".join(p.text for p in parts) * 2):  # a block says most lines twice
        return Unusable(damage)
    placed = put_in(blocks, parts)
    if isinstance(placed, Unclear):
        return placed
    changed = {part: new for part, new in placed.items() if _normal(new) != _normal(part.text)}
    if not changed:
        return Unusable("the answer is the text as it was", unchanged=True)
    why = next(filter(None, (_damage(new, part.text) or _incomplete(new, part.text) for part, new in changed.items())), "")
    return Unusable(why) if why else changed


def _spoken(answer: str, finish: str) -> str | Unusable:
    """What the model wrote after its thinking, with "\\n" line ends."""
    if finish == "length":
        return Unusable("the answer is cut off at the token limit")
    if finish == "refusal":
        return Unusable("the model refused")
    if len(answer) > LONGEST:
        return Unusable("the answer is far longer than the text")
    text = _without_thought(answer).replace("\r\n", "\n")
    return text if text.strip() else Unusable("the answer is empty")


def _incomplete(text: str, asked: str) -> str:
    """Why the text is not a whole replacement; empty: it is one."""
    if _has(asked, _BEGIN) and not _has(text, _BEGIN):
        return "the answer is a part where the whole document was asked for"
    if _has(asked, _END) and not _has(text, _END):
        return "the answer is cut off: its \\end{document} is missing"
    if _has(text, _BEGIN) and not _has(asked, _BEGIN) and not _has(asked, _CLASS):
        return "the answer is a whole document where a part was asked for"
    if len(text) > LENGTH * len(asked) + SLACK:
        return "the answer is far longer than the text"
    kept = _share_kept(text, _words(asked))
    if kept < KEPT:
        return "the answer leaves out most of the text"
    if kept < KEPT_WITH_REMARK and any(_ELISION.match(line) for line in _new_lines(text, asked)):
        return "the answer leaves out parts of the text"
    return ""


def _without_thought(answer: str) -> str:
    """The answer after the model's thinking aloud; one that never ended leaves nothing."""
    at = 0
    while found := _THOUGHT.match(answer, at):
        at = found.end()
    answer = answer[at:]
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
    fenced = _fenced(lines, document_has_fences=any(_FENCE.fullmatch(line) for line in asked.split("\n")))
    if _has(asked, _BEGIN) or _CLASS in asked:
        return _whole(fenced, asked) or _document_in(lines, asked)
    if not asked.strip():
        return fenced[-1] if fenced else text
    words = _words(asked)
    best = max(fenced, key=lambda part: _share_kept(part, words), default=None)
    bare = _part_in(lines, asked, words)
    if bare is not None and _share_kept(bare, words) >= max(KEPT, _share_kept(best or "", words) + 0.01):
        return bare
    return best


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
    old = _normal(asked)
    changed = [part for part in whole if _normal(part) != old]
    candidates = changed or whole
    return candidates[-1] if candidates else None


def _document_in(lines: list[str], asked: str) -> str | None:
    """The lines from the first command or comment to the last \\end{document}, without fences and remarks round them."""
    known = {line.strip() for line in asked.split("\n") if line.strip()}
    start = next((i for i, line in enumerate(lines) if line.strip() in known or line.lstrip().startswith(("\\", "%"))), None)
    if start is None:
        return None
    ends = [i for i, line in enumerate(lines) if _END in line]
    end = ends[-1] + 1 if ends and _END in asked else len(lines)
    return "\n".join(line for line in lines[start:end] if not _FENCE.fullmatch(line) or line.strip() in known)


def _part_in(lines: list[str], asked: str, words: Counter[str]) -> str | None:
    """The lines from the first to the last that are made of the document's own lines or words."""
    known = {line.strip() for line in asked.split("\n") if line.strip()}

    def own(line: str) -> bool:
        found = re.findall(r"\w+", line)
        return line.strip() in known or (len(found) > 1 and sum(word in words for word in found) >= OWN * len(found))

    at = [i for i, line in enumerate(lines) if own(line)]
    return "\n".join(lines[at[0] : at[-1] + 1]) if at else None


def _without_frame(text: str, asked: str) -> str:
    r"""The body of a whole document where a part of a body was asked for: small models put the preamble that they saw before it."""
    if _has(asked, _BEGIN) or _CLASS in asked or not _has(text, _BEGIN):
        return text
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if _BEGIN in line)
    end = next((i for i in range(len(lines) - 1, begin, -1) if _END in lines[i]), len(lines))
    body = "\n".join(lines[begin + 1 : end + _has(asked, _END)])
    return body if _share_kept(body, _words(asked)) >= KEPT_WITH_REMARK else text


def _new_lines(text: str, asked: str) -> Iterator[str]:
    known = {line.strip() for line in asked.split("\n")}
    return (line for line in text.split("\n") if line.strip() not in known)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def _share_kept(text: str, old: Counter[str]) -> float:
    """The share of the old words that the text still has; where they are few, 1 if it has any of them."""
    kept, total = (old & _words(text)).total(), old.total()
    return float(kept > 0 or total == 0) if total <= SHORT else kept / total


def _has(text: str, marker: str) -> bool:
    """Whether the marker stands outside a comment."""
    return any(marker in line and "%" not in re.sub(r"\\.", "", line.partition(marker)[0]) for line in text.split("\n"))


def _normal(text: str) -> str:
    """The text without blank space at line ends, and without blank lines at both ends."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
