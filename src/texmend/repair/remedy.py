"""Environment or source? Decided from the diagnostic and a look-up, pure (DESIGN section 3, point 1)."""

from __future__ import annotations

import re
from enum import StrEnum

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document
from texmend.model.outcome import StopReason
from texmend.ports import Lookup
from texmend.rules.kernel_command import LATER
from texmend.rules.missing import SUFFIXES, project_near, tree_near, used_names


class Remedy(StrEnum):
    """Who is asked."""

    SOURCE = "source"
    ENVIRONMENT = "environment"
    ENGINE = "engine"


_TREE_KINDS = frozenset(SUFFIXES)
_METRICS = ".tfm"
_PLAIN = re.compile(r"[A-Za-z][\w-]*")
"""A font as TeX itself knows it: the name of its metrics, not of a font of the system."""
_NEEDS_ENGINE = re.compile(
    r"requires? (?:either )?(?:the )?(?:XeTeX|LuaTeX|XeLaTeX|LuaLaTeX)"
    r"|needs? (?:to be run with )?(?:XeLaTeX|LuaLaTeX|XeTeX|LuaTeX)",
    re.I,
)


def remedy(diagnostic: Diagnostic, document: Document, lookup: Lookup) -> Remedy:
    """Whether the source, the TeX installation or the choice of engine is to be changed for this error."""
    if diagnostic.kind is Kind.ENGINE_MISMATCH or _NEEDS_ENGINE.search(diagnostic.message):
        return Remedy.ENGINE
    if diagnostic.kind is Kind.MISSING_TOOL:
        return Remedy.ENVIRONMENT
    name = file_name(diagnostic)
    if diagnostic.kind is Kind.MISSING_FONT:
        return Remedy.ENVIRONMENT if name.endswith(_METRICS) and not lookup.in_tree(name) else Remedy.SOURCE
    if diagnostic.kind not in _TREE_KINDS:
        return Remedy.SOURCE
    files = lookup.project_files()
    if lookup.in_tree(name) or any(f.rsplit("/", 1)[-1] == name for f in files):
        return Remedy.SOURCE
    if lookup.in_index(name):  # it exists, and is not installed: a near miss of it means something else
        return Remedy.ENVIRONMENT
    if project_near(name, files):
        return Remedy.SOURCE
    return Remedy.SOURCE if tree_near(name, lookup, used_names(document)) else Remedy.ENVIRONMENT


def file_name(diagnostic: Diagnostic) -> str:
    """The missing file's base name with the suffix that its kind has."""
    name = diagnostic.subject.strip().rsplit("/", 1)[-1]
    suffix = SUFFIXES.get(diagnostic.kind, "")
    if diagnostic.kind is Kind.MISSING_FONT and "Metric (TFM)" in diagnostic.message:
        name = re.split(r" (?:at|scaled) ", name)[0]
        suffix = _METRICS if _PLAIN.fullmatch(name) else ""
    return name if not suffix or "." in name else name + suffix


def environment_stop(first: Diagnostic, document: Document, lookup: Lookup) -> StopReason | None:
    """The stop reason of a first error that no change of the sources can cure, None for every other."""
    if first.kind is Kind.MISSING_TOOL:
        return StopReason.TOOL_MISSING
    if first.kind is Kind.BIBLIOGRAPHY_ERROR and "control file version" in first.message:
        return StopReason.UNMANAGED_TREE  # Biber and biblatex are of different years: no document can change that
    if remedy(first, document, lookup) is Remedy.ENVIRONMENT:
        return StopReason.UNMANAGED_TREE
    return None


def newer_than_installed(error: Diagnostic) -> str:
    """The release of LaTeX that brought the command which this error lacks; empty for every other error."""
    return LATER.get(error.subject, "") if error.kind is Kind.UNDEFINED_COMMAND else ""


def hopeless(first: Diagnostic, lookup: Lookup) -> StopReason | None:
    """The exact reason once nobody has a repair left for the first error; None: others may still know more."""
    if first.kind in (Kind.MISSING_FIGURE, Kind.MISSING_FILE, Kind.MISSING_BIBLIOGRAPHY):
        return StopReason.MISSING_ASSET
    if first.kind in (Kind.MISSING_FONT, Kind.TOO_OLD) or newer_than_installed(first):
        return StopReason.UNMANAGED_TREE
    if first.kind is Kind.SHELL_ESCAPE:
        return StopReason.NEEDS_SHELL_ESCAPE
    return None
