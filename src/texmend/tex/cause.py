"""Where the author should look: each error traced from where TeX noticed it to where it was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from texmend.model.diagnostic import MISSING_FILES, Cause, Diagnostic, Kind
from texmend.tex import cause_math as mathematics
from texmend.tex import cause_names as names
from texmend.tex import cause_other as other
from texmend.tex import cause_structure as structure
from texmend.tex import cause_tables as tables
from texmend.tex.cascade import link_by_cause
from texmend.tex.sources import Place, Sources

_Tracer = Callable[[Diagnostic, Sources], Cause | None]
_TRACED = 60
"""Errors that are traced; TeX itself stops at 100 in a paragraph."""
_GENERATED = (".aux", ".toc", ".lof", ".lot", ".out", ".bbl", ".ind", ".gls", ".nav", ".snm", ".loa", ".lol")

_TRACERS: dict[Kind, tuple[_Tracer, ...]] = {
    Kind.UNDEFINED_COMMAND: (names.of_command,),
    Kind.UNDEFINED_ENVIRONMENT: (names.of_name,),
    Kind.OPTION_CLASH: (names.of_clash,),
    Kind.MISSING_PACKAGE: (names.of_load,),
    Kind.MISSING_CLASS: (names.of_load,),
    Kind.ENVIRONMENT_MISMATCH: (structure.of_mismatch,),
    Kind.UNCLOSED_ENVIRONMENT: (structure.of_mismatch,),
    Kind.EXTRA_BRACE: (mathematics.of_brace,),
    Kind.RUNAWAY_ARGUMENT: (structure.of_runaway,),
    Kind.PARAGRAPH_IN_ARGUMENT: (structure.of_runaway,),
    Kind.FILE_ENDED: (names.of_frame, structure.of_runaway),
    Kind.NO_END_DOCUMENT: (names.of_frame, structure.of_missing_end),
    Kind.NUMBER_EXPECTED: (tables.of_bracket,),
    Kind.UNIT_EXPECTED: (tables.of_bracket,),
    Kind.COLUMN_SPECIFICATION: (tables.of_column,),
    Kind.INVALID_UTF8: (names.of_bytes,),
    Kind.PARAMETER_NUMBER: (names.of_parameter,),
    Kind.PACKAGE_ERROR: (names.of_speaker,),
    Kind.CLASS_ERROR: (names.of_speaker,),
    Kind.SHELL_ESCAPE: (names.of_speaker,),
    Kind.ENGINE_MISMATCH: (names.of_speaker,),
    Kind.INCOMPLETE_CONDITIONAL: (structure.of_conditional,),
    Kind.MATH_EXPECTED: (
        names.of_set_frame,
        mathematics.of_math,
    ),
    Kind.MATH_UNCLOSED: (mathematics.of_display,),
    Kind.MATH_DELIMITER: (mathematics.of_delimiter,),
    Kind.EXTRA_ALIGNMENT: (tables.of_alignment,),
    Kind.MISPLACED_ALIGNMENT: (
        names.of_set_frame,
        tables.of_row_end,
    ),
    Kind.FLOAT_PLACE: (tables.of_float,),
    Kind.MACRO_USE: (tables.of_specification,),
    Kind.ITEM_EXPECTED: (tables.of_item,),
    Kind.TIKZ_SYNTAX: (tables.of_path,),
    Kind.CAPACITY: (names.of_recursion,),
    Kind.LOST_CHARACTER: (names.of_character,),
    Kind.UNICODE_CHARACTER: (names.of_character,),
    Kind.LUA_ERROR: (other.of_lua,),
    Kind.BIBLIOGRAPHY_SYNTAX: (other.of_bib_syntax,),
    Kind.UNDEFINED_COLOR: (names.of_name,),
    Kind.UNDEFINED_COUNTER: (names.of_name,),
    Kind.UNDEFINED_KEY: (names.of_name,),
    Kind.INDEX_ERROR: (other.of_index,),
    Kind.DRIVER_ERROR: (names.of_name,),
    Kind.GRAPHIC_FORMAT: (names.of_name,),
    **{kind: (names.of_name,) for kind in MISSING_FILES if kind not in (Kind.MISSING_PACKAGE, Kind.MISSING_CLASS)},
}


def with_causes(diagnostics: tuple[Diagnostic, ...], texts: Mapping[str, str], root: str | None = None) -> tuple[Diagnostic, ...]:
    """The same diagnostics, each error with `cause` where one can be shown, follow-ups linked by `follows`.

    A file that the log's parentheses made uncertain is corrected when the context stands in another text.

    Args:
        texts: the text files of the build by the names that the diagnostics use (sources, .bib, .aux, .toc, .bbl).
        root: which of them is the root, where that is known.
    """
    sources = Sources(texts, root or _root(texts))
    out: list[Diagnostic] = []
    traced = 0
    for d in diagnostics:
        last_words = d.kind in (Kind.FATAL, Kind.NO_END_DOCUMENT) and d.follows is not None
        if d.is_error and d.cause is None and not last_words and traced < _TRACED:
            traced += 1
            d = _relocated(d, sources)
            cause = trace(d, sources)
            d = replace(d, cause=cause, subject=names.full_name(d.subject, cause))
            if d.column is None and cause and (cause.file, cause.line) == (sources.path(d.file), d.line):
                d = replace(d, column=cause.column)
        out.append(d)
    return link_by_cause(out)


def _root(texts: Mapping[str, str]) -> str | None:
    """The text that is a whole document; `main.tex` when several are."""
    whole = sorted(p for p, text in texts.items() if p.endswith((".tex", ".ltx")) and "\\documentclass" in text)
    return "main.tex" if "main.tex" in whole else (whole[0] if whole else None)


def trace(d: Diagnostic, sources: Sources) -> Cause | None:
    """The cause of an error: by its kind, else by the file that it was found in, else its own place."""
    path = sources.path(d.file)
    if d.file and d.file.endswith(_GENERATED) and (cause := other.of_generated(d, sources)):
        return cause
    for tracer in _TRACERS.get(d.kind, ()):
        if cause := tracer(d, sources):
            return cause
    if path is None and d.file and (cause := names.of_caller(d, sources)):
        return cause
    return _own_place(d, sources, path)


def _own_place(d: Diagnostic, sources: Sources, path: str | None) -> Cause | None:
    if path is None or not d.line or d.line > sources.scan(path).line_count:
        return None
    at = sources.stop(d, path)
    return sources.cause(Place(path, at), "TeX stopped here")


def _relocated(d: Diagnostic, sources: Sources) -> Diagnostic:
    """The diagnostic in the only text whose line is the one that TeX shows, when that of its own file is another."""
    if not d.line or len(d.context.strip()) < 4 or d.kind is Kind.LUA_ERROR:
        return d
    path = sources.path(d.file)
    if path is not None and (d.line > sources.scan(path).line_count or not sources.shows(path, d.line, d.context)):
        fits = [p for p in sources.paths if sources.scan(p).line_count >= d.line and sources.shows(p, d.line, d.context)]
        if len(fits) == 1:
            return replace(d, file=fits[0])
    return d
