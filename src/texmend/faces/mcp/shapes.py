"""What the tools answer: typed, bounded, and made from what the use cases return. The SDK publishes them as JSON schemas."""

from __future__ import annotations

from pydantic import BaseModel, Field

from texmend.app import conversation, reading
from texmend.model import report

MOST_ISSUES = 20
MOST_TEXT = 600
"""Characters of one message, advice or context."""


def clipped(text: str, most: int = MOST_TEXT) -> str:
    """The text, or its beginning and how much is left out."""
    return text if len(text) <= most else f"{text[:most]} […{len(text) - most} characters left out]"


def readable(text: str) -> str:
    """The text as JSON can hold it."""
    return text.encode("utf-8", "replace").decode()


class Issue(BaseModel):
    """One error or warning."""

    kind: str
    severity: str
    file: str | None
    line: int | None = Field(description="1-based")
    message: str = Field(description="the tool's own words")
    cause: str = Field(description="where the cause stands and why, if that is another place")
    advice: str


class Built(BaseModel):
    """What a build, or a repair, gave."""

    status: str = Field(description="verified, stopped, refused or usage")
    stop_reason: str
    detail: str = Field(description="one line: what, where, what to do next")
    root: str | None = Field(description="the file that was compiled, relative to the workspace")
    root_source: str | None = Field(description="why it was chosen")
    engine: str | None
    pages: int | None
    pdf: str | None = Field(description="the PDF, where one is kept")
    pdf_sha256: str | None
    issues: list[Issue]
    issues_left_out: int = Field(description="issues beyond the first 20; mend the first ones and compile again to see them")
    warnings: dict[str, int]
    log_excerpt: str = Field(description="the error lines of every tool, at most 1,800 characters")
    applied: bool = Field(description="verified sources and this PDF are in the workspace")
    changes: list[str] = Field(description="what each repair changed: file, by whom, why")
    session: str | None = Field(description="name it to show_diff, undo or done")
    notes: list[str]
    seconds: float

    @classmethod
    def of(cls, said: report.Report) -> Built:
        issues = [_issue(i) for i in said.issues if i.severity == "error"] or [_issue(i) for i in said.issues]
        return cls(
            status=said.status,
            stop_reason=said.stop_reason,
            detail=readable(clipped(said.detail)),
            root=said.target_file,
            root_source=said.root_source,
            engine=said.engine,
            pages=said.pages,
            pdf=said.pdf_path,
            pdf_sha256=said.pdf_sha256,
            issues=issues[:MOST_ISSUES],
            issues_left_out=max(len(issues) - MOST_ISSUES, 0),
            warnings=dict(said.gates.warnings or {}),
            log_excerpt=readable(said.log_excerpt),
            applied=said.applied,
            changes=[readable(clipped(f"{c.file}: {c.by}: {c.why}", 200)) for c in said.changes[:MOST_ISSUES]],
            session=said.session,
            notes=[readable(clipped(n)) for n in said.notes[:MOST_ISSUES]],
            seconds=said.seconds,
        )


def _issue(i: report.Issue) -> Issue:
    cause = f"{i.cause.file}:{i.cause.line}: {i.cause.why}" if i.cause else ""
    return Issue(
        kind=i.kind,
        severity=i.severity,
        file=i.file,
        line=i.line,
        message=readable(clipped(i.message)),
        cause=readable(clipped(cause)),
        advice=readable(clipped(i.advice)),
    )


class File(BaseModel):
    """A file of the document."""

    path: str
    sha256: str = Field(description="of its bytes now: what a write to it names")
    lines: int
    is_part: bool = Field(description="the root reads it; others stand beside it and cannot be written")


class Heading(BaseModel):
    """A heading or a float."""

    path: str
    line: int = Field(description="1-based")
    end_line: int = Field(description="the last line that belongs to it")
    level: int = Field(description="as LaTeX counts: part -1, chapter 0, section 1; floats 9")
    name: str
    title: str


class Outline(BaseModel):
    """The document's files and headings."""

    root: str
    root_source: str
    engine: str
    engine_why: str
    files: list[File]
    headings: list[Heading]
    left_out: int = Field(description="files and headings beyond the bounds; ask for one file by its path to see its own")

    @classmethod
    def of(cls, found: reading.Outline) -> Outline:
        document = found.document
        return cls(
            root=document.root.path,
            root_source=str(document.root.source),
            engine=str(document.engine),
            engine_why=readable(document.engine_why),
            files=[File(path=f.path, sha256=f.sha256, lines=f.lines, is_part=f.is_part) for f in found.files],
            headings=[
                Heading(
                    path=e.path,
                    line=e.heading.line,
                    end_line=e.heading.end_line,
                    level=e.heading.level,
                    name=e.heading.name,
                    title=readable(clipped(e.heading.title, 200)),
                )
                for e in found.entries
            ],
            left_out=found.left_out,
        )


class Lines(BaseModel):
    """Some lines of a file."""

    path: str
    sha256: str = Field(description="of the whole file: what a write to it names")
    first: int = Field(description="1-based number of the first line in `text`")
    last: int
    total: int = Field(description="lines of the file")
    text: str
    next_line: int | None = Field(description="read on from this line; null: the file ends here")
    cut: bool = Field(description="the last line is longer than an answer may be, and its end is left out")

    @classmethod
    def of(cls, lines: reading.Lines) -> Lines:
        return cls(
            path=lines.path,
            sha256=lines.sha256,
            first=lines.first,
            last=lines.last,
            total=lines.total,
            text=readable(lines.text),
            next_line=lines.next_line,
            cut=lines.cut,
        )


class Hash(BaseModel):
    """A file as it is now."""

    path: str
    sha256: str


class Saved(BaseModel):
    """A write that is on the disk."""

    session: str
    files: list[Hash] = Field(description="what the next write to them names")
    diff: str
    diff_left_out: int = Field(description="characters of the diff left out; show_diff has all of it")
    lost: list[str] = Field(description="words, numbers and keys of the named lines that are gone")
    dirty: bool = Field(description="always true: compile_document says whether it builds")

    @classmethod
    def of(cls, saved: conversation.Saved) -> Saved:
        most = conversation.MOST_DIFF
        return cls(
            session=saved.session,
            files=_hashes(saved.files),
            diff=readable(saved.diff[:most]),
            diff_left_out=max(len(saved.diff) - most, 0),
            lost=[readable(f.removeprefix("lost:")) for f in saved.flags[:MOST_ISSUES]],
            dirty=True,
        )


class Undone(BaseModel):
    """What was taken back."""

    session: str
    restored: list[str]
    removed: list[str] = Field(description="files that were not there before")
    kept: list[str] = Field(description="built files that were made again since, and stay")
    files: list[Hash]
    writes_left: int = Field(description="writes of the session that still stand")

    @classmethod
    def of(cls, back: conversation.TakenBack) -> Undone:
        return cls(
            session=back.session,
            restored=list(back.undone.restored),
            removed=list(back.undone.removed),
            kept=list(back.undone.kept),
            files=_hashes(back.files),
            writes_left=back.left,
        )


class Diff(BaseModel):
    """What a session changed."""

    session: str | None = Field(description="null: nothing was written")
    diff: str
    next_offset: int | None = Field(description="read on from this offset; null: this was the end")
    total: int = Field(description="characters of the whole diff")
    dirty: bool = Field(description="this state was not compiled")

    @classmethod
    def of(cls, part: conversation.DiffPart) -> Diff:
        return cls(session=part.session, diff=readable(part.text), next_offset=part.next_offset, total=part.total, dirty=part.dirty)


def _hashes(files: tuple[tuple[str, str], ...]) -> list[Hash]:
    return [Hash(path=path, sha256=sha256) for path, sha256 in files]
