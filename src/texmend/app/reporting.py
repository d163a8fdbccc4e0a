"""Outcomes and build results as the Report that every face prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import unified_diff

from texmend.app.author_lines import at_author_lines
from texmend.app.refusals import unsafe_diagnostics
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import LINE_END, Document
from texmend.model.outcome import Fidelity, Outcome, StopReason
from texmend.model.repair import Draft, EngineRepair, PackageRepair, Repair, SourceRepair, apply
from texmend.model.report import (
    CauseReport,
    Change,
    EnvironmentAction,
    FidelityShape,
    Gates,
    Issue,
    Report,
    RoundShape,
    Tokens,
)
from texmend.tex.advice import advice, hidden, near_miss, other_layout
from texmend.tex.keys import KINDS, Keys, located


def failure(reason: StopReason, detail: str) -> Report:
    """The report of what ended before anything was compiled."""
    return Report(str(reason.status), str(reason), detail, exit_code=reason.exit_code)


_STOPS = frozenset({Kind.MISSING_PACKAGE, Kind.MISSING_CLASS, Kind.MISSING_FILE})
"""Kinds behind which TeX does not read on."""


def issues(diagnostics: Iterable[Diagnostic], lang: str, texts: Mapping[str, str] | None = None) -> tuple[Issue, ...]:
    """Diagnostics as they are shown, with the advice for their kind; a key that nothing defines with the one it is near.

    Args:
        texts: the document's sources by path.
    """
    keys = Keys(texts or {})
    diagnostics = located(diagnostics, keys)
    return tuple(
        Issue(
            kind=str(d.kind),
            severity=str(d.severity),
            tool=d.tool,
            file=d.file,
            line=d.line,
            column=d.column,
            subject=d.subject,
            message=d.message,
            context=d.context,
            cause=CauseReport(d.cause.file, d.cause.line, d.cause.column, d.cause.why) if d.cause else None,
            advice=_advice(d, keys, lang),
            follows=d.follows,
        )
        for d in diagnostics
    )


def _advice(d: Diagnostic, keys: Keys, lang: str) -> str:
    meant = keys.meant(d.kind, d.subject) if d.kind in KINDS else None
    return near_miss(d, meant.key, f"{meant.file}:{meant.line}", lang) if meant else advice(d, lang)


def _hidden(result: CompileResult, lang: str) -> tuple[str, ...]:
    """The note that errors may be hidden behind what is missing."""
    missing = dict.fromkeys(d.subject for d in result.errors if d.kind in _STOPS and d.subject)
    return (hidden(", ".join(missing), lang),) if missing and result.pdf is None else ()


def _refused_first(result: CompileResult) -> tuple[Diagnostic, ...]:
    """What made the build unsafe comes before what the tools say, which is often only its echo."""
    signs = unsafe_diagnostics(result)
    shifted = (d if d.follows is None else replace(d, follows=d.follows + len(signs)) for d in result.diagnostics)
    return (*signs, *shifted)


def gates(result: CompileResult) -> Gates:
    """The separate verdicts of one build."""
    warnings = Counter(str(d.kind) for d in result.diagnostics if d.severity is Severity.WARNING)
    return Gates(
        build="pass" if result.ok else "fail",
        rerun="fail" if result.rerun else "pass" if result.ok else "not run",
        warnings=dict(warnings),
        security=result.security,
    )


def changes(draft: Draft) -> tuple[Change, ...]:
    """What each repair that leads to the draft changed, file by file, in order."""
    return tuple(_changes(draft.original, draft.repairs))


def _changes(document: Document, repairs: Iterable[Repair]) -> Iterator[Change]:
    for repair in repairs:
        after = apply(repair, document)
        if isinstance(repair, SourceRepair | EngineRepair):
            for f in repair.patch.files:
                yield Change(f.path, repair.by, repair.why, diff(f.path, document.text(f.path) or "", after.text(f.path) or ""))
        document = after


def diff(path: str, before: str, after: str) -> str:
    """A unified diff of two texts; bytes that are no UTF-8 are shown as the characters that Windows-1252 has for them."""
    a, b = (LINE_END.sub("\n", t).splitlines(keepends=True) for t in (before, after))
    lines = [
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
        for line in unified_diff(a, b, f"a/{path}", f"b/{path}")
    ]
    return _LONE_BYTE.sub(lambda m: bytes([ord(m.group()) - 0xDC00]).decode("cp1252", "replace"), "".join(lines))


_LONE_BYTE = re.compile("[\udc80-\udcff]")
"""What a byte outside of UTF-8 is in a decoded source (`model.document.decode`)."""


def _environment(repairs: Iterable[Repair]) -> Iterator[EnvironmentAction]:
    for repair in repairs:
        if isinstance(repair, EngineRepair):
            yield EnvironmentAction("engine", f"{repair.engine}: {repair.why}", f"% !TEX program = {repair.engine}")
        if isinstance(repair, PackageRepair):
            yield EnvironmentAction("installed", ", ".join(repair.packages), "")


def _fidelity(f: Fidelity) -> FidelityShape:
    return FidelityShape(round(f.words_kept, 4), f.numbers_kept, f.keys_kept, f.flags)


def verdict(result: CompileResult) -> StopReason:
    """What one build says of the document, when no repair is tried."""
    if result.unsafe:
        return StopReason.UNSAFE_DOCUMENT
    return StopReason.VERIFIED if result.ok else StopReason.ERRORS_FOUND


def of_result(result: CompileResult, reason: StopReason, lang: str, detail: str = "") -> Report:
    """What one build gave, without a repair."""
    document = result.document
    return Report(
        status=str(reason.status),
        stop_reason=str(reason),
        detail=detail,
        target_file=document.root.path,
        root_source=str(document.root.source),
        engine=str(document.engine),
        pdf_sha256=result.pdf.sha256 if result.pdf else None,
        pages=result.pdf.pages if result.pdf else None,
        issues=issues(_refused_first(result), lang, document.by_path),
        gates=gates(result),
        seconds=round(result.seconds, 3),
        log_excerpt=result.excerpt,
        notes=(*result.notes, *_hidden(result, lang)),
        exit_code=reason.exit_code,
    )


def of_outcome(outcome: Outcome, lang: str) -> Report:
    """How a session of the loop ended; the caller adds where it was written."""
    draft = outcome.best
    built = of_result(draft.result, outcome.reason, lang, outcome.detail)
    return replace(
        built,
        issues=built.issues if outcome.verified else at_author_lines(built.issues, draft),
        notes=(*built.notes, *_held_back(outcome), *_layout(outcome, lang)),
        changes=changes(draft),
        environment_actions=tuple(_environment(draft.repairs)),
        rounds=tuple(RoundShape(r.n, r.fingerprint, r.by, r.accepted, r.seconds, r.tokens) for r in outcome.rounds),
        fidelity=_fidelity(outcome.fidelity),
        tokens=Tokens(outcome.input_tokens, outcome.output_tokens),
        seconds=round(outcome.seconds, 3),
    )


def _held_back(outcome: Outcome) -> Iterator[str]:
    """What a guard refused last, where that ended the session."""
    last = outcome.attempts[-1] if outcome.attempts else None
    if outcome.reason is StopReason.CONTENT_LOSS_REFUSED and last and last.refusal:
        yield f"refused: {last.repair.by} ({last.repair.why}): {last.refusal}"


def _layout(outcome: Outcome, lang: str) -> Iterator[str]:
    """What to look at where another engine sets the pages than the one that the document was begun with."""
    first, now = outcome.first, outcome.best.result
    if first is None or not outcome.verified or first.document.engine is now.document.engine:
        return
    pages = (first.pdf.pages if first.pdf else 0, now.pdf.pages if now.pdf else 0)
    yield other_layout(first.document.engine, now.document.engine, pages, lang)


def first_line(report: Report) -> str:
    """What and where the first cause is, and what to do: one line for a document that does not build; "" for one that does."""
    errors = [i for i in report.issues if i.severity == "error"]
    first = next((i for i in errors if i.follows is None), errors[0] if errors else None)
    if first is None:
        return ""
    place = first.cause or first
    where = f"{place.file}:{place.line}: " if place.file and place.line else f"{place.file}: " if place.file else ""
    stop = "" if first.message.rstrip().endswith((".", "!", "?")) else "."
    return " ".join(f"{where}{first.message}{stop} {first.advice}".split())
