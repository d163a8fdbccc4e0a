"""The edits that another agent makes to one document: a session that is written step by step (docs/adr/0014).

Each write is guarded, journalled and saved at once, and leaves the document dirty: what stands on the disk was not
compiled. `close` compiles once if that is still so. The session's evidence is that of a mended document: the patches lead
from the initial to the final sources, changes that somebody else made in between included.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.records import artifacts, journal
from texmend.adapters.records.artifacts import BrokenEvidence
from texmend.adapters.records.evidence import EvidenceRecorder
from texmend.adapters.records.journal import FileChange, Undone, apply_changes
from texmend.adapters.records.retention import sweep
from texmend.adapters.records.sessions import UNDONE, Session, new_session, take_over
from texmend.adapters.safefiles import remove_any
from texmend.app import parts, reporting
from texmend.app.target import Target, opened
from texmend.guard.edits import direct_refusal, fidelity
from texmend.guard.scope import NEVER, Guard, Refusal
from texmend.model import events
from texmend.model.compile import CompileRequest, CompileResult, opened_files
from texmend.model.document import Document
from texmend.model.errors import EditRefused, OutsideWorkspace, TexmendError, UsageError
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Draft, EngineRepair, Patch, PatchMismatch, Repair, SourceRepair, apply, rewrite_patch
from texmend.model.report import Report
from texmend.ports import Lookup
from texmend.settings import Settings

AGENT, AUTHOR = "agent", "author"
"""By whom a change is, in the evidence: through a tool of ours, or by anybody else while the session ran."""
_UNSAFE = NEVER | {Guard.HIDDEN}


@dataclass
class Editing:
    """One session of edits; one process at a time has it."""

    session: Session
    original: Document
    recorder: EvidenceRecorder
    repairs: list[Repair] = field(default_factory=list)
    """What leads from the original to the disk, in order."""
    result: CompileResult | None = None
    """The last build."""
    builds: int = 0

    @property
    def root(self) -> str:
        return self.original.root.path

    @property
    def document(self) -> Document:
        """The document as the session knows it."""
        return reduce(lambda document, repair: apply(repair, document), self.repairs, self.original)

    @property
    def writes(self) -> list[SourceRepair]:
        """What was saved through the tools and was not taken back."""
        return [r for r in self.repairs if isinstance(r, SourceRepair) and r.by == AGENT]

    def is_dirty(self, document: Document) -> bool:
        """Whether something was written and this state of the document was not compiled."""
        return bool(self.writes) and (self.result is None or self.result.document.digest != document.digest)

    def follow(self, target: Target) -> bool:
        """What somebody else changed since is part of the session's story; False: a file is gone, so it cannot be told."""
        known, now = self.document, target.document
        if any(p not in now.by_path and not (target.workspace / p).is_file() for p in known.by_path):
            return False
        strange = [p for p, text in now.by_path.items() if known.text(p) != text]
        if strange:
            files = tuple(f for p in strange for f in rewrite_patch(known, p, now.by_path[p]).files)
            self._keep(SourceRepair(AUTHOR, "changed, or joined the document, outside of this session", Patch(files)))
        if known.engine != now.engine:
            self._keep(EngineRepair(AGENT, now.engine_why, now.engine))
        return True

    def save(self, target: Target, repair: SourceRepair) -> None:
        """The repair, which was `checked`, is in the workspace and in the journal.

        Raises:
            SourceChanged, NotWritable, OutsideWorkspace: as `journal.apply_changes`.
        """
        apply_changes(self.session, target.workspace, _changes(target.document, repair.patch))
        self._keep(repair)

    @property
    def made(self) -> frozenset[str]:
        """Files that there were not before this session."""
        return frozenset(f.path for w in self.writes for f in w.patch.files if not f.expects)

    def _keep(self, repair: Repair) -> None:
        self.repairs.append(repair)
        self.recorder.record(events.RepairJudged(repair, True, "saved"))
        self.recorder.keep_chain(self.repairs)

    def undo(self, steps: int) -> Undone:
        """So many of the last writes are taken back, in the workspace and in the story.

        Raises:
            SourceChanged: a file was changed since; nothing is touched.
        """
        undone = journal.undo(self.session, steps=steps)
        for write in self.writes[-steps:]:
            self.repairs.reverse()
            self.repairs.remove(write)
            self.repairs.reverse()
        self.recorder.keep_chain(self.repairs)
        return undone

    def compile(self, target: Target, settings: Settings, listen: events.Listener) -> CompileResult:
        """The document as it stands on the disk was built in the session's copy."""

        def tell(event: events.Event) -> None:
            self.recorder.record(event)
            listen(event)

        self.builds += 1
        remove_any(self.session.work_folder)
        tell(events.CompileStarted(self.builds, AGENT))
        compiler = parts.compiler(target, WorkCopy(self.session.work_folder), settings, tell)
        self.result = compiler.compile(CompileRequest(target.document, settings.pass_timeout, settings.wall_budget))
        tell(events.CompileEnded(self.builds, self.result))
        return self.result

    def close(self, settings: Settings, listen: events.Listener = events.ignore) -> Report:
        """The session has ended: with the build of what was written, which runs now if nothing was compiled since."""
        try:
            report = self._ended(settings, listen) if self.writes else self._all_undone()
        except (TexmendError, KeyboardInterrupt) as e:
            reason = e.reason if isinstance(e, TexmendError) else StopReason.CANCELLED
            report = reporting.failure(reason, str(e) or "stopped before the last edits were compiled")
        workspace = self.session.state().workspace
        report = replace(report, session=self.session.id, workspace=workspace)
        self.session.finish(report)
        if not self.writes:
            self.session.update(status=UNDONE)
        sweep(self.session.data_dir)
        return report

    def _ended(self, settings: Settings, listen: events.Listener) -> Report:
        workspace = self.session.state().workspace
        root = str(Path(workspace, self.root))
        with opened(root, replace(settings, workspace=workspace, root=root)) as target:
            self.follow(target)
            fresh = None if self.is_dirty(target.document) else self.result
            result = fresh or self.compile(target, settings, listen)
        final, repairs = self.document, tuple(self.repairs)
        reason = reporting.verdict(result)
        draft = Draft(final, result, self.original, repairs)
        outcome = Outcome(reason, "", draft, fidelity=fidelity(self.original, final, repairs), seconds=result.seconds)
        self.recorder.record(events.Stopped(outcome))
        report = reporting.of_outcome(outcome, settings.lang)
        pdf = self.session.payload / "final" / "main.pdf"
        said = "the edits are saved, and it builds" if result.ok else f"the edits are saved; {reporting.first_line(report)}"
        return replace(report, detail=said, pdf_path=str(pdf) if pdf.is_file() else None)

    def _all_undone(self) -> Report:
        return Report(str(StopReason.VERIFIED.status), str(StopReason.VERIFIED), "every edit was undone", target_file=self.root)


def begin(target: Target, settings: Settings) -> Editing:
    """A session for edits to this document.

    Raises:
        NotWritable: the data folder cannot be written.
    """
    session = new_session(target.workspace, target.document.root.path)
    recorder = EvidenceRecorder(session)
    recorder.record(events.SessionStarted(session.id, target.document, settings.wall_budget))
    return Editing(session, target.document, recorder)


def resume(name: str) -> Editing:
    """The session of a process that ends, with its edits.

    Raises:
        UsageError: that process did not end, or its evidence cannot be read.
    """
    session = take_over(name)
    try:
        chain = artifacts.load_chain(session.payload)
        repairs = [artifacts.load_repair(session.payload, number).repair for number in chain]
        recorder = EvidenceRecorder.resumed(session)
        return Editing(session, artifacts.load_document(session.payload, "initial"), recorder, repairs)
    except BrokenEvidence as e:
        raise UsageError(f"session {name} cannot be read: {e}", StopReason.INTERNAL) from e


def checked(
    target: Target, patch: Patch, why: str, editing: Editing | None, lookup: Lookup | None, *, deletions: bool
) -> tuple[SourceRepair, tuple[str, ...]]:
    """The patch as a repair that every guard lets pass, and what of the named lines it takes away.

    Raises:
        EditRefused, UsageError, OutsideWorkspace: a guard refuses it.
    """
    before = target.document
    read = opened_files(editing.result) if editing and editing.result else frozenset()
    known = read | (editing.made if editing else frozenset())
    for path in (f.path for f in patch.files):
        if not before.is_part(path, known):
            raise UsageError(f"{path} is no file that {before.root.path} reads; nothing was written", StopReason.NOT_A_DOCUMENT)
    try:
        after = patch.apply(before)
    except PatchMismatch as e:
        raise UsageError(str(e), StopReason.BAD_OPTION) from e
    if after.sources == before.sources:
        raise UsageError("the edit changes nothing", StopReason.BAD_OPTION)
    repair = SourceRepair(AGENT, why, patch)
    found, flags = direct_refusal(before, after, repair, lookup, deletions=deletions)
    if found is not None:
        if editing is not None:
            editing.recorder.record(events.RepairRefused(repair, str(found)))
        raise _refused(found)
    return repair, flags


def _changes(before: Document, patch: Patch) -> list[FileChange]:
    old = {s.path: s.data for s in before.sources}
    new = {s.path: s.data for s in patch.apply(before).sources}
    return [FileChange(f.path, old.get(f.path), new[f.path]) for f in patch.files if old.get(f.path) != new[f.path]]


def _refused(found: Refusal) -> TexmendError:
    if found.guard is Guard.SCOPE:
        return OutsideWorkspace(f"{found.why}; nothing was written")
    reason = StopReason.UNSAFE_DOCUMENT if found.guard in _UNSAFE else StopReason.CONTENT_LOSS_REFUSED
    return EditRefused(f"{found}; nothing was written", reason)


def settle(name: str, settings: Settings) -> Report:
    """The session of a process that has ended is closed."""
    return resume(name).close(settings)
