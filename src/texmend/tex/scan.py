r"""A tolerant scanner of LaTeX text: lossless, total, linear.

`scan(text)` never raises, and the texts of its tokens joined are the text. Offsets count characters, lines are
1-based. Everything beyond the tokens is worked out when it is first asked for, and kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from texmend.model.document import line_starts
from texmend.tex import commands as defs
from texmend.tex.arguments import ENVIRONMENT_SPECS, SPECS, Argument, Reader, skip_blank
from texmend.tex.commands import Command, Definition, Package
from texmend.tex.nester import Nester
from texmend.tex.nesting import EndMark, Environment, Group, Math, Mode, Nesting
from texmend.tex.tokens import BLANK, Lexer, T, Token, is_package

__all__ = [
    "BLANK",
    "Argument",
    "Command",
    "Definition",
    "EndMark",
    "Environment",
    "Group",
    "Math",
    "Mode",
    "Package",
    "Scan",
    "T",
    "Token",
    "scan",
    "scanned",
]


@dataclass(frozen=True)
class Scan:
    """A text and what it is made of."""

    text: str
    package: bool = False
    """The text is a package or class: `@` is a letter, and everything is preamble."""

    # tokens

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Tokens that cover the text without gaps."""
        return tuple(Lexer(self.text, self.package).run())

    @cached_property
    def _starts(self) -> list[int]:
        return [t.start for t in self.tokens]

    def index_at(self, offset: int) -> int:
        """Index of the token that holds the character at this offset; the number of tokens behind the end."""
        if offset >= len(self.text):
            return len(self.tokens)
        return max(bisect_right(self._starts, offset) - 1, 0)

    def token_at(self, offset: int) -> Token | None:
        """The token that holds the character at this offset."""
        i = self.index_at(offset)
        return self.tokens[i] if i < len(self.tokens) else None

    def tokens_in(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens that start at or behind `start` and before `end`."""
        i = bisect_right(self._starts, start - 1) if start > 0 else 0
        j = bisect_right(self._starts, end - 1) if end > 0 else 0
        return self.tokens[i:j]

    # lines

    @cached_property
    def _lines(self) -> list[int]:
        return line_starts(self.text)

    @property
    def line_count(self) -> int:
        return len(self._lines)

    def line_at(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect_right(self._lines, max(offset, 0))

    def column_at(self, offset: int) -> int:
        """The 1-based column of an offset, in characters."""
        return offset - self._lines[self.line_at(offset) - 1] + 1

    def offset_of_line(self, n: int) -> int:
        """Where the 1-based line starts; the end of the text for a line behind the last."""
        return self._lines[n - 1] if 0 < n <= len(self._lines) else (0 if n < 1 else len(self.text))

    def line_text(self, n: int) -> str:
        """The text of the 1-based line, without its end."""
        return self.text[self.offset_of_line(n) : self.offset_of_line(n + 1)].rstrip("\r\n")

    # nesting

    @cached_property
    def nesting(self) -> Nesting:
        return Nester(self.tokens, self.package).run()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Braces in order of their start, closed or not."""
        return self.nesting.groups

    @cached_property
    def unclosed_groups(self) -> tuple[Group, ...]:
        return tuple(g for g in self.groups if not g.closed)

    @property
    def stray_closes(self) -> tuple[int, ...]:
        """Offsets of `}` that close nothing."""
        return self.nesting.stray_closes

    @property
    def environments(self) -> tuple[Environment, ...]:
        return self.nesting.environments

    @cached_property
    def unclosed_environments(self) -> tuple[Environment, ...]:
        """Those without their end, halves in the bodies of definitions apart."""
        return tuple(e for e in self.environments if not e.closed and not e.in_definition)

    @cached_property
    def stray_ends(self) -> tuple[EndMark, ...]:
        r"""Each `\end{name}` that ends nothing, halves in the bodies of definitions apart."""
        return tuple(e for e in self.nesting.stray_ends if not e.in_definition)

    @property
    def math(self) -> tuple[Math, ...]:
        return self.nesting.math

    @property
    def stray_math(self) -> tuple[int, ...]:
        r"""Offsets of `\)` and `\]` that close nothing."""
        return self.nesting.stray_math

    def group_at(self, offset: int) -> Group | None:
        """The innermost braces around an offset."""
        found = [g for g in self.groups if g.start < offset < g.end]
        return found[-1] if found else None

    def environments_at(self, offset: int) -> tuple[Environment, ...]:
        """The environments around an offset, the outermost first."""
        return tuple(e for e in self.environments if e.start <= offset < e.end)

    def math_at(self, offset: int) -> Math | None:
        """The innermost formula around an offset."""
        found = [m for m in self.math if m.start <= offset < m.end]
        return found[-1] if found else None

    # borders and modes

    @cached_property
    def class_start(self) -> int | None:
        r"""Where the `\documentclass` that counts starts: the last one before `\begin{document}`, else the first."""
        found = [t.start for t in self.tokens if t.kind is T.COMMAND and t.text in (r"\documentclass", r"\documentstyle")]
        before = [at for at in found if self.document_start is not None and at < self.document_start]
        return before[-1] if before else found[0] if found else None

    @property
    def document_start(self) -> int | None:
        r"""Where `\begin{document}` starts."""
        return self.nesting.document_start

    @property
    def body_start(self) -> int | None:
        r"""After `\begin{document}`."""
        return self.nesting.body_start

    @property
    def body_end(self) -> int | None:
        r"""Where `\end{document}` starts."""
        return self.nesting.body_end

    @property
    def document_end(self) -> int | None:
        r"""After `\end{document}`; what follows is not read by TeX."""
        return self.nesting.document_end

    @cached_property
    def _mode_starts(self) -> list[int]:
        return [at for at, _ in self.nesting.modes]

    def mode_at(self, offset: int) -> Mode:
        """How TeX would read the character at this offset."""
        mode = self.nesting.modes[max(bisect_right(self._mode_starts, offset) - 1, 0)][1]
        t = self.token_at(offset)
        if mode is Mode.AFTER or t is None:
            return mode
        if t.kind is T.COMMENT:
            return Mode.COMMENT
        return Mode.VERBATIM if t.kind is T.VERBATIM else mode

    # commands

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.text, self.tokens, self.nesting.pairs)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Token indexes of each command, up to the end of the document."""
        stop = self.document_end if self.document_end is not None else len(self.text)
        places: dict[str, list[int]] = {}
        for i, t in enumerate(self.tokens):
            if t.start >= stop:
                break
            if t.kind is T.COMMAND:
                places.setdefault(t.text, []).append(i)
        return places

    @property
    def command_names(self) -> frozenset[str]:
        """Every command that the document uses, with its backslash."""
        return frozenset(self._places)

    def uses(self, name: str) -> bool:
        return name in self._places

    def commands(self, *names: str) -> Iterator[Command]:
        """The commands of these names, or all, in order, with their arguments; not behind `\\end{document}`."""
        for i in sorted(i for n in names or self._places for i in self._places.get(n, ())):
            yield self._command(i)

    def _command(self, i: int, spec: str | None = None) -> Command:
        t = self.tokens[i]
        if spec is None:
            spec = SPECS.get(t.text)
        args = self._reader.attached(i + 1) if spec is None else self._reader.read(i + 1, spec)
        return Command(t.text, t.start, t.end, args)

    def command_at(self, offset: int) -> Command | None:
        """The command whose name holds this offset."""
        i = self.index_at(offset)
        return self._command(i) if i < len(self.tokens) and self.tokens[i].kind is T.COMMAND else None

    def arguments(self, offset: int, spec: str) -> tuple[Argument, ...]:
        """The arguments of the command at this offset, or from the token at it if it is none (see `tex.arguments`)."""
        i = self.index_at(offset)
        command = i < len(self.tokens) and self.tokens[i].kind is T.COMMAND
        return self._reader.read(i + 1 if command else i, spec)

    def environment_arguments(self, environment: Environment, spec: str | None = None) -> tuple[Argument, ...]:
        r"""The arguments behind `\begin{name}`."""
        i = self.index_at(environment.begin_end)
        if spec is None:
            spec = ENVIRONMENT_SPECS.get(environment.name)
        return self._reader.attached(i) if spec is None else self._reader.read(i, spec)

    def content_start(self, environment: Environment) -> int:
        r"""Where the content of an environment starts, behind `\begin{name}` and its arguments."""
        return max((a.end for a in self.environment_arguments(environment)), default=environment.begin_end)

    def packages(self) -> tuple[Package, ...]:
        """Packages and classes that are loaded, in order."""
        return self._packages

    @cached_property
    def _packages(self) -> tuple[Package, ...]:
        return tuple(defs.packages(self.commands(*defs.LOADERS)))

    @cached_property
    def package_names(self) -> frozenset[str]:
        """Names of the packages and classes that are loaded."""
        return frozenset(p.name for p in self._packages)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Names that the text defines, in order."""
        found = [d for name in self._places if (kind := defs.defining_kind(name)) for d in self._defined(name, kind)]
        found += [d for name in defs.PRIMITIVES for i in self._places.get(name, ()) if (d := self._primitive(i))]
        return tuple(sorted(found, key=lambda d: d.start))

    def _defined(self, name: str, kind: str) -> Iterator[Definition]:
        for i in self._places[name]:
            d = defs.definition(self._command(i, defs.SPECS.get(kind, "sm")))
            if d:
                yield d

    def _primitive(self, i: int) -> Definition | None:
        r"""`\def\name#1#2{body}` and `\let\name=\other`."""
        j = skip_blank(self.tokens, i + 1)
        if j >= len(self.tokens) or self.tokens[j].kind is not T.COMMAND:
            return None
        t, name = self.tokens[i], self.tokens[j]
        kind = defs.PRIMITIVES[t.text]
        k, parameters = j + 1, 0
        while kind == "command" and k < min(len(self.tokens), j + 40) and self.tokens[k].kind is not T.OPEN:
            if self.tokens[k].kind is T.PARAGRAPH:
                break
            parameters += self.tokens[k].kind is T.PARAMETER
            k += 1
        body = self._reader.read(k, "m") if kind == "command" else ()
        end = body[0].end if body else name.end
        span = (body[0].inner_start, body[0].inner_end) if body else None
        nargs = parameters if kind == "command" else None
        return Definition(name.text, kind, t.text, nargs, t.start, end, (name.start, name.end), span)

    @cached_property
    def defined_names(self) -> frozenset[str]:
        """Names of all definitions, commands with their backslash."""
        return frozenset(d.name for d in self.definitions)


def scan(text: str, package: bool | None = None) -> Scan:
    """The scanned text; whether it is a package is seen from the text itself unless said."""
    return Scan(text, is_package(text) if package is None else package)


@lru_cache(maxsize=4)
def scanned(text: str) -> Scan:
    """The same; the last few texts are kept, for those who look at one text from several sides."""
    return scan(text)
