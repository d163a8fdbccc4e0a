"""What the drivers (xdvipdfmx, dvipdfmx, dvips, ps2pdf and Ghostscript) and font makers print, as typed diagnostics."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.filestack import clean_name
from texmend.tex.logwrap import clip, logical_lines

_FIGURE = r"\.(?:png|jpe?g|pdf|e?ps|svg|bmp|gif|mps|tiff?)"


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    kind: Kind
    severity: Severity = Severity.ERROR
    tool: str = ""
    """The program that prints this; empty: group `tool`, or the one that was run."""


def _form(pattern: str, kind: Kind, severity: Severity = Severity.ERROR, tool: str = "") -> _Form:
    return _Form(re.compile(pattern), kind, severity, tool)


_DVIPDFMX = r"^(?P<tool>x?dvipdfmx):(?:fatal|error): "
_WARNS = r"^(?P<tool>x?dvipdfmx):warning: "
_FORMS: tuple[_Form, ...] = (
    _form(
        _DVIPDFMX + rf".*?[Cc]ould(?:n't| not) (?:find|open)(?: image)? file:? \"?(?P<s>.+?{_FIGURE})\"?\.?$", Kind.MISSING_FIGURE
    ),
    _form(
        _DVIPDFMX
        + r".*?(?:[Cc]annot|Unable to|[Cc]ould not) (?:find|locate).*?(?:[TO]FM|font|PK|Type ?1).*?[:\" ](?P<s>[\w.@+-]+)\"?\.?$",
        Kind.MISSING_FONT,
    ),
    _form(_DVIPDFMX + r".*?(?:[Cc]annot proceed without .*? font: (?P<s>\S+?)\.*$)", Kind.MISSING_FONT),
    _form(_DVIPDFMX + r"(?P<m>.*)", Kind.DRIVER_ERROR),
    _form(
        _WARNS + rf"(?:Image inclusion failed|.*?[Cc]ould(?:n't| not) (?:find|open)).*?[\" ](?P<s>[^\s\"]+?{_FIGURE})\"?",
        Kind.MISSING_FIGURE,
    ),
    _form(
        _WARNS + r".*?(?:[Cc]ould not locate|not found|[Ff]ailed to (?:open|load)).*?font.*?\"(?P<s>[^\"]+)\"",
        Kind.MISSING_FONT,
        Severity.WARNING,
    ),
    _form(_WARNS, Kind.WARNING, Severity.WARNING),
    _form(r"^(?P<tool>dvips): Could not find figure file (?P<s>.+?); continuing", Kind.MISSING_FIGURE),
    _form(
        r"^(?P<tool>dvips): (?:! )?[Cc]ouldn't (?:find|open) (?:header|figure|PostScript) file:? (?P<s>.+?)\.?$", Kind.MISSING_FILE
    ),
    _form(r"^(?P<tool>dvips): Font (?P<s>\S+?)(?: at \d+)? not found", Kind.MISSING_FONT),
    _form(r"^(?P<tool>dvips): ! ", Kind.DRIVER_ERROR),
    _form(r"^(?P<tool>mktexpk|mktextfm): don't know how to create (?:bitmap font|TFM) for (?P<s>\S+?)\.?$", Kind.MISSING_FONT),
    _form(r"^!?\s?(?:pdfTeX|pdftex|LuaTeX|luatex|XeTeX) error.*?Font (?P<s>\S+?) at \d+ not found", Kind.MISSING_FONT),
    _form(r"^!\s?(?:pdfTeX|pdftex|LuaTeX|luatex|XeTeX) error", Kind.DRIVER_ERROR),
    _form(r"^Error: /(?P<s>\w+) in ", Kind.DRIVER_ERROR, tool="gs"),
    _form(r"^\s*\*\*\*\* Error: ", Kind.DRIVER_ERROR, tool="gs"),
    _form(r"Ghostscript.*Unrecoverable error", Kind.DRIVER_ERROR, tool="gs"),
    _form(r"I can't find the format file `(?P<s>[^']+)'", Kind.MISSING_FILE),
    _form(r"Fatal format file error", Kind.FATAL),
    _form(r"^kpathsea: (?:fatal|error): ", Kind.DRIVER_ERROR),
    _form(r"^(?:sh|bash|env|/bin/sh)(?::[ \w]+)?: (?:line )?\d*:? ?(?P<s>[\w.-]+): (?:command )?not found", Kind.MISSING_TOOL),
    _form(r"^(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception)\b", Kind.ENGINE_CRASH),
    _form(r"^Error \d+ \(driver return code\) generating output", Kind.DRIVER_ERROR, tool="xdvipdfmx"),
)


def parse_driver(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    """The errors and warnings that a driver printed, in order."""
    found: list[Diagnostic] = []
    for piece, offset in clip(data):
        for line in logical_lines(piece, offset, wrapped=False):
            if line.text and (d := _diagnostic(line.text[:4000], tool, (line.start, line.end))) and not _repeats(found, d):
                found.append(d)
    return tuple(found)


def _diagnostic(text: str, tool: str, span: tuple[int, int]) -> Diagnostic | None:
    for form in _FORMS:
        if hit := form.pattern.search(text):
            groups = hit.groupdict()
            speaker = groups.get("tool") or form.tool or tool
            subject = clean_name(groups.get("s") or "")
            return Diagnostic(form.kind, form.severity, speaker, text.strip(), subject=subject, span=span)
    return None


def _repeats(found: list[Diagnostic], d: Diagnostic) -> bool:
    """The closing words of a failure that has been told, or the same words again."""
    if d.message.startswith("Error ") and "driver return code" in d.message:
        return any(f.is_error for f in found)
    return any(f.message == d.message for f in found[-50:])
