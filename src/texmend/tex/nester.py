"""The pass that builds a `Nesting`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from texmend.tex import nesting as n
from texmend.tex.nesting import Frame, Mark, Mode
from texmend.tex.tokens import T, Token

_CLOSERS = {r"\)": r"\(", r"\]": r"\["}
_DEEPEST = 300
# looking a member of an enum up costs more than a global, and these are compared for every token
_ALIGN = T.ALIGN
_CLOSE = T.CLOSE
_COMMAND = T.COMMAND
_COMMENT = T.COMMENT
_DISPLAY = T.DISPLAY
_LBRACKET = T.LBRACKET
_MATH = T.MATH
_NEWLINE = T.NEWLINE
_OPEN = T.OPEN
_PARAGRAPH = T.PARAGRAPH
_RBRACKET = T.RBRACKET
_SPACE = T.SPACE
_TEXT = T.TEXT
_VERBATIM = T.VERBATIM


class Nester:
    """Reads a token list once. Records are made when something opens and finished when it closes or is given up."""

    def __init__(self, tokens: Sequence[Token], package: bool) -> None:
        self.tokens = tokens
        self.marks = n.find_marks(tokens)
        self.ends = n.partners(self.marks)
        self.partner_of_end = {e: b for b, e in self.ends.items()}
        self.braces = _bare_pairs(tokens)
        self.dollars = list(accumulate((t.kind is _MATH for t in tokens), initial=0))
        self.displays = _display_partners(tokens)
        self.math_partner = _bracket_math_partners(tokens)
        whole = any(t.text == r"\documentclass" for t in tokens if t.kind is _COMMAND)
        self.document = next((i for i, m in self.marks.items() if m.begin and m.name == "document"), None)
        first = Mode.PREAMBLE if package or whole or self.document is not None else Mode.TEXT
        self.stack = [Frame("file", -1, 0, first, -1, definition=first is Mode.PREAMBLE)]
        self.modes: list[tuple[int, Mode]] = [(0, first)]
        self.groups: list[n.Group] = []
        self.environments: list[n.Environment] = []
        self.math: list[n.Math] = []
        self.stray_ends: list[n.EndMark] = []
        self.stray_closes: list[int] = []
        self.stray_math: list[int] = []
        self.pairs: dict[int, int] = {}
        self.borders: list[int | None] = [None, None, None, None]
        self.command = ""
        """The command whose arguments may still come."""

    def run(self) -> n.Nesting:
        i, tokens = 0, self.tokens
        while i < len(tokens):
            i = self._token(i, tokens[i])
        end = tokens[-1].end if tokens else 0
        while len(self.stack) > 1:
            self._drop(end)
        return n.Nesting(
            tuple(self.groups),
            tuple(self.environments),
            tuple(self.math),
            tuple(self.stray_ends),
            tuple(self.stray_closes),
            tuple(self.stray_math),
            self.pairs,
            tuple(self.modes),
            *self.borders,
        )

    def _token(self, i: int, t: Token) -> int:
        kind = t.kind
        if kind is _TEXT:
            self._plain()
        elif kind is _SPACE or kind is _NEWLINE:
            pass
        elif kind is _COMMAND:
            return self._command(i, t)
        elif kind is _OPEN:
            self._open(i, t)
        elif kind is _CLOSE:
            self._close(i, t)
        elif kind is _MATH or kind is _DISPLAY:
            self._dollar(i, t)
        elif kind is _PARAGRAPH:
            self._paragraph(i, t)
        elif kind is _LBRACKET:
            self.stack[-1].brackets += 1
        elif kind is _RBRACKET:
            self.stack[-1].brackets -= 1
        elif kind is _ALIGN:
            self._cell_ends(i, t)
        return i + 1

    def _plain(self) -> None:
        """Text ends the arguments of a command and the bodies of a definition."""
        top = self.stack[-1]
        if top.brackets <= 0:
            self.command = ""
            if top.definer == 2:
                top.definer = 0

    # opening and closing

    def _push(self, frame: Frame, at: int) -> None:
        top = self.stack[-1]
        frame.group = frame.record if frame.kind == "{" else top.group
        frame.environment = frame.record if frame.kind == "env" else top.environment
        self.stack.append(frame)
        self._note(at, frame.mode)

    def _note(self, at: int, mode: Mode) -> None:
        if self.modes[-1][1] is not mode:
            self.modes.append((at, mode))

    def _pop(self, at: int, inner_end: int, closed: bool) -> Frame:
        """Finishes what was opened last: it ends before the offset `at`."""
        f = self.stack.pop()
        if f.kind == "{":
            self.groups[f.record] = n.Group(f.start, at, closed, self.groups[f.record].parent)
        elif f.kind == "env":
            e = self.environments[f.record]
            self.environments[f.record] = n.Environment(
                e.name, e.start, e.begin_end, inner_end, at, closed, e.parent, e.in_definition
            )
        if f.math is not None:
            m = self.math[f.math]
            self.math[f.math] = n.Math(m.opener, m.start, m.inner_start, inner_end, at, closed, m.display)
        self._note(at, self.stack[-1].mode)
        return f

    def _drop(self, at: int) -> None:
        self._pop(at, at, False)

    def _start_math(self, opener: str, t: Token, inner: int, display: bool) -> int:
        self.math.append(n.Math(opener, t.start, inner, inner, inner, False, display))
        return len(self.math) - 1

    def _inner(self) -> range:
        """Indexes in the stack, the innermost first; no deeper than any document goes, so that a pass stays linear."""
        return range(len(self.stack) - 1, max(0, len(self.stack) - _DEEPEST), -1)

    # braces

    def _open(self, i: int, t: Token) -> None:
        top = self.stack[-1]
        self.groups.append(n.Group(t.start, t.end, False, top.group))
        mode, math = top.mode, None
        if self.command == r"\ensuremath":
            mode, math = Mode.MATH, self._start_math(self.command, t, t.end, False)
        elif mode is Mode.MATH and self.command in n.TEXT_COMMANDS:
            mode = Mode.TEXT
        text = self.command in n.TEXT_COMMANDS
        definition = top.definition or top.definer > 0
        self._push(Frame("{", i, t.start, mode, len(self.groups) - 1, math=math, definition=definition, text=text), t.end)
        self.command = ""

    def _close(self, i: int, t: Token) -> None:
        k = self._group_below(i)
        if k is None:
            self.stray_closes.append(t.start)
            return
        while len(self.stack) - 1 > k:
            self._drop(t.start)
        f = self._pop(t.end, t.start, True)
        self.pairs[f.token] = i
        top = self.stack[-1]
        if top.definer:
            top.definer = 2

    def _group_below(self, i: int) -> int | None:
        """Index in the stack of the group that a `}` closes: formulas give way to it, environments only without their end."""
        for k in self._inner():
            f = self.stack[k]
            if f.kind == "{":
                return k
            if f.kind == "env" and not f.definition and (f.name == "document" or self.ends.get(f.token, -1) > i):
                return None
        return None

    # environments

    def _command(self, i: int, t: Token) -> int:
        name = t.text
        mark = self.marks.get(i)
        if mark:
            return self._begin(i, t, mark) if mark.begin else self._end(i, t, mark)
        top = self.stack[-1]
        if name in n.DEFINERS:
            top.definer, top.brackets = 1, 0
        elif top.definer == 2 and top.brackets <= 0:
            top.definer = 0
        self.command = name
        if name == r"\(" or name == r"\[":
            self._open_math(i, t)
        elif name in _CLOSERS:
            self._close_math(t)
        elif name in n.BREAKERS:
            self._end_inline(t.start)
        elif name == r"\\" or name == r"\tabularnewline":
            self._cell_ends(i, t)
        return i + 1

    def _skip_name(self, i: int, mark: Mark) -> int:
        """Takes the braces of the name as a group of their own; the offset after them."""
        opening = next(k for k in range(i + 1, mark.next) if self.tokens[k].kind is _OPEN)
        end = self.tokens[mark.next - 1].end
        self.groups.append(n.Group(self.tokens[opening].start, end, mark.whole, None))
        if mark.whole:
            self.pairs[opening] = mark.next - 1
        return end

    def _begin(self, i: int, t: Token, mark: Mark) -> int:
        end = self._skip_name(i, mark)
        if mark.name == "document" and i == self.document:
            while len(self.stack) > 1:
                self._drop(t.start)
            self.borders[:2] = [t.start, end]
        top = self.stack[-1]
        if mark.name in n.MATH_ENVIRONMENTS:
            self._end_inline(t.start)
            top = self.stack[-1]
        mode, math = top.mode, None
        if i == self.document or (mode is Mode.MATH and mark.name in n.TEXT_ENVIRONMENTS):
            mode = Mode.TEXT
        elif mark.name in n.MATH_ENVIRONMENTS:
            mode, math = Mode.MATH, self._start_math(mark.name, t, end, mark.name not in n.INLINE_ENVIRONMENTS)
        if top.definer == 2:  # an environment is no body: the definition before it is over
            top.definer = 0
        definition = (top.definition or top.definer > 0) and i != self.document
        self.environments.append(n.Environment(mark.name, t.start, end, end, end, False, top.environment, definition))
        record = len(self.environments) - 1
        self._push(Frame("env", i, t.start, mode, record, name=mark.name, math=math, definition=definition), end)
        self.command = ""
        return mark.next

    def _end(self, i: int, t: Token, mark: Mark) -> int:
        end = self._skip_name(i, mark)
        k = self._environment_below(i, mark.name)
        if k is None:
            top = self.stack[-1]
            self.stray_ends.append(n.EndMark(mark.name, t.start, end, top.definition))
            if mark.name != "document":
                return mark.next
        top = self.stack[-1]
        quoted = top.kind == "{" and top.definition and self.braces.get(top.token, -1) > i
        if mark.name == "document" and not quoted:
            while len(self.stack) - 1 > (k or 0):
                self._drop(t.start)
            if k is not None:
                self._pop(end, t.start, True)
            self.borders[2:] = [t.start, end]
            self._note(end, Mode.AFTER)
            return len(self.tokens)
        if k is not None:
            while len(self.stack) - 1 > k:
                self._drop(t.start)
            self._pop(end, t.start, True)
        self.command = ""
        return mark.next

    def _environment_below(self, i: int, name: str) -> int | None:
        r"""Index in the stack of the environment that an `\end` ends, unless that would tear a definition's body."""
        if i not in self.partner_of_end and name != "document":
            return None
        for k in self._inner():
            f = self.stack[k]
            if f.kind == "env" and f.name == name:
                return k
            if f.kind == "{" and f.definition and self.braces.get(f.token, -1) > i:
                return None
        return None

    # mathematics

    def _open_math(self, i: int, t: Token) -> None:
        self._end_inline(t.start)
        if self.stack[-1].kind in ("$$", r"\["):
            self._drop(t.start)
        record = self._start_math(t.text, t, t.end, t.text == r"\[")
        self._push(Frame(t.text, i, t.start, Mode.MATH, record, math=record, definition=self.stack[-1].definition), t.end)

    def _close_math(self, t: Token) -> None:
        opener = _CLOSERS[t.text]
        for k in self._inner():
            f = self.stack[k]
            if f.kind == opener:
                while len(self.stack) - 1 > k:
                    self._drop(t.start)
                self._pop(t.end, t.start, True)
                return
            if f.kind == "env" or f.text or (f.kind == "{" and f.mode is not Mode.MATH):
                break
        self.stray_math.append(t.start)

    def _dollar(self, i: int, t: Token) -> None:
        self.command = ""
        k = self._formula_below(i, t.text)
        if k is not None:
            while len(self.stack) - 1 > k:
                self._drop(t.start)
            self._pop(t.end, t.start, True)
            return
        if t.kind is _DISPLAY:
            self._end_inline(t.start)
        record = self._start_math(t.text, t, t.end, t.kind is _DISPLAY)
        self._push(Frame(t.text, i, t.start, Mode.MATH, record, math=record, definition=self.stack[-1].definition), t.end)

    def _formula_below(self, i: int, opener: str) -> int | None:
        """Index in the stack of the formula that a dollar closes; braces that read text, or hold a whole formula, are a wall."""
        for k in self._inner():
            f = self.stack[k]
            if f.kind == opener:
                return k
            if f.kind == "env" or f.text or f.mode is not Mode.MATH:
                return None
            end = self.braces.get(f.token) if f.kind == "{" else None
            if end is not None and (self.dollars[end] - self.dollars[f.token]) % 2 == 0:
                return None
        return None

    def _end_inline(self, at: int) -> None:
        """Gives up `$…$` and what it holds, if that is the innermost formula."""
        for k in self._inner():
            f = self.stack[k]
            if f.kind == "$" or f.kind == r"\(":
                while len(self.stack) > k:
                    self._drop(at)
                return
            if f.kind != "{" or f.mode is not Mode.MATH:
                return

    def _paragraph(self, i: int, t: Token) -> None:
        self.command = ""
        top = self.stack[-1]
        top.definer = 0 if top.definer == 2 else top.definer
        self._end_inline(t.start)
        top = self.stack[-1]
        if (top.kind == "$$" and self.displays.get(top.token, -1) < i) or (
            top.kind == r"\[" and self.math_partner.get(top.token, -1) < i
        ):
            self._drop(t.start)

    def _cell_ends(self, i: int, t: Token) -> None:
        """`$` does not go past the end of a cell in text, unless the next cell closes it."""
        self.command = ""
        if len(self.stack) < 2 or self.stack[-1].kind != "$" or self.stack[-2].name not in n.TABULAR:
            return
        for k in range(i + 1, min(i + 200, len(self.tokens))):
            u = self.tokens[k]
            if u.kind is _ALIGN or u.kind is _PARAGRAPH or (u.kind is _COMMAND and u.text in (r"\\", r"\end", r"\tabularnewline")):
                if (self.dollars[k] - self.dollars[i]) % 2 == 0:
                    self._drop(t.start)
                return


def _bare_pairs(tokens: Sequence[Token]) -> dict[int, int]:
    pairs, stack = {}, []
    for i, t in enumerate(tokens):
        if t.kind is _OPEN:
            stack.append(i)
        elif t.kind is _CLOSE and stack:
            pairs[stack.pop()] = i
    return pairs


def _display_partners(tokens: Sequence[Token]) -> dict[int, int]:
    """Each `$$` to the next one, if that comes in this paragraph or is the odd one of the next."""
    found: dict[int, int] = {}
    here: list[int] = []
    for i, t in enumerate(tokens):
        if t.kind is _DISPLAY:
            here.append(i)
        elif t.kind is _PARAGRAPH and len(here) != 1:
            found.update(pairwise(here))
            here = here[-1:] if len(here) % 2 else []
    found.update(pairwise(here))
    return found


def _bracket_math_partners(tokens: Sequence[Token]) -> dict[int, int]:
    r"""Each `\[` to the next `\]`, if no other `\[` comes before it."""
    found: dict[int, int] = {}
    last: int | None = None
    for i, t in enumerate(tokens):
        if t.kind is _COMMAND and t.text == r"\[":
            last = i
        elif t.kind is _COMMAND and t.text == r"\]" and last is not None:
            found[last] = i
            last = None
    return found
