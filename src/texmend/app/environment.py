"""What a document needs of a TeX installation that texmend may not change: the packages, and the distribution's own command."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from texmend.adapters.records.sessions import default_data_dir
from texmend.adapters.tree.distribution import Owner, distributions
from texmend.adapters.tree.origin import Origin, Origins
from texmend.adapters.tree.owned import Owned
from texmend.adapters.tree.repository import Repository
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Engine
from texmend.model.outcome import StopReason
from texmend.model.report import EnvironmentAction, Report
from texmend.ports import Lookup
from texmend.repair.remedy import Remedy, newer_than_installed, remedy
from texmend.repair.wanted import Wanted, by_log, by_source
from texmend.rules.missing import SUFFIXES

_FORMAT = re.compile(r"^LaTeX2e <(\d{4}-\d\d-\d\d)>", re.M)
MOST = 40
"""Files that are looked up for one report."""


def is_asked(result: CompileResult) -> bool:
    """Whether a file that packages may have is missing: only then is it worth while to read the tree."""
    return any(e.kind in SUFFIXES or newer_than_installed(e) for e in result.errors)


def told(report: Report, result: CompileResult, lookup: Lookup) -> Report:
    """The report of a document that lacks what packages have, in a tree that is not ours, with where each file is to be had."""
    if report.stop_reason not in (StopReason.UNMANAGED_TREE, StopReason.ERRORS_FOUND):
        return report
    if later := _later(result):
        report = replace(report, detail=f"{report.detail} {later}".strip())
    if not (missing := _missing(result, lookup)):
        return report
    if result.document.engine is Engine.TECTONIC:
        files = ", ".join(names[0] for names in missing)
        asks = f"{files}: not in Tectonic's bundle or cache; texmend gives it no network, `tectonic {report.target_file}` does."
        return replace(report, detail=f"{report.detail} {asks}".strip())
    origins = _origins()
    found = [origins.of(names) for names in missing]
    advice = tuple(EnvironmentAction("advice", _where(o), o.command) for o in found)
    detail = " ".join(filter(None, (report.detail, *_sentences(found, origins))))
    return replace(report, environment_actions=(*report.environment_actions, *advice), detail=detail)


def _later(result: CompileResult) -> str:
    """Which LaTeX brought the first command that the installed one is too old for, and which one is installed."""
    error = next((e for e in result.errors if newer_than_installed(e)), None)
    if error is None:
        return ""
    here = _FORMAT.search(result.log)
    installed = f"; the installed one is of {here.group(1)}" if here else ""
    return f"{error.subject} came with the LaTeX of {newer_than_installed(error)}{installed}: update the TeX distribution."


def _where(o: Origin) -> str:
    if not o.known:
        return f"{o.file}: it is unknown which package has it; asked: {o.source}"
    of_texlive = f" ({o.texlive} of TeX Live)" if o.texlive and o.texlive not in o.packages else ""
    gone = ", which is installed, but the file is gone" if o.gone else ""
    return f"{o.file} is in {' or '.join(o.packages)}{of_texlive}{gone}, by {o.source}"


def _sentences(found: Sequence[Origin], origins: Origins) -> Iterator[str]:
    known = [o for o in found if o.known]
    files = ", ".join(o.file for o in known)
    packages = ", ".join(dict.fromkeys(o.packages[0] for o in known))
    if command := origins.command(known):
        yield f"`{command}` brings {files}."
    elif known:
        yield f"{files}: in {packages} of TeX Live, to be installed the way that this TeX was."
    for o in found:
        if not o.known:
            asks = f"; `{o.command}` asks for it" if o.command else ""
            yield f"It is unknown which package has {o.file}{asks}."


def _missing(result: CompileResult, lookup: Lookup) -> list[Wanted]:
    """What the log misses, then what the sources load that is nowhere although packages have it."""
    by_errors = [names for e in result.errors if _of_tree(e, result, lookup) and (names := by_log(e))]
    own = {f.rsplit("/", 1)[-1] for f in lookup.project_files()}
    loaded = [
        names
        for names in by_source(result.document)
        if any(map(lookup.in_index, names)) and not any(n in own or lookup.in_tree(n) for n in names)
    ]
    unique: dict[str, Wanted] = {}
    for names in (*by_errors, *loaded):
        if not any(n in unique for n in names):
            unique[names[0]] = names
    return list(unique.values())[:MOST]


def _of_tree(error: Diagnostic, result: CompileResult, lookup: Lookup) -> bool:
    if error.kind is Kind.MISSING_FONT:
        return True
    return error.kind is not Kind.MISSING_TOOL and remedy(error, result.document, lookup) is Remedy.ENVIRONMENT


def _origins() -> Origins:
    ours = Owned(default_data_dir() / "tex").current()
    repository = Repository(ours.marker.repository) if ours and ours.marker.repository else None
    there = distributions(os.environ)
    return Origins(there[0].owner if there else Owner.UNKNOWN, os.environ, repository)
