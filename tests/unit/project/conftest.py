"""A workspace in memory, written inline in a test."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence

import pytest

from texmend.ports import Located, Place


class MemoryFiles:
    """`ports.Files` over a dict; `links_out` are names that are links out of the workspace."""

    def __init__(self, texts: Mapping[str, str | bytes], folder: str = "", links_out: Sequence[str] = ()) -> None:
        self.data = {p: t.encode() if isinstance(t, str) else t for p, t in texts.items()}
        self._folder = folder
        self._links_out = links_out

    @property
    def folder(self) -> str:
        return self._folder

    def paths(self) -> Sequence[str]:
        return sorted(p for p in self.data if not _is_hidden(p))

    def locate(self, name: str) -> Located:
        path = posixpath.normpath(name)
        if path.startswith(("/", "..")):
            return Located(Place.OUTSIDE, name)
        if path in self._links_out:
            return Located(Place.OUTSIDE, name, by_link=True)
        if _is_hidden(path):
            return Located(Place.HIDDEN, path)
        if path in self.data:
            return Located(Place.FILE, path)
        is_folder = path == "." or any(p.startswith(path + "/") for p in self.data)
        return Located(Place.FOLDER if is_folder else Place.MISSING, path)

    def size(self, path: str) -> int:
        return len(self.data.get(path, b""))

    def read(self, path: str, limit: int) -> bytes | None:
        data = self.data.get(path)
        if data is None or (_is_hidden(path) and not path.endswith(".latexmkrc")):
            return None
        return data[:limit]


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") and part != "." for part in path.split("/"))


@pytest.fixture
def workspace() -> Callable[..., MemoryFiles]:
    return MemoryFiles
