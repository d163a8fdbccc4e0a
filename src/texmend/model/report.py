"""What every face prints: the result of `fix` and `check`, one versioned shape (DESIGN section 1).

The JSON schema in docs/ is generated from these types. Paths are relative to the workspace, absolute outside it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from texmend.model.outcome import StopReason

SCHEMA = 1
"""Version of the shape: raised when a field changes its meaning or goes."""


@dataclass(frozen=True, slots=True)
class CauseReport:
    file: str
    line: int
    column: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Issue:
    """A diagnostic as it is shown."""

    kind: str
    severity: str
    tool: str
    file: str | None
    line: int | None
    column: int | None
    subject: str
    message: str
    context: str
    cause: CauseReport | None
    advice: str
    follows: int | None = None
    """Index in `issues` of the error that this one follows from."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed in one file by one repair."""

    file: str
    by: str
    why: str
    diff: str
    """Unified diff, as plain text."""


@dataclass(frozen=True, slots=True)
class EnvironmentAction:
    """What was done to, or is asked of, the TeX installation."""

    action: str
    """"installed", "engine", or "advice"."""
    what: str
    command: str
    """The exact command for the user, empty if there is none."""


@dataclass(frozen=True, slots=True)
class RoundShape:
    n: int
    fingerprint: str
    by: str
    accepted: bool
    seconds: float
    tokens: int


@dataclass(frozen=True, slots=True)
class FidelityShape:
    words_kept: float
    numbers_kept: bool
    keys_kept: bool
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gates:
    """Separate verdicts, never mixed into "fixed"."""

    build: str = "not run"
    """"pass", "fail" or "not run"."""
    rerun: str = "not run"
    warnings: dict[str, int] | None = None
    """Count by kind of warning."""
    security: tuple[str, ...] = ()
    visual: str = "not run"


@dataclass(frozen=True, slots=True)
class PartShape:
    """A part of a document that is shown as source, in a box."""

    file: str
    line: int
    last_line: int
    what: str
    error: str


@dataclass(frozen=True, slots=True)
class Partial:
    """Pages for the rest of a document that was not mended; never verified, never beside the document."""

    parts: tuple[PartShape, ...] = ()
    """What stands in boxes on those pages."""
    sources: str | None = None
    """The folder with the sources of the pages; None: there are none, for the reason that `why` gives."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Tokens:
    input: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """One result. `as_dict` is what `--json` prints."""

    status: str
    stop_reason: str
    detail: str = ""
    """One line for the user: what, where, what to do next."""
    applied: bool = False
    workspace: str | None = None
    target_file: str | None = None
    root_source: str | None = None
    engine: str | None = None
    pdf_path: str | None = None
    pdf_sha256: str | None = None
    pages: int | None = None
    session: str | None = None
    issues: tuple[Issue, ...] = ()
    changes: tuple[Change, ...] = ()
    environment_actions: tuple[EnvironmentAction, ...] = ()
    rounds: tuple[RoundShape, ...] = ()
    fidelity: FidelityShape = FidelityShape(1.0, True, True, ())
    gates: Gates = Gates()
    tokens: Tokens = Tokens()
    seconds: float = 0.0
    log_excerpt: str = ""
    notes: tuple[str, ...] = ()
    """What the user is told besides: ignored settings, the sandbox, files kept in the session."""
    partial: Partial | None = None
    """What --salvage came to: if there are pages, `pdf_path` and `pages` are theirs."""
    zip_path: str | None = None
    """The zip of the stop, or of a result that is not written beside its input."""
    exit_code: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The JSON document, `schema` first, without the exit code."""
        shape = asdict(self)
        del shape["exit_code"]
        return {"schema": SCHEMA, **shape}

    @staticmethod
    def of_dict(values: dict[str, Any]) -> Report:
        """The report that `as_dict` gave.

        Raises:
            ValueError: it is not of this schema.
        """
        known = {f.name for f in fields(Report)}
        flat: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items() if k in known}
        try:
            nested: dict[str, Any] = {
                "issues": tuple(
                    Issue(**{**i, "cause": CauseReport(**i["cause"]) if i["cause"] else None}) for i in values["issues"]
                ),
                "changes": tuple(Change(**c) for c in values["changes"]),
                "environment_actions": tuple(EnvironmentAction(**a) for a in values["environment_actions"]),
                "rounds": tuple(RoundShape(**r) for r in values["rounds"]),
                "fidelity": FidelityShape(**{**values["fidelity"], "flags": tuple(values["fidelity"]["flags"])}),
                "gates": Gates(**{**values["gates"], "security": tuple(values["gates"]["security"])}),
                "tokens": Tokens(**values["tokens"]),
                "partial": _partial(values.get("partial")),
                "exit_code": StopReason(values["stop_reason"]).exit_code,
            }
            return Report(**{**flat, **nested})
        except (KeyError, TypeError) as e:
            raise ValueError(f"not a report of schema {SCHEMA}: {e}") from e


def _partial(values: dict[str, Any] | None) -> Partial | None:
    if values is None:
        return None
    return Partial(**{**values, "parts": tuple(PartShape(**p) for p in values["parts"])})


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One row of `texmend sessions`."""

    session: str
    started: str
    """Local time, ISO 8601."""
    root: str
    status: str
    stop_reason: str
    offer: str
    """"undo" while the earlier files can be brought back, else "done", "undone", "unfinished" or ""."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of `texmend doctor`."""

    what: str
    found: str
    ok: bool
    advice: str = ""
    """What to do about it, when it is not there."""
