"""A TeX log, or what a program printed on the terminal, as typed diagnostics."""

from __future__ import annotations

from texmend.model.diagnostic import Diagnostic


def parse_log(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    r"""The errors and warnings of a TeX log, in order, follow-up errors linked by `follows`.

    Files are named as TeX prints them without "./": relative to the folder the engine ran in, or absolute.
    Both message styles ("! …" and "file:line: …"), wrapped at 79 or not. Never raises; a log longer than the cap is
    read at both ends.

    Args:
        tool: the engine ("pdflatex", "xelatex", …), copied into each diagnostic.
    """
    return ()


def parse_stdout(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    """The errors in what a program printed, engines and drivers alike; the same promises as `parse_log`."""
    return ()


def merge(log: tuple[Diagnostic, ...], stdout: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The log's diagnostics, and after them the errors that only the terminal has; `follows` stays right."""
    return log
