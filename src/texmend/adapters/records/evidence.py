"""Turns the events of a session into lines of its trace and artifacts, as they come (EvidenceSink)."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from texmend import __version__
from texmend.adapters.records import artifacts
from texmend.adapters.records.artifacts import RecordedRepair
from texmend.adapters.records.sessions import Field, Session
from texmend.model import events
from texmend.model.compile import CompileResult
from texmend.model.document import Document, encode
from texmend.model.events import Event
from texmend.model.outcome import Outcome
from texmend.model.repair import FailedAnswer, PatchMismatch, Repair, apply

_OTHER_LOGS = frozenset({".log", ".blg", ".ilg", ".glg", ".stdout"})
_OTHER_LOGS_AT_MOST = 50
_OTHER_LOG_LIMIT = 1 << 20


class EvidenceRecorder:
    """Keeps a session's events. It never raises: `failure` says what could not be kept."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.failure = ""
        """Why the evidence is not complete, "" when it is."""
        self._documents: list[Document] = []
        self._repairs: list[RecordedRepair] = []
        self._builds = 0

    @classmethod
    def resumed(cls, session: Session) -> EvidenceRecorder:
        """A recorder that goes on where that of another process stopped.

        Raises:
            BrokenEvidence: what that one kept cannot be read.
        """
        recorder, payload = cls(session), session.payload
        numbers = sorted(p.stem for p in (payload / "patches").glob("*.json"))
        recorder._documents = [artifacts.load_document(payload, "initial")]
        recorder._repairs = [artifacts.load_repair(payload, number) for number in numbers]
        recorder._builds = int((payload / "first").is_dir())
        return recorder

    def keep_chain(self, repairs: Sequence[Repair]) -> None:
        """The evidence says, before the session ends, which repairs lead to the document as it is now."""
        artifacts.save_chain(self.session.payload, [self._number(repair) for repair in repairs])

    def record(self, event: Event) -> None:
        """The event is on the disk: its artifacts, then one line of the trace."""
        try:
            self.session.note(_NAMES[type(event)], **self._keep(event))
        except OSError as error:
            self.failure = self.failure or f"the evidence is not complete: {error}"

    def _keep(self, event: Event) -> dict[str, Field]:
        match event:
            case events.SessionStarted(document=document, wall_seconds=wall):
                return self._keep_start(document, wall)
            case events.CompileEnded(n=n, result=result):
                return self._keep_build(n, result)
            case events.RepairProposed(repair=repair):
                return self._keep_repair(repair, None, "")
            case events.RepairRefused(repair=repair, why=why):
                if isinstance(repair, FailedAnswer):
                    return {"patch": None, "by": repair.by, "why": repair.why, "accepted": False, "verdict": why}
                return self._keep_repair(repair, False, f"refused: {why}")
            case events.RepairJudged(repair=repair, accepted=accepted, why=why):
                return self._keep_repair(repair, accepted, why)
            case events.Stopped(outcome=outcome):
                return self._keep_end(outcome)
            case _:
                return _values(event)

    def _keep_start(self, document: Document, wall_seconds: float) -> dict[str, Field]:
        self._documents = [document]
        payload = self.session.payload
        artifacts.save_document(payload, "initial", "initial", document)
        versions = {"texmend": __version__, "python": sys.version.split()[0], "system": platform.platform()}
        artifacts.save_json(payload / "versions.json", versions)
        self.session.update(root=document.root.path, engine=str(document.engine))
        return {
            "session": self.session.id,
            "root": document.root.path,
            "root_source": document.root.source,
            "root_why": document.root.why,
            "engine": document.engine,
            "engine_why": document.engine_why,
            "sources": len(document.sources),
            "document": document.digest,
            "wall_seconds": wall_seconds,
        }

    def _keep_build(self, n: int, result: CompileResult) -> dict[str, Field]:
        self._builds += 1
        if self._builds == 1:
            self._documents.append(result.document)  # a sanitized draft is not the original, and no event says how it came about
            self._keep_result("first", result)
            self._keep_other_logs(encode(result.log))
        return {
            "n": n,
            "ok": result.ok,
            "document": result.document.digest,
            "errors": len(result.errors),
            "first_error": result.errors[0].message if result.errors else "",
            "pdf_sha256": result.pdf.sha256 if result.pdf else None,
            "seconds": result.seconds,
            "unsafe": list(result.unsafe),
        }

    def _keep_result(self, folder: str, result: CompileResult) -> None:
        place = self.session.payload / folder
        artifacts.save_log(place / "main.log", result.log)
        artifacts.save_log(place / "stdout.txt", result.stdout)
        artifacts.save_log(place / "excerpt.txt", result.excerpt)
        artifacts.save_diagnostics(place / "diagnostics.json", result.diagnostics)

    def _keep_other_logs(self, main: bytes) -> None:
        """What BibTeX, Biber, makeindex and drivers left in the build folder; of two with one name the first has it."""
        work, kept = self.session.work_folder, set[str]()
        logs = [p for p in sorted(work.rglob("*")) if p.suffix in _OTHER_LOGS and p.is_file() and not p.is_symlink()]
        for path in logs[:_OTHER_LOGS_AT_MOST]:
            name = artifacts.artifact_name(path.name)
            if name in kept:
                name = artifacts.artifact_name(path.relative_to(work).as_posix())
            data = _head_and_tail(path)
            if data != main:
                kept.add(name)
                artifacts.save(self.session.payload / "first" / "logs" / name, data)

    def _keep_repair(self, repair: Repair, accepted: bool | None, verdict: str) -> dict[str, Field]:
        known = next((r.number for r in reversed(self._repairs) if r.repair == repair), None)
        if known is None or (accepted is None and self._repairs[int(known) - 1].accepted is not None):
            known = f"{len(self._repairs) + 1:03}"
            self._repairs.append(RecordedRepair(known, repair, None))
        recorded = self._repairs[int(known) - 1] = RecordedRepair(known, repair, accepted, verdict)
        before, after = self._around(repair)
        artifacts.save_repair(self.session.payload, recorded, before)
        if accepted and after is not None:
            self._documents.append(after)
        return {"patch": known, "by": repair.by, "why": repair.why, "accepted": accepted, "verdict": verdict}

    def _around(self, repair: Repair) -> tuple[Document | None, Document | None]:
        """The newest document that the repair fits, and what comes of it: a fresh start goes back to the original."""
        for document in reversed(self._documents):
            try:
                return document, apply(repair, document)
            except PatchMismatch:
                continue
        return None, None

    def _keep_end(self, outcome: Outcome) -> dict[str, Field]:
        payload, best = self.session.payload, outcome.best
        artifacts.save_chain(payload, [self._number(repair) for repair in best.repairs])
        artifacts.save_document(payload, "final", "final/sources", best.document)
        self._keep_result("final", best.result)
        if best.result.pdf is not None:
            artifacts.save(payload / "final" / "main.pdf", Path(best.result.pdf.path).read_bytes())
        return {
            "reason": outcome.reason,
            "detail": outcome.detail,
            "document": best.document.digest,
            "rounds": len(outcome.rounds),
            "input_tokens": outcome.input_tokens,
            "output_tokens": outcome.output_tokens,
            "seconds": outcome.seconds,
        }

    def _number(self, repair: Repair) -> str:
        """The number under which a repair is kept; one that came without an event is kept now."""
        known = [r.number for r in self._repairs if r.repair == repair]
        return known[-1] if known else str(self._keep_repair(repair, True, "kept")["patch"])


_NAMES = {
    events.SessionStarted: "session",
    events.CompileStarted: "compile_started",
    events.PassStarted: "pass_started",
    events.PassEnded: "pass_ended",
    events.CompileEnded: "compile_ended",
    events.RepairProposed: "repair_proposed",
    events.RepairRefused: "repair_refused",
    events.RepairJudged: "repair_judged",
    events.ModelAsked: "model_asked",
    events.ModelAnswered: "model_answered",
    events.Stopped: "stopped",
}


def _values(event: Event) -> dict[str, Field]:
    """The fields of the small events."""
    match event:
        case events.CompileStarted(n=n, by=by):
            return {"n": n, "by": by}
        case events.PassStarted(tool=tool, why=why):
            return {"tool": tool, "why": why}
        case events.PassEnded(done=done):
            ended = {"timed_out": done.timed_out, "output_capped": done.output_capped}
            return {"tool": done.tool, "argv": list(done.argv), "exit_code": done.exit_code, "seconds": done.seconds, **ended}
        case events.ModelAsked():
            asked: dict[str, Field] = {"round": event.round, "prompt_tokens": event.prompt_tokens}
            return {"model": event.model, "prompt_version": event.prompt_version, **asked}
        case events.ModelAnswered():
            tokens: dict[str, Field] = {"input_tokens": event.input_tokens, "output_tokens": event.output_tokens}
            return {"model": event.model, "finish": event.finish, "seconds": event.seconds, "cost": event.cost, **tokens}
    return {}


def _head_and_tail(path: Path) -> bytes:
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(_OTHER_LOG_LIMIT)
        if size <= _OTHER_LOG_LIMIT:
            return head
        stream.seek(size - _OTHER_LOG_LIMIT // 2)
        return artifacts.bounded(head + stream.read(_OTHER_LOG_LIMIT // 2), _OTHER_LOG_LIMIT)
