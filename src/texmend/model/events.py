"""What happens in a session, as it happens: the same events feed progress, the trace and iteration from Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from texmend.model.compile import CompileResult, Pass
from texmend.model.document import Document
from texmend.model.outcome import Outcome
from texmend.model.repair import FailedAnswer, Repair


@dataclass(frozen=True, slots=True)
class SessionStarted:
    session: str
    document: Document
    wall_seconds: float


@dataclass(frozen=True, slots=True)
class CompileStarted:
    n: int
    """1-based count of builds in this session."""
    by: str
    """The repair that is tried, or "" for the document as it was."""


@dataclass(frozen=True, slots=True)
class PassStarted:
    tool: str
    why: str


@dataclass(frozen=True, slots=True)
class PassEnded:
    done: Pass


@dataclass(frozen=True, slots=True)
class CompileEnded:
    n: int
    result: CompileResult


@dataclass(frozen=True, slots=True)
class RepairProposed:
    repair: Repair


@dataclass(frozen=True, slots=True)
class RepairRefused:
    repair: Repair | FailedAnswer
    why: str


@dataclass(frozen=True, slots=True)
class RepairJudged:
    repair: Repair
    accepted: bool
    why: str


@dataclass(frozen=True, slots=True)
class ModelAsked:
    model: str
    round: int
    prompt_tokens: int
    prompt_version: str


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    finish: str
    """"stop", "length", "refusal", "error: …"."""
    cost: float | None = None
    """US dollars, None where no price is known."""


@dataclass(frozen=True, slots=True)
class Stopped:
    outcome: Outcome


Event = (
    SessionStarted
    | CompileStarted
    | PassStarted
    | PassEnded
    | CompileEnded
    | RepairProposed
    | RepairRefused
    | RepairJudged
    | ModelAsked
    | ModelAnswered
    | Stopped
)
Listener = Callable[[Event], None]
"""Takes each event at once; must not raise."""


def ignore(_event: Event) -> None:
    """A listener for nobody."""
