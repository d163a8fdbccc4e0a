"""How a session ends: a status, an exact reason, an exit code, and what is left to show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texmend.model.compile import CompileResult
    from texmend.model.repair import Attempt, Draft


class Status(StrEnum):
    VERIFIED = "verified"
    STOPPED = "stopped"
    REFUSED = "refused"
    USAGE = "usage"
    FAULT = "fault"


class StopReason(StrEnum):
    """The exact reason; the list of DESIGN section 1."""

    VERIFIED = "verified"
    # refused, exit 3
    OUTSIDE_WORKSPACE = "outside_workspace"
    UNSAFE_DOCUMENT = "unsafe_document"
    SOURCE_CHANGED = "source_changed"
    # usage, exit 2
    NO_SUCH_FILE = "no_such_file"
    NO_ROOT = "no_root"
    NOT_A_DOCUMENT = "not_a_document"
    UNKNOWN_ENGINE = "unknown_engine"
    BAD_OPTION = "bad_option"
    AMBIGUOUS_ROOT = "ambiguous_root"
    # fault, exit 70
    INTERNAL = "internal"
    # stopped, exit 130
    CANCELLED = "cancelled"
    # stopped, exit 1
    ERRORS_FOUND = "errors_found"
    NO_REPAIR = "no_repair"
    NO_PROGRESS = "no_progress"
    ROUND_CAP = "round_cap"
    WALL_CLOCK = "wall_clock"
    TOKEN_CAP = "token_cap"
    UNMANAGED_TREE = "unmanaged_tree"
    PACKAGE_NOT_FOUND = "package_not_found"
    AMBIGUOUS_PACKAGE = "ambiguous_package"
    INSTALL_FAILED = "install_failed"
    OFFLINE = "offline"
    RECOVERY_CAP = "recovery_cap"
    MISSING_ASSET = "missing_asset"
    TOOL_MISSING = "tool_missing"
    ENGINE_MISSING = "engine_missing"
    NEEDS_SHELL_ESCAPE = "needs_shell_escape"
    MODEL_UNAVAILABLE = "model_unavailable"
    NOT_WRITABLE = "not_writable"
    NO_PAGES = "no_pages"
    CONTENT_LOSS_REFUSED = "content_loss_refused"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    RESOURCE_LIMIT = "resource_limit"

    @property
    def status(self) -> Status:
        return _STATUS.get(self, Status.STOPPED)

    @property
    def exit_code(self) -> int:
        if self is StopReason.CANCELLED:
            return 130
        return _EXIT[self.status]


_STATUS = {
    StopReason.VERIFIED: Status.VERIFIED,
    **dict.fromkeys((StopReason.OUTSIDE_WORKSPACE, StopReason.UNSAFE_DOCUMENT, StopReason.SOURCE_CHANGED), Status.REFUSED),
    **dict.fromkeys(
        (
            StopReason.NO_SUCH_FILE,
            StopReason.NO_ROOT,
            StopReason.NOT_A_DOCUMENT,
            StopReason.UNKNOWN_ENGINE,
            StopReason.BAD_OPTION,
            StopReason.AMBIGUOUS_ROOT,
        ),
        Status.USAGE,
    ),
    StopReason.INTERNAL: Status.FAULT,
}
_EXIT = {Status.VERIFIED: 0, Status.STOPPED: 1, Status.USAGE: 2, Status.REFUSED: 3, Status.FAULT: 70}


@dataclass(frozen=True, slots=True)
class Fidelity:
    """What of the author's content is kept, original against final document."""

    words_kept: float = 1.0
    """Share of the original's words that are still there, 0 to 1."""
    numbers_kept: bool = True
    keys_kept: bool = True
    """Citation keys, labels and figure names."""
    flags: tuple[str, ...] = ()
    """Small losses, and "placeholder:NAME" for each box that stands for a missing figure."""


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round of the loop, as the JSON shows it."""

    n: int
    fingerprint: str
    by: str
    accepted: bool
    seconds: float
    tokens: int


@dataclass(frozen=True)
class Outcome:
    """How the loop ended. A document that cannot be mended is an Outcome, not an exception."""

    reason: StopReason
    detail: str
    """One line for the user: what, where, and what to do next."""
    best: Draft
    """The verified draft, or the best one so far."""
    attempts: tuple[Attempt, ...] = ()
    rounds: tuple[RoundReport, ...] = ()
    fidelity: Fidelity = Fidelity()
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    first: CompileResult | None = None
    """What the first build, of the document as it was given, said."""

    @property
    def verified(self) -> bool:
        return self.reason is StopReason.VERIFIED
