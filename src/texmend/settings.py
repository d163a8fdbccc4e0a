"""Every setting of a run, in one frozen record: defaults < file < environment < flags.

Pure: `adapters.config` reads the files and the environment into layers, `merge` makes one record of them. A key that is
not known is an error that names the nearest one. A layer that came with the document is not trusted with everything:
it may not spend money, open the sandbox or choose where things are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches

from texmend.model.document import Engine
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason

type Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Settings:
    """What a face asks for (defaults: DESIGN section 1)."""

    workspace: str | None = None
    root: str | None = None
    """Given for this run: the root, whatever the document says."""
    workspace_root: str | None = None
    """`root` in the workspace's texmend.toml: used only when no file was named (DESIGN section 2)."""
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
    log: str | None = None
    """`check`: a log to read instead of building."""
    stdout: str | None = None
    """`check`: what the engine printed, beside `log`."""
    data_dir: str | None = None
    """Where sessions are kept; None: the user's data folder."""
