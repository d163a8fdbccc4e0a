"""Causes outside TeX's own syntax: Lua code, bibliography data, and files that a run has generated."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.names import names
from texmend.tex.sources import Place, Sources

_ENTRY = re.compile(r"^[ \t]*@\s*(\w+)\s*[{(]", re.M)
_VARIABLE = re.compile(r"\((?:local|global|field|upvalue|method) '([^']+)'\)")
_LUA_FILE = re.compile(r"(?P<file>[^\s\[\]:\"']+\.lua):(?P<line>\d{1,9}):")


def of_lua(d: Diagnostic, sources: Sources) -> Cause | None:
    """The line of the Lua file, or the line of the `\\directlua` where the value at fault comes from."""
    if hit := _LUA_FILE.search(d.message):
        path = sources.path(hit["file"])
        return sources.cause(Place(path, sources.scan(path).offset_of_line(int(hit["line"]))), "Lua stopped here") if path else None
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    end = s.offset_of_line(d.line + 1)
    start = max(s.text.rfind(call, 0, end) for call in (r"\directlua", r"\luaexec", r"\luadirect", r"\begin{luacode", r"\latelua"))
    if start < 0:
        return None
    if name := _VARIABLE.search(d.message):
        variable = re.escape(name[1])
        made = re.search(rf"(?<![\w.]){variable}\s*=[^=]", s.text[start:end]) or re.search(
            rf"(?<![\w.]){variable}(?!\w)", s.text[start:end]
        )
        if made:
            return sources.cause(Place(path, start + made.start()), f"{name[1]} comes from here")
    return sources.cause(Place(path, start), "the Lua code that stopped begins here")


def of_bib_syntax(d: Diagnostic, sources: Sources) -> Cause | None:
    """Where a bibliography entry goes wrong: the field above lacks its comma, or a brace or quote is never closed."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    text = sources.texts[path]
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    at = starts[min(d.line, len(lines))]
    begins = [m.start() for m in _ENTRY.finditer(text, 0, at)]
    if not begins:
        return None
    entry = begins[-1]
    if len(begins) > 1 and text.count("\n", entry, at) <= 1 and _depth(text[begins[-2] : entry]) > 0:
        entry = begins[-2]  # the entry above swallowed this one
    stop = next((m.start() for m in _ENTRY.finditer(text, entry + 1)), len(text))
    if _depth(text[entry:stop]) > 0 and (field := _open_field(text, entry, stop)) is not None:
        return sources.cause(Place(path, field), "a brace of this field is never closed")
    first = text.rfind("\n", 0, max(at - 1, 0)) + 1
    above = text[entry:first].rstrip()
    if above and not above.endswith((",", "{", "(")) and "=" in above.splitlines()[-1]:
        return sources.cause(Place(path, entry + len(above)), "this field has no comma behind it")
    if above and re.fullmatch(r"\s*@\w+\s*[{(][^,]*", above):
        return sources.cause(Place(path, entry + len(above)), "the key of this entry has no comma behind it")
    return None


def _depth(text: str) -> int:
    return len(re.findall(r"(?<!\\)\{", text)) - len(re.findall(r"(?<!\\)\}", text))


def _open_field(text: str, entry: int, stop: int) -> int | None:
    """The first field line of an entry that opens more braces than it closes."""
    at = text.find("\n", entry, stop) + 1
    while 0 < at < stop:
        end = text.find("\n", at, stop)
        end = stop if end < 0 else end
        line = text[at:end]
        if "=" in line and _depth(line) > 0:
            return at + len(line) - len(line.lstrip())
        at = end + 1
    return None


def of_generated(d: Diagnostic, sources: Sources) -> Cause | None:
    """For an error in a .bbl, .aux, .toc or .ind: the line of the source or .bib that its words come from."""
    path = sources.path(d.file)
    ending = (d.file or "").rsplit(".", 1)[-1]
    words = _words(d, sources, path)
    if ending == "bbl":
        return _from_bib(words, d, path, sources)
    for p in sources.paths:
        if place := _line_with(p, words, d.subject, sources):
            return sources.cause(place, f"this text went into {d.file}")
    return None


def _words(d: Diagnostic, sources: Sources, path: str | None) -> list[str]:
    """The longest words around the error, longest first."""
    shown = f"{d.context} {d.rest}"
    if path and d.line:
        shown = f"{sources.line(path, d.line)} {shown}"
    found = dict.fromkeys(w for w in re.findall(r"[^\W_]{4,}", shown) if w not in _COMMON)
    return sorted(found, key=len, reverse=True)[:12]


_COMMON = names("""contentsline numberline section subsection subsubsection chapter newblock bibitem protect newlabel writefile
    textit textbf ignorespaces begin href undefined""")


def _line_with(path: str, words: list[str], subject: str, sources: Sources) -> Place | None:
    """The line of a source that has the subject and most of the words."""
    s = sources.scan(path)
    best, most = None, 0
    for m in re.finditer(re.escape(subject) if subject else r"(?!)", s.text):
        line = s.line_text(s.line_at(m.start()))
        score = 1 + sum(w in line for w in words)
        if score > most and sources.is_code(Place(path, m.start())):
            best, most = Place(path, m.start()), score
    return best if most > 1 else None


def _from_bib(words: list[str], d: Diagnostic, path: str | None, sources: Sources) -> Cause | None:
    key = _bib_key(d, path, sources)
    for p in sorted(q for q in sources.texts if q.endswith(".bib")):
        text = sources.texts[p]
        begin = re.search(rf"^[ \t]*@\w+\s*[{{(]\s*{re.escape(key)}\s*,", text, re.M) if key else None
        start = begin.start() if begin else 0
        stop = next((m.start() for m in _ENTRY.finditer(text, begin.end())), len(text)) if begin else len(text)
        if key and not begin:
            continue
        return _best_field(p, text, start, stop, words, d, sources)
    return None


def _bib_key(d: Diagnostic, path: str | None, sources: Sources) -> str:
    if path is None or not d.line:
        return ""
    s = sources.scan(path)
    before = s.text[: s.offset_of_line(d.line + 1)]
    keys = re.findall(r"\\bibitem\s*(?:\[(?:[^\[\]]|\{[^{}]*\})*\])?\s*\{([^{}]+)\}|\\entry\{([^{}]+)\}", before)
    return (keys[-1][0] or keys[-1][1]) if keys else ""


def _best_field(path: str, text: str, start: int, stop: int, words: list[str], d: Diagnostic, sources: Sources) -> Cause | None:
    """The field line of an entry that shares most words with the error; the character at fault counts most."""
    fault = (
        d.subject
        if d.subject.startswith("\\")
        else next((c for c in ("&", "_", "^", "#", "$", "%") if d.context.rstrip().endswith(c)), "")
    )
    best, most, at = None, 0, start
    for line in text[start:stop].splitlines(keepends=True):
        score = sum(w in line for w in words) + (3 if fault and re.search(r"(?<!\\)" + re.escape(fault), line) else 0)
        if (score > most and "=" in line) or score > most + 1:
            best, most = at, score
        at += len(line)
    if best is None:
        return sources.cause(Place(path, start), "this entry went into the bibliography") if start or stop < len(text) else None
    end = text.find("\n", best)
    column = re.search(r"(?<!\\)" + re.escape(fault), text[best : end if end >= 0 else len(text)]) if fault else None
    return sources.cause(Place(path, best + (column.start() if column else 0)), "this field went into the bibliography")


def of_index(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The `\\index` command whose entry the index program refused."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    entry = re.match(r"\\\w+\s*\{(.*)\}\s*\{[^{}]*\}\s*$", sources.line(path, d.line))
    words = entry[1] if entry else ""
    for end in (words, words.rstrip("|"), words[:20]):
        for found in sources.find(end) if len(end) > 2 else ():
            return sources.cause(found, "this index entry was refused")
    return None
