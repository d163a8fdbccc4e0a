"""The error tree: only for "we could not look". A document that cannot be mended is an Outcome.

    TexmendError
    ├── UsageError          bad input: one clear line, exit 2
    ├── OutsideWorkspace    a path that leads out of the workspace: refused, exit 3
    ├── UnsafeDocument      the document tried to reach out of the workspace: refused, exit 3
    ├── SourceChanged       undo would overwrite what the author changed since: refused, exit 3
    ├── EditRefused         an edit that loses content, or puts in what may not be: refused
    ├── EngineMissing       no program of that name on this machine
    ├── NotWritable         the folder of the document cannot be written
    ├── SandboxUnavailable  --require-sandbox, and none works here
    ├── PackagesUnavailable the package repository cannot be asked, or an installation failed
    └── ModelUnavailable    the model cannot be asked (network, key, quota, timeout)

Every class names the stop reason that a face reports for it (DESIGN section 1).
"""

from __future__ import annotations

from texmend.model.outcome import StopReason


class TexmendError(Exception):
    """Something could not be looked at; the text is one line for the user."""

    reason: StopReason = StopReason.INTERNAL


class UsageError(TexmendError):
    """The input cannot be used as it is."""

    def __init__(self, message: str, reason: StopReason) -> None:
        super().__init__(message)
        self.reason = reason


class OutsideWorkspace(TexmendError):
    """A path leads out of the workspace by its real path."""

    reason = StopReason.OUTSIDE_WORKSPACE


class UnsafeDocument(TexmendError):
    """The document reads, writes or connects outside, or overwrites a source."""

    reason = StopReason.UNSAFE_DOCUMENT


class SourceChanged(TexmendError):
    """A file was changed by its author since texmend wrote it."""

    reason = StopReason.SOURCE_CHANGED


class EditRefused(TexmendError):
    """The guards do not let an edit through: content_loss_refused or unsafe_document."""

    def __init__(self, message: str, reason: StopReason) -> None:
        super().__init__(message)
        self.reason = reason


class EngineMissing(TexmendError):
    """The engine is not installed on this machine."""

    reason = StopReason.ENGINE_MISSING


class NotWritable(TexmendError):
    """The folder of the document cannot be written."""

    reason = StopReason.NOT_WRITABLE


class SandboxUnavailable(TexmendError):
    """A sandbox was required and none works on this machine."""

    reason = StopReason.SANDBOX_UNAVAILABLE


class PackagesUnavailable(TexmendError):
    """A package cannot be had: the reason is offline or install_failed."""

    def __init__(self, message: str, reason: StopReason = StopReason.INSTALL_FAILED) -> None:
        super().__init__(message)
        self.reason = reason


class ModelUnavailable(TexmendError):
    """The model cannot be asked."""

    reason = StopReason.MODEL_UNAVAILABLE
