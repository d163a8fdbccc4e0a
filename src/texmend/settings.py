"""Every setting of a run, in one frozen record: defaults < file < environment < flags."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What a face asks for (defaults: DESIGN section 1)."""

    workspace: str | None = None
    root: str | None = None
    engine: str | None = None
    rounds: int = 2
    """Model rounds."""
    wall_budget: float = 600.0
    pass_timeout: float = 180.0
    token_budget: int | None = None
    model: str | None = None
    """"provider:name", or None: no model is asked."""
    strategy: str = "auto"
    draft: bool = False
    dry_run: bool = False
    placeholders: bool = False
    write_engine: bool = False
    salvage: bool = False
    allow_shell_escape: bool = False
    require_sandbox: bool = False
    isolated: bool = False
    lang: str = "en"
    """"en" or "zh": the language of advice; a tool's own message is never translated."""
    pdf: str | None = None
    """`check`: where to keep the PDF."""
