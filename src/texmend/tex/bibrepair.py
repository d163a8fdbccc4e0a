"""Slips of notation in a .bib file, and the smallest edits that mend them. Total, linear but for a bounded look ahead.

The grammar is BibTeX's (bibtex.web, "Reading the database file"): text between entries is ignored, an entry is
`@type{key, name = value # value, ...}`, a value is `{...}`, `"..."`, a number or a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from texmend.model.document import start_of_line
from texmend.model.repair import Edit

_ENTRY = re.compile(r"@(@*)[ \t]*([A-Za-z][\w-]*)\s*([{(])")
_SPECIAL_ENTRIES = frozenset(("comment", "preamble", "string"))
_NAME = re.compile(r"[A-Za-z][\w:+/.-]*")
_FIELD_START = re.compile(r"\s*[A-Za-z][\w:+-]*[ \t]*=[ \t]*(?:[{\"]|\d|[A-Za-z]+[ \t]*[,}\r\n#])")
_NEW_LINE = re.compile(
    r"[\r\n]\s*(?:@[A-Za-z][\w-]*\s*[{(]|[A-Za-z][\w:+-]*[ \t]*=[ \t]*(?:[{\"]|\d+\s*[,}@]|[A-Za-z]+[ \t]*[,}]))"
)
_BRACE = re.compile(r"\\[\s\S]|[{}]")
_SIMPLE = re.compile(r"[^\s{}\"#%',=()@]+")
_BLANK = re.compile(r"\s*")
_COMMENT = re.compile(r"%[^\r\n]*(?:\r\n|\r|\n)?")
_KEY = re.compile(r"\s*([^\s,{}()\"=@%]*)")


@dataclass
class _Reader:
    """Walks through a .bib file and notes what is to be changed."""

    text: str
    new_key: Callable[[str], str]
    """A key for an entry that has none, from the text of its fields."""
    keeps_comments: bool
    """Biber passes over % in an entry; BibTeX does not."""
    edits: list[Edit] = field(default_factory=list)
    _comments: str = ""

    def read(self) -> list[Edit]:
        at = 0
        while m := self._next_entry(at):
            if m[1]:
                self._put(m.start(), m.start() + len(m[1]), "")
            at = self._special(m) if m[2].lower() in _SPECIAL_ENTRIES else self._entry(m)
            if self._comments:
                self.edits.append(Edit(m.start(), m.start(), self._comments))
                self._comments = ""
        return self.edits

    def _put(self, start: int, end: int, text: str) -> None:
        last = self.edits[-1] if self.edits else None
        if last and last.start == last.end == start == end:
            self.edits[-1] = Edit(start, end, last.text + text)  # two texts for one place stay in this order
        else:
            self.edits.append(Edit(start, end, text))

    def _next_entry(self, at: int) -> re.Match[str] | None:
        """The next entry; an `@` of running text before it is written out."""
        while (at := self.text.find("@", at)) >= 0:
            m = _ENTRY.match(self.text, at)
            if m or re.match(r"@\s*comment\b", self.text[at : at + 40], re.I):
                if m:
                    return m
            elif re.match(r"@\w", self.text[at : at + 2]) and not (self.keeps_comments and self._in_comment(at)):
                self._put(at, at + 1, " at ")
            at += 1
        return None

    def _in_comment(self, at: int) -> bool:
        left = start_of_line(self.text, at)
        return "%" in self.text[left:at]

    def _special(self, m: re.Match[str]) -> int:
        """The offset behind a comment, preamble or string; nothing in it is changed."""
        depth = 0
        for b in _BRACE.finditer(self.text, m.end() - 1):
            depth += {"{": 1, "}": -1}.get(b.group(), 0)
            if depth <= 0 and b.group() == "}":
                return b.end()
        return m.end()

    def _entry(self, m: re.Match[str]) -> int:
        """The offset behind an entry."""
        closer = "}" if m[3] == "{" else ")"
        at = self._head(m, closer)
        while True:
            at = self._skip(at)
            c = self.text[at : at + 1]
            if c == closer:
                if (after := self._closed_too_early(at)) is None:
                    return at + 1
                self._put(at, at + 1, "")
                at = after
            elif c == "," and not self._is_first_comma(at):
                self._put(at, at + 1, "")
                at += 1
            elif c == ",":
                at += 1
            elif not c or c == "@":
                end = len(self.text[:at].rstrip())
                self._put(end, end, "\n" + closer)
                return at
            elif (after := self._field(at, closer)) is None:
                return at
            else:
                at = after

    def _skip(self, at: int) -> int:
        """The offset behind blanks; comment lines, which BibTeX does not know, go ahead of the entry."""
        while True:
            at = self._blank(at)
            m = _COMMENT.match(self.text, at)
            if not m or "@" in m.group():
                return at
            if not self.keeps_comments:
                left = start_of_line(self.text, at)
                start = left if not self.text[left:at].strip() else at
                self._put(start, m.end(), "" if start == left else "\n")
                self._comments += m.group().rstrip("\r\n") + "\n"
            at = m.end()

    def _blank(self, at: int) -> int:
        m = _BLANK.match(self.text, at)
        return m.end() if m else at

    def _is_first_comma(self, at: int) -> bool:
        before = self.text[:at].rstrip()
        return not before.endswith(",") and not before.endswith(("{", "("))

    def _head(self, m: re.Match[str], closer: str) -> int:
        """The key and its comma are there; the offset behind the comma."""
        text, start = self.text, m.end()
        if _FIELD_START.match(text, start):
            self._put(start, start, f"{self.new_key(text[start : start + 2000])},")
            return start
        key = _KEY.match(text, start)
        assert key is not None
        at = self._blank(key.end())
        if key[1] and text[at : at + 1] == ",":
            return at + 1
        if not key[1] and text[at : at + 1] == ",":
            return self._keyless(m, at, closer)
        if key[1] and _FIELD_START.match(text, at):
            self._put(key.end(), key.end(), ",")
        return at

    def _keyless(self, m: re.Match[str], comma: int, closer: str) -> int:
        """An entry without a key gets one; one without fields as well is nothing and goes."""
        at = self._blank(comma + 1)
        if self.text[at : at + 1] == closer:
            line = re.compile(r"[ \t]*(?:\r\n|\r|\n)?").match(self.text, at + 1)
            self._put(m.start(), line.end() if line else at + 1, "")
            return at
        self._put(comma, comma, self.new_key(self.text[comma : comma + 2000]))
        return comma + 1

    def _closed_too_early(self, at: int) -> int | None:
        """The offset at which an entry goes on behind a brace that is one too many; None if it ends there."""
        m = re.compile(r"\s*,(?=\s*[A-Za-z][\w:+-]*[ \t]*=[ \t]*[{\"\d])").match(self.text, at + 1)
        return m.start() if m else None

    def _field(self, at: int, closer: str) -> int | None:
        """The offset behind a field and its comma; None when it is nothing that a slip explains."""
        name = _NAME.match(self.text, at)
        if not name:
            return None
        here = self._blank(name.end())
        c = self.text[here : here + 1]
        if c == "=":
            here += 1
        elif c and c in '{"' and not self.text[name.end() : here].count("\n"):
            self._put(name.end(), here, " = ")
        else:
            return None
        here = self._blank(here)
        if self.text[here : here + 1] in (",", closer):
            self._put(here, here, "{}")
            end: int | None = here
        else:
            end = self._values(here, closer)
        return None if end is None else self._comma(end, closer)

    def _comma(self, end: int, closer: str) -> int | None:
        at = self._blank(end)
        c = self.text[at : at + 1]
        if c == ",":
            return at + 1
        if not c or c in (closer, "@", "%"):
            return at
        if _FIELD_START.match(self.text, at) or re.match(r"[A-Za-z]\w*[ \t]*[{\"]", self.text[at : at + 40]):
            self._put(end, end, ",")
            return at
        return None

    def _values(self, at: int, closer: str) -> int | None:
        """The offset behind the values of a field, joined by #."""
        start = at
        while True:
            c = self.text[at : at + 1]
            end = self._braced(at, closer) if c == "{" else self._quoted(at) if c == '"' else self._bare(at, closer)
            if end is None:
                return None
            joined = self._blank(end)
            if self.text[joined : joined + 1] != "#":
                return self._rest_of_line(start, end)
            at = self._blank(joined + 1)

    def _braced(self, at: int, closer: str) -> int | None:
        """The offset behind a braced value; braces that are missing are put in at the end of its lines."""
        limit = self._next_field(at)
        depth = 0
        for m in _BRACE.finditer(self.text, at, limit):
            depth += {"{": 1, "}": -1}.get(m.group(), 0)
            if depth == 0 and m.group() == "}":
                return m.end()
        if limit == len(self.text) or not depth:
            whole = self._without_limit(at)
            if whole is not None:
                return whole
        return self._cut(at, limit, "}" * depth, closer)

    def _without_limit(self, at: int) -> int | None:
        depth = 0
        for m in _BRACE.finditer(self.text, at):
            depth += {"{": 1, "}": -1}.get(m.group(), 0)
            if depth == 0:
                return m.end()
        return None

    def _next_field(self, at: int) -> int:
        """Where the next field or entry seems to start on a line of its own."""
        m = _NEW_LINE.search(self.text, at)
        return m.start() if m else len(self.text)

    def _cut(self, at: int, limit: int, closing: str, closer: str) -> int | None:
        """A value that does not end before the next field is closed ahead of its last comma."""
        content = self.text[at:limit].rstrip()
        is_last = limit == len(self.text) or self.text[limit:].lstrip()[:1] == "@"
        if is_last and content.endswith(closer) and len(content.splitlines()) > 1 and content.splitlines()[-1].strip() == closer:
            content = content[:-1].rstrip()
        kept = content.removesuffix(",").rstrip()
        end = at + len(kept)
        wrong = '"' if closing.startswith("}") else "}"
        if len(closing) == 1 and kept.endswith(wrong) and kept.count(wrong) == 1:
            self._put(end - 1, end, closing)
            return end
        self._put(end, end, closing)
        return end

    def _quoted(self, at: int) -> int | None:
        """The offset behind a quoted value; quotes inside of it make it a braced one."""
        limit = self._next_field(at)
        depth = 0
        for m in re.compile(r"\\[\s\S]|[{}\"]").finditer(self.text, at + 1, limit):
            c = m.group()
            depth += {"{": 1, "}": -1}.get(c, 0)
            if depth < 0:
                break
            if c == '"' and depth == 0:
                return self._inner_quotes(at, m.end())
        return self._cut(at, limit, '"', "}")

    def _inner_quotes(self, at: int, end: int) -> int:
        m = re.compile(r"[ \t]*[^\s,#}\")=][^\r\n=]*\"(?=[ \t]*,?[ \t]*[\r\n])").match(self.text, end)
        inside = self.text[at + 1 : m.end() - 1] if m else ""
        if m is None or inside.count("{") != inside.count("}"):
            return end
        self._put(at, at + 1, "{")
        self._put(m.end() - 1, m.end(), "}")
        return m.end()

    def _bare(self, at: int, closer: str) -> int | None:
        """The offset behind a value without delimiters; text gets braces, a number or a name stays."""
        line = re.compile(r"[^\r\n]*").match(self.text, at)
        shown = line.group().rstrip() if line else ""
        if re.fullmatch(r"[^{}\"=]+\}[ \t]*,", shown) and _FIELD_START.match(self.text, at + len(shown)):
            self._put(at, at, "{")
            return at + shown.index("}") + 1
        word = _SIMPLE.match(self.text, at)
        if word and re.fullmatch(r"\d+|[A-Za-z][\w:+.-]*", word.group()):
            after = self.text[self._blank(word.end()) : self._blank(word.end()) + 1]
            if not after or after in ",#}@)" or _FIELD_START.match(self.text, word.end()):
                return word.end()
        value = shown.removesuffix(",").rstrip()
        if not value or value.count("{") > value.count("}"):
            return None
        if value.count("}") == value.count("{") + 1 and value.endswith("}"):
            self._put(at, at, "{")
            return at + len(value)
        if value.endswith('"') and value.count('"') == 1:
            self._put(at, at, '"')
            return at + len(value)
        if value.count("{") != value.count("}"):
            return None
        self._put(at, at, "{")
        self._put(at + len(value), at + len(value), "}")
        return at + len(value)

    def _rest_of_line(self, start: int, end: int) -> int:
        """A value that goes on behind its delimiters is put into braces as a whole."""
        m = re.compile(r"[ \t]+([^\s,}=@%#][^\r\n=@]*?)[ \t]*,?[ \t]*(?=[\r\n])").match(self.text, end)
        if not m or m[1].count("{") != m[1].count("}") or _FIELD_START.match(self.text, end):
            return end
        self._put(start, start, "{")
        self._put(m.end(1), m.end(1), "}")
        return m.end(1)


def bib_slips(text: str, new_key: Callable[[str], str], keeps_comments: bool = False) -> tuple[Edit, ...]:
    """The edits that give a .bib file the commas, keys, delimiters and braces that it lacks; none for a sound one."""
    kept: list[Edit] = []
    for edit in sorted(set(_Reader(text, new_key, keeps_comments).read())):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return tuple(kept)
