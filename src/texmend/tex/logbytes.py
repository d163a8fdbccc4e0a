"""The bytes of a log, whatever holds them, and how far one reading may go."""

from __future__ import annotations

from typing import Protocol


class LogBytes(Protocol):
    """Bytes that can be sliced: a `bytes`, or a file that gives what is asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...
