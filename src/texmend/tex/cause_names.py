"""Causes of errors that name something: a file, font, package, option, command or character."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.commands import Package
from texmend.tex.scan import T
from texmend.tex.sources import Place, Sources

_EXPANSION = re.compile(r"(\\[A-Za-z@]+)(?:[^\n]*?->| \.\.\.)")
"""A macro in the trail; of a long text TeX shows only the end, behind three dots."""
_LOAD_HINT = re.compile(r"\\(?:usepackage|RequirePackage|documentclass|LoadClass)")


def of_load(d: Diagnostic, sources: Sources) -> Cause | None:
    """The command that loads the package or class which is missing, clashes or complains."""
    name = PurePosixPath(d.subject).stem if d.subject else ""
    found = _loads(name, sources)
    if found:
        path, package = _closest(found, sources, d)
        return sources.cause(Place(path, package.name_span[0]), f"{package.command} loads {name} here")
    return of_name(d, sources)


def of_clash(d: Diagnostic, sources: Sources) -> Cause | None:
    """The later load of a package that was loaded before with other options."""
    found = _loads(d.subject, sources)
    if not found:
        return None
    path = sources.path(d.file)
    before = [f for f in found if f[0] != path or d.line is None or sources.scan(f[0]).line_at(f[1].span[0]) <= d.line]
    with_options = [f for f in before if f[1].options]
    path_, package = (with_options or before or found)[-1]
    return sources.cause(Place(path_, package.span[0]), f"{d.subject} was loaded before, with other options than these")


def _loads(name: str, sources: Sources) -> list[tuple[str, Package]]:
    return [(p, package) for p in sources.paths for package in sources.scan(p).packages() if package.name == name and name]


def _closest(found: list[tuple[str, Package]], sources: Sources, d: Diagnostic) -> tuple[str, Package]:
    path = sources.path(d.file)
    here = [f for f in found if f[0] == path and (d.line is None or sources.scan(f[0]).line_at(f[1].span[0]) <= d.line)]
    return here[-1] if here else found[0]


def of_name(d: Diagnostic, sources: Sources) -> Cause | None:
    """Where the document names what is missing or unknown: in the error's file at or before its line, else anywhere."""
    path = sources.path(d.file)
    path = path if path in sources.paths else None  # a generated file only repeats what a source says
    for words in _spellings(d.subject):
        if place := sources.nearest(words, path, d.line):
            return sources.cause(place, f"{words} is named here")
    return _without_blanks(d, sources)


def _spellings(subject: str) -> list[str]:
    """The ways in which a source may name a file, the longest first."""
    if not subject:
        return []
    path = PurePosixPath(subject)
    core = re.sub(r"^(?:tikzlibrary|pgflibrary|pgfplotslibrary|tcb|gloss-)|\.code$", "", path.stem)
    names = [subject, str(path.with_suffix("")) if path.suffix else subject, path.name, path.stem, core, core.removesuffix(".code")]
    names += [subject.rsplit("/", 1)[-1]] if "/" in subject else []
    return [n for n in dict.fromkeys(names) if n]


def _without_blanks(d: Diagnostic, sources: Sources) -> Cause | None:
    """LuaTeX prints a font's name without its blanks."""
    squeezed = re.sub(r"\s", "", d.subject)
    if len(squeezed) < 4:
        return None
    pattern = re.compile(r"[ \t]*".join(map(re.escape, squeezed[:200])))
    for p in sources.paths:
        for hit in pattern.finditer(sources.texts[p]):
            if sources.is_code(Place(p, hit.start())):
                return sources.cause(Place(p, hit.start()), f"{hit.group()} is named here")
    return None


def full_name(subject: str, cause: Cause | None) -> str:
    """A font's name with the blanks that the log lost, if the cause shows them."""
    if cause and cause.why.endswith(" is named here"):
        named = cause.why.removesuffix(" is named here")
        if named != subject and re.sub(r"\s", "", named) == re.sub(r"\s", "", subject):
            return named
    return subject


def of_command(d: Diagnostic, sources: Sources) -> Cause | None:
    """Where the undefined command stands: at the break, in the body of the macro that TeX expanded, or nearby."""
    path, name = sources.path(d.file), d.subject
    if not name:
        return None
    shown = d.context.rstrip()
    if path and d.line and shown.endswith(name):
        at = sources.break_offset(path, d.line, shown) - len(name)
        return sources.cause(Place(path, at), f"{name} is used here and defined nowhere")
    if found := in_expansion(d, sources, name):
        return found
    if place := sources.nearest(name, path, d.line):
        return sources.cause(place, f"{name} is used here and defined nowhere")
    return None


def in_expansion(d: Diagnostic, sources: Sources, name: str) -> Cause | None:
    """The body of the document's own macro whose expansion the message shows, if it holds the name."""
    for part in d.details:
        hit = _EXPANSION.match(part)
        if hit and (found := sources.definition(hit[1])):
            path, definition = found
            start, end = definition.body_span or (definition.start, definition.end)
            at = sources.texts[path].find(name, start, end)
            if at >= 0:
                return sources.cause(Place(path, at), f"the definition of {definition.name} uses {name}")
    return None


def of_recursion(d: Diagnostic, sources: Sources) -> Cause | None:
    """The macro that calls itself without end, when TeX runs out of stack or memory."""
    for part in d.details:
        hit = _EXPANSION.match(part)
        if hit and (found := sources.definition(hit[1])):
            path, definition = found
            start, end = definition.body_span or (definition.start, definition.end)
            if sources.scan(path).text.find(definition.name, start, end) >= 0:
                return sources.cause(Place(path, definition.start), f"{definition.name} calls itself without end")
            return sources.cause(Place(path, definition.start), f"TeX was expanding {definition.name} without end")
    return None


def of_character(d: Diagnostic, sources: Sources) -> Cause | None:
    """The first place of a character that TeX or the font cannot show."""
    char = d.subject
    path = sources.path(d.file)
    if not char:
        return None
    order = [p for p in (path,) if p] + [p for p in sources.paths if p != path]
    for p in order:
        s = sources.scan(p)
        start = s.offset_of_line(d.line) if p == path and d.line else (s.body_start or 0)
        for begin in (start, 0):
            at = s.text.find(char, begin)
            if at >= 0 and sources.is_code(Place(p, at)):
                return sources.cause(Place(p, at), f"the character {char} stands here")
    return None


def of_caller(d: Diagnostic, sources: Sources) -> Cause | None:
    """For an error inside an installed package: the line of the document that loads it, by its options if they are named."""
    stem = PurePosixPath(d.file or "").stem
    found = _loads(stem, sources)
    if not found and (speaker := re.match(r"(?:Fatal |Critical )?(?:Package|Class) (\S+)", d.message)):
        found = _loads(speaker[1].removesuffix(".def"), sources)
    if not found:
        return None
    core = PurePosixPath(d.subject).stem if d.subject else ""
    best = next((f for f in found if core and core in f[1].options), found[0])
    path, package = best
    if core and package.options_span and core in package.options:
        at = sources.texts[path].find(core, *package.options_span)
        return sources.cause(Place(path, max(at, package.options_span[0])), f"{core} is asked of {package.name} here")
    return sources.cause(Place(path, package.name_span[0]), f"{package.command} loads {package.name} here")


def of_bytes(d: Diagnostic, sources: Sources) -> Cause | None:
    """The last bytes at or before the reported line that are no UTF-8."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    found = [m.start() for m in re.finditer("[\ud800-\udfff]", s.text[: s.offset_of_line(d.line + 1)])]
    return sources.cause(Place(path, found[-1]), "this byte is no UTF-8") if found else None


def of_parameter(d: Diagnostic, sources: Sources) -> Cause | None:
    """The `#` before the place where TeX stopped that no parameter stands behind."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = sources.stop(d, path)
    start = max(0, at - 20_000)
    inside = [x.body_span for x in s.definitions if x.body_span and (x.nargs or 0) > 0]
    marks = [t.start for t in s.tokens_in(start, at) if t.kind is T.PARAMETER]
    free = [m for m in marks if not any(a <= m < b for a, b in inside)]
    return sources.cause(Place(path, (free or marks)[-1]), "this # is no parameter here") if marks else None


def of_speaker(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The `\usepackage` just read when a package complains while it is loaded (TeX has looked one line ahead)."""
    path = sources.path(d.file)
    conflict = re.search(r"[Ii]ncompatible (?:with )?(?:the )?(?:package )?['`\"]?([\w-]+)['`\"]?", d.message)
    if conflict and (found := _loads(conflict[1], sources)):
        return sources.cause(Place(found[0][0], found[0][1].name_span[0]), f"{found[0][1].command} loads {conflict[1]} here")
    speaker = re.match(r"(?:Fatal |Critical )?(?:Package|Class) (\S+?)(?:\.def)? [Ee]rror", d.message)
    if path is None or not d.line or not speaker:
        return None
    s = sources.scan(path)
    for p, package in _loads(speaker[1], sources):
        if p == path and 0 <= d.line - s.line_at(package.span[1]) <= 2:
            return sources.cause(Place(p, package.name_span[0]), f"{package.command} loads {package.name} here")
    return None


def of_frame(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The beamer frame with verbatim text that is not `[fragile]`."""
    for p in sources.paths:
        s = sources.scan(p)
        for e in s.environments:
            if e.name != "frame" or (p == sources.path(d.file) and d.line and s.line_at(e.start) > d.line):
                continue
            options = s.text[e.begin_end : s.offset_of_line(s.line_at(e.begin_end) + 1)]
            verbatim = any(
                t.kind is T.VERBATIM and s.text[max(t.start - 12, 0) : t.start].rstrip("*").endswith(("}", "]", "\\verb", "\n"))
                for t in s.tokens_in(e.begin_end, e.end)
            )
            if verbatim and "fragile" not in options:
                return sources.cause(Place(p, e.start), "this frame has verbatim text and is not [fragile]")
    return None


def of_set_frame(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The same for an error that beamer meets when it sets the frame, at its `\end{frame}`."""
    path = sources.path(d.file)
    if path is None or not d.context.rstrip().endswith(r"\end{frame}"):
        return None
    found = of_frame(d, sources)
    s = sources.scan(path)
    frames = [e for e in s.environments if e.name == "frame" and s.line_at(e.end_start) == d.line]
    return found if found and frames and found.line == s.line_at(frames[-1].start) else None
