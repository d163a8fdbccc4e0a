"""What another agent can do to the documents of one workspace: read, edit, compile, mend, undo (DESIGN section 1).

One conversation holds one workspace. What a tool names is resolved in it by real paths, and only files of a document are
given out or written. The document that was named last is the one that a call without a name means.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from texmend.adapters.disk import WorkspaceFiles, open_workspace
from texmend.adapters.jail.process import obey_stop
from texmend.adapters.records import artifacts, journal
from texmend.adapters.records.artifacts import BrokenEvidence
from texmend.adapters.records.journal import Undone
from texmend.adapters.records.sessions import DONE, UNDONE, Session, default_data_dir, find
from texmend.adapters.records.transaction import committed
from texmend.app import bench, check, fix, history, reading, reporting
from texmend.app.editing import Editing, begin, checked
from texmend.app.places import Places
from texmend.app.target import Target
from texmend.model import events
from texmend.model.document import Document, digest
from texmend.model.errors import OutsideWorkspace, SourceChanged, TexmendError, UsageError
from texmend.model.outcome import Status, StopReason
from texmend.model.repair import Edit, patch_of
from texmend.model.report import Report
from texmend.repair import unified
from texmend.repair.unified import NotADiff
from texmend.settings import Settings

MOST_DIFF = 16_000
"""Characters of a diff in one answer."""
MOST_NEW = 1_000_000
"""Characters of new text in one write."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A write that is on the disk."""

    session: str
    files: tuple[tuple[str, str], ...]
    """(path, SHA-256 of its bytes now)."""
    diff: str
    flags: tuple[str, ...]
    """What of the named lines is gone: "lost:WORD"."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What `undo` did."""

    session: str
    undone: Undone
    files: tuple[tuple[str, str], ...]
    """(path, SHA-256 now) of what came back."""
    left: int
    """Writes of the session that still stand."""


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A session's changes, or a part of them."""

    session: str | None
    text: str
    next_offset: int | None
    """Characters to skip to read on; None: this was the end."""
    total: int
    dirty: bool


@dataclass
class Conversation:
    """One workspace, and the sessions of edits that are open in it. Its methods may be called from several threads."""

    places: Places
    deletions: bool = False
    """Whoever started it lets edits take away what they name."""
    _open: dict[str, Editing] = field(default_factory=dict)
    _ended: list[str] = field(default_factory=list)
    """Sessions of this conversation that have ended, oldest first."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    # reading

    def outline(self, path: str | None) -> reading.Outline:
        """The document that `path` leads to, with its files and headings; of one file alone if it is only a part."""
        with self.places.target(path) as target:
            self.places.root = target.document.root.path
            name = self.places.name(path) if path else None
            is_part = name is not None and name != self.places.root and target.document.text(name) is not None
            return reading.outline_of(target.document, name if is_part else None)

    def read(self, path: str, first: int, count: int) -> reading.Lines:
        """Lines of a file of the document."""
        with self.places.of_file(path, self._is_ours) as (target, name):
            if target.document.text(name) is None:
                raise _no_part(name)
            return reading.read(target.document, name, first, count)

    # writing: each is saved at once

    def replace_lines(self, path: str, first: int, last: int, text: str, sha256: str) -> Saved:
        """The lines `first` to `last` (1-based, inclusive; `last` = `first` - 1 inserts) are now `text`."""
        with self._alone(), self.places.of_file(path, self._is_ours) as (target, name):
            old = self._expected(target.document, name, sha256)
            new = reading.spelt(target.document, name, _bounded(text))
            edit = reading.replacement(old, first, last, new)
            return self._save(target, [(name, edit)], f"lines {first} to {last} replaced")

    def replace_section(self, path: str, heading: str, text: str, sha256: str) -> Saved:
        """The section with this title (or at this line), its heading included, is now `text`."""
        with self._alone(), self.places.of_file(path, self._is_ours) as (target, name):
            old = self._expected(target.document, name, sha256)
            first, last = reading.section(reading.shown(target.document, name), name, heading)
            new = reading.spelt(target.document, name, _bounded(text))
            return self._save(target, [(name, reading.replacement(old, first, last, new))], f"section “{heading[:80]}” replaced")

    def apply_patch(self, patch: str, sha256: Mapping[str, str]) -> Saved:
        """A unified diff of files of the document is applied, all of it or nothing."""
        try:
            files = unified.parse(_bounded(patch))
            with self._alone(), self.places.of_file(files[0].path, self._is_ours, new=files[0].is_new) as (target, _):
                hashes = {self.places.name(path, new=True): value for path, value in sha256.items()}
                edits: list[tuple[str, Edit]] = []
                for file in files:
                    name = self.places.name(file.path, new=True)
                    old = self._expected(target.document, name, hashes.get(name, ""), new=file.is_new)
                    shown = reading.shown(target.document, name) if target.document.text(name) is not None else old
                    made = unified.edits(shown, file.hunks)
                    edits += [(name, replace(e, text=reading.spelt(target.document, name, e.text))) for e in made]
                return self._save(target, edits, f"patch of {', '.join(f.path for f in files)[:200]}")
        except NotADiff as e:
            raise UsageError(str(e), StopReason.BAD_OPTION) from e

    # building

    def compile(self, path: str | None, engine: str | None, listen: events.Listener) -> Report:
        """The document as it stands was built; nothing is written beside it."""
        self.places.ask_engine(engine)
        with self._alone(), self.places.target(path) as target:
            root, settings = target.document.root, self.places.building()
            self.places.root = root.path
            editing = self._open.get(root.path)
            if editing is None or not editing.writes or not editing.follow(target):
                report = check.check(str(self.places.workspace / root.path), settings, listen)
                return replace(report, root_source=str(root.source)) if report.root_source else report
            result = editing.compile(target, settings, listen)
            report = reporting.of_result(result, reporting.verdict(result), settings.lang)
            notes = (*target.notes, *report.notes)
            return replace(report, detail=reporting.first_line(report), notes=notes, session=editing.session.id)

    def mend(self, path: str | None, dry_run: bool, listen: events.Listener) -> Report:
        """As `texmend fix`, in a session of its own; edits that are open are settled before."""
        with self._alone():
            with self.places.target(path) as target:
                root = self.places.root = target.document.root.path
            self._close(root, listen)
            report = fix.fix(str(self.places.workspace / root), replace(self.places.building(), dry_run=dry_run), listen)
            if report.session and report.applied:
                self._ended.append(report.session)
            return report

    # the story

    def diff(self, name: str | None, offset: int) -> DiffPart:
        """What a session changed, from `offset` on; the newest session if none is named."""
        with self._alone():
            editing, past = self._editing(name), self._past(name)
            if editing is not None:
                session, before, after = editing.session, editing.original, self._followed(editing)
            elif past is not None:
                session, before, after = past, *_ends_of(past)
            else:
                return DiffPart(None, "", None, 0, False)
            dirty = editing is not None and editing.is_dirty(after)
            text = _diff(before, after)
            part = text[max(offset, 0) :][:MOST_DIFF]
            end = max(offset, 0) + len(part)
            session.note("diff_shown", characters=len(text), offset=offset)
            return DiffPart(session.id, part, end if end < len(text) else None, len(text), dirty)

    def undo(self, name: str | None, whole: bool) -> TakenBack:
        """The last write of the session is taken back, or all of them; of an ended session always all."""
        with self._alone():
            editing = self._editing(name)
            if editing is not None and editing.writes:
                return self._undo_open(editing, whole)
            session = self._past(name)
            if session is None:
                raise UsageError("nothing was written in this conversation", StopReason.BAD_OPTION)
            files = [e.path for w in committed(session) for e in w.entries]
            undone = journal.undo(session)
            return TakenBack(session.id, undone, self._hashes(files), 0)

    def done(self, name: str | None, listen: events.Listener) -> Report:
        """The edits are kept for good: compiled if they were not, and the offer to undo them has ended if they build."""
        with self._alone():
            editing, past, report = self._editing(name), self._past(name), None
            if editing is not None and editing.writes:
                report = self._close(editing.root, listen)
                past = editing.session
            elif past is not None:
                report = history.stored(past)
            if past is None or report is None:
                raise UsageError("nothing was written in this conversation", StopReason.BAD_OPTION)
            if report.status != Status.VERIFIED:
                return replace(report, notes=(*report.notes, "it does not build, so the edits can still be undone"))
            journal.done(past)
            return report

    def settle(self, listen: events.Listener = events.ignore) -> tuple[Report, ...]:
        """Every session of edits has ended; what was not compiled since its last write was compiled once."""
        with self._alone():
            return tuple(report for root in list(self._open) if (report := self._close(root, listen)) is not None)

    def unsettled(self, seconds: float = 1.0) -> list[tuple[str, Settings]]:
        """The sessions that need a build to end, with its settings; the others have ended.

        For a process that ends: where a call does not end in so many seconds, every session with a write needs one.
        """
        if not self._lock.acquire(timeout=seconds):
            return [(e.session.id, self.places.building()) for e in list(self._open.values()) if e.writes]
        try:
            needed = []
            for root, editing in list(self._open.items()):
                if editing.writes and editing.is_dirty(self._followed(editing)):
                    needed.append((editing.session.id, self.places.building()))
                else:
                    self._close(root, events.ignore)
            return needed
        finally:
            self._lock.release()

    # how writes are made

    def _expected(self, document: Document, name: str, sha256: str, *, new: bool = False) -> str:
        """The text of a file, whose hash the client has named.

        Raises:
            SourceChanged: it is another one now, which the error names.
        """
        text = document.text(name)
        if text is None and (self.places.workspace / name).exists():
            raise _no_part(name)
        if text is None and not new:
            raise UsageError(f"{name} does not exist; in a patch a new file comes from /dev/null", StopReason.NO_SUCH_FILE)
        if text is None:
            return ""
        now = digest(text)
        if new or not sha256:
            raise SourceChanged(f"{name} exists: name the sha256 of what you read, which is now {now}")
        if sha256.lower() != now:
            raise SourceChanged(f"{name} is not what you read (sha256 {sha256[:64]}): its sha256 is now {now}; read it again")
        return text

    def _save(self, target: Target, edits: list[tuple[str, Edit]], why: str) -> Saved:
        if not edits:
            raise UsageError("the edit changes nothing", StopReason.BAD_OPTION)
        before, patch = target.document, patch_of(target.document, edits)
        editing = self._told(target)
        repair, flags = checked(target, patch, why, editing, bench.lookup(target), deletions=self.deletions)
        editing = editing or self._begun(target)
        editing.save(target, repair)
        after = editing.document
        files = tuple((f.path, digest(after.by_path[f.path])) for f in patch.files)
        text = "".join(reporting.diff(f.path, before.text(f.path) or "", after.by_path[f.path]) for f in patch.files)
        editing.session.note("diff_shown", characters=len(text), offset=0)
        return Saved(editing.session.id, files, text, flags)

    def _told(self, target: Target) -> Editing | None:
        """The open session of this document, with what was changed outside of it; one that cannot go on is closed."""
        editing = self._open.get(target.document.root.path)
        if editing is not None and not editing.follow(target):
            self._close(editing.root, events.ignore)
            return None
        return editing

    def _begun(self, target: Target) -> Editing:
        journal.settle(default_data_dir())
        editing = self._open[target.document.root.path] = begin(target, self.places.settings)
        return editing

    def _is_ours(self, name: str) -> bool:
        """The file is new, by an edit of the conversation's document."""
        editing = self._open.get(self.places.root or "")
        return editing is not None and name in editing.made

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other call writes or builds meanwhile; a call that was cancelled while it waited does nothing."""
        while not self._lock.acquire(timeout=0.1):
            obey_stop()
        try:
            obey_stop()
            yield
        finally:
            self._lock.release()

    def _close(self, root: str, listen: events.Listener) -> Report | None:
        editing = self._open.pop(root, None)
        if editing is None:
            return None
        report = editing.close(self.places.building(), listen)
        if editing.writes:
            self._ended.append(editing.session.id)
        return report

    def _undo_open(self, editing: Editing, whole: bool) -> TakenBack:
        with self.places.target(editing.root) as target:
            editing.follow(target)
        steps = len(editing.writes) if whole else 1
        files = [f.path for w in editing.writes[-steps:] for f in w.patch.files]
        undone = editing.undo(steps)
        left = len(editing.writes)
        if not left:
            self._close(editing.root, events.ignore)
        return TakenBack(editing.session.id, undone, self._hashes(files), left)

    def _followed(self, editing: Editing) -> Document:
        """The document as it is on the disk; as the session knows it where that cannot be told."""
        try:
            with self.places.target(editing.root) as target:
                editing.follow(target)
                return target.document
        except TexmendError:
            return editing.document

    def _hashes(self, paths: list[str]) -> tuple[tuple[str, str], ...]:
        found = ((p, WorkspaceFiles(self.places.workspace).read(p, 64 << 20)) for p in dict.fromkeys(paths))
        return tuple((p, digest(data.decode("utf-8", "surrogateescape"))) for p, data in found if data is not None)

    # which session is meant

    def _editing(self, name: str | None) -> Editing | None:
        """The open session that is meant: the named one, else that of the conversation's document."""
        if name:
            return next((e for e in self._open.values() if e.session.id == name), None)
        return self._open.get(self.places.root or "") or next(reversed(self._open.values()), None)

    def _past(self, name: str | None) -> Session | None:
        """The ended session that is meant: the named one, of this workspace, else the newest that can be taken back."""
        if name:
            session = find(name)
            if session.state().workspace != str(self.places.workspace):
                raise OutsideWorkspace(f"session {name} is of another workspace")
            return session
        for past in reversed(self._ended):
            session = Session(past, default_data_dir())
            if session.state().applied and session.state().status not in (UNDONE, DONE):
                return session
        return None


def conversation_in(settings: Settings, *, deletions: bool = False) -> Conversation:
    """A conversation about the workspace that the settings name, else the one that the current folder is in.

    Raises:
        UsageError: no_such_file.
    """
    files, _ = open_workspace(".", settings.workspace)
    return Conversation(Places(files.root, replace(settings, workspace=str(files.root))), deletions)


def _no_part(name: str) -> UsageError:
    return UsageError(f"{name or 'the workspace'} is no text file of the document", StopReason.NOT_A_DOCUMENT)


def _bounded(text: str) -> str:
    if len(text) > MOST_NEW:
        raise UsageError(f"more than {MOST_NEW} characters in one write", StopReason.BAD_OPTION)
    return text


def _ends_of(session: Session) -> tuple[Document, Document]:
    """The document as a session found it, and as it left it."""
    try:
        return artifacts.load_document(session.payload, "initial"), artifacts.load_document(session.payload, "final")
    except BrokenEvidence as e:
        raise UsageError(f"session {session.id} has no diff: {e}", StopReason.NO_SUCH_FILE) from e


def _diff(before: Document, after: Document) -> str:
    paths = [p for p in after.by_path if before.text(p) != after.text(p)]
    return "".join(reporting.diff(p, before.text(p) or "", after.by_path[p]) for p in paths)
