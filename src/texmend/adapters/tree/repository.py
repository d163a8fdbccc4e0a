"""A package repository in the layout of TeX Live's own: a folder of this machine, or a URL. Nothing is taken that does not have
the checksum that it must have.

    tlpkg/texlive.tlpdb[.xz]   the database, and texlive.tlpdb.sha512 with the checksum of the one that is not compressed
    archive/NAME.tar.xz        a container; its SHA-512 is in the database
"""

from __future__ import annotations

import hashlib
import lzma
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from texmend.adapters.tree import tlpdb
from texmend.model.errors import PackagesUnavailable, UsageError
from texmend.model.outcome import StopReason

if TYPE_CHECKING:
    from http.client import HTTPResponse

DEFAULT = "https://mirror.ctan.org/systems/texlive/tlnet"
"""TeX Live's own address, which leads to a mirror nearby (TLConfig.pm, $TeXLiveURL)."""
TIMEOUT = 20.0
"""Seconds that a server may be silent."""
TRIES = 3
_DATABASE = "tlpkg/texlive.tlpdb"
_LARGEST_DATABASE = 256 << 20
_BLOCK = 1 << 18
_PARTIAL_CONTENT = 206
_NOT_THERE = (404, 410)


@dataclass(frozen=True, slots=True)
class Repository:
    """Where packages come from."""

    location: str
    """As tlmgr takes it: an absolute path or a URL."""

    @property
    def is_local(self) -> bool:
        return "://" not in self.location

    def check(self) -> None:
        """It can be asked at all; found out within a few seconds.

        Raises:
            PackagesUnavailable: offline, or install_failed for a folder that is no repository any more.
        """
        try:
            self._read(f"{_DATABASE}.sha512", 1 << 16)
        except _failures() as e:
            raise self._fault(e) from e

    def _fault(self, error: Exception) -> PackagesUnavailable:
        """What is wrong with the place, which can be out of reach only if it is elsewhere."""
        if isinstance(error, lzma.LZMAError):
            return PackagesUnavailable(f"{self.location}: {_DATABASE}.xz is damaged ({error})")
        if not self.is_local:
            return PackagesUnavailable(f"{self.location} cannot be asked for packages: {_why(error)}", StopReason.OFFLINE)
        named = getattr(error, "filename", None) or self.location
        return PackagesUnavailable(f"the repository {self.location} is broken: {named}: {_why(error)}")

    def pinned(self) -> Repository:
        """The mirror that the address leads to now: mirrors differ by hours, so one installation asks only one of them."""
        if self.is_local:
            return self
        name = f"{_DATABASE}.sha512"
        try:
            with _answer(f"{self.location}/{name}") as answer:
                return Repository(answer.geturl().removesuffix(f"/{name}"))
        except _failures() as e:
            raise self._fault(e) from e

    def database(self) -> tlpdb.Database:
        """The verified database.

        Raises:
            PackagesUnavailable: offline, or install_failed when it is damaged.
        """
        try:
            data = self._database()
            digest = self._read(f"{_DATABASE}.sha512", 1 << 16).split()[:1]
        except _failures() as e:
            raise self._fault(e) from e
        if digest != [hashlib.sha512(data).hexdigest().encode()]:
            raise PackagesUnavailable(
                f"{self.location}: the package database does not have its checksum (damaged, or changing now)"
            )
        return tlpdb.parse(data.decode("utf-8", "replace"))

    def _database(self) -> bytes:
        try:
            packed = self._read(f"{_DATABASE}.xz", _LARGEST_DATABASE)
        except FileNotFoundError:
            return self._read(_DATABASE, _LARGEST_DATABASE)
        return lzma.LZMADecompressor().decompress(packed, _LARGEST_DATABASE)

    def fetch(self, package: tlpdb.Package, folder: Path, taken: Callable[[int], None] = lambda _bytes: None) -> Path:
        """The container of a package's run-time files: in the folder, verified; one that is there already is not fetched again.

        Args:
            taken: told the number of bytes as they come.

        Raises:
            PackagesUnavailable: offline, or install_failed when it never has its checksum.
        """
        if self.is_local:
            return self._verified(package, taken)
        target = folder / f"{package.name}.{package.checksum[:16]}.tar.xz"
        if target.exists():
            taken(package.container_size)
            return target
        part = target.with_suffix(".part")
        for left in reversed(range(TRIES)):
            try:
                self._take(f"archive/{package.name}.tar.xz", part, package.container_size, taken)
            except _failures() as e:
                if not left or isinstance(e, FileNotFoundError):
                    reason = StopReason.INSTALL_FAILED if isinstance(e, FileNotFoundError) else StopReason.OFFLINE
                    raise PackagesUnavailable(f"{package.name} cannot be had from {self.location}: {_why(e)}", reason) from e
                time.sleep(1.0)
                continue
            if _digest(part) == package.checksum:
                part.replace(target)
                return target
            part.unlink()  # a mixture of two versions, or damaged on the way: once more from the beginning
        raise PackagesUnavailable(f"{package.name}: its container in {self.location} does not have the checksum of the database")

    def _verified(self, package: tlpdb.Package, taken: Callable[[int], None]) -> Path:
        path = Path(self.location) / f"archive/{package.name}.tar.xz"
        try:
            good = _digest(path) == package.checksum
        except OSError as e:
            raise PackagesUnavailable(f"{package.name} cannot be had from {self.location}: {_why(e)}") from e
        if not good:
            raise PackagesUnavailable(
                f"{package.name}: its container in {self.location} does not have the checksum of the database"
            )
        taken(package.container_size)
        return path

    def _take(self, name: str, part: Path, most: int, taken: Callable[[int], None]) -> None:
        """The rest of a file is appended to what is there of it."""
        start = part.stat().st_size if part.exists() else 0
        if most and start >= most:
            taken(start)
            return
        with self._open(name, start) as (source, resumed), part.open("ab" if resumed else "wb") as out:
            taken(start if resumed else 0)
            size = start if resumed else 0
            while block := source.read(_BLOCK):
                size += len(block)
                if most and size > most:
                    break  # longer than it may be: the checksum will say no
                out.write(block)
                taken(len(block))

    def _read(self, name: str, most: int) -> bytes:
        with self._open(name) as (source, _):
            return source.read(most)

    @contextmanager
    def _open(self, name: str, start: int = 0) -> Iterator[tuple[BinaryIO, bool]]:
        """The file, and whether it begins at `start` as was asked."""
        if self.is_local:
            with (Path(self.location) / name).open("rb") as file:
                file.seek(start)
                yield file, True
            return
        with _answer(f"{self.location}/{name}", {"Range": f"bytes={start}-"} if start else {}) as answer:
            yield answer, not start or answer.status == _PARTIAL_CONTENT


def _answer(url: str, headers: Mapping[str, str] | None = None) -> HTTPResponse:
    """What the server answers; the modules of the network are loaded here because every start of texmend would pay for them."""
    import urllib.error
    import urllib.request

    try:
        answer: HTTPResponse = urllib.request.urlopen(urllib.request.Request(url, headers=dict(headers or {})), timeout=TIMEOUT)
    except urllib.error.HTTPError as e:
        raise FileNotFoundError(f"{url} is not there") if e.code in _NOT_THERE else e from None
    return answer


def _failures() -> tuple[type[Exception], ...]:
    """How reading from a repository fails; asked when it has."""
    import http.client

    return OSError, http.client.HTTPException, lzma.LZMAError


def open_repository(named: str) -> Repository:
    """The repository that a user names: http:, https: or file: URL, or a path.

    Raises:
        UsageError: bad_option, for a path that is no repository and for other schemes.
    """
    parts = urlsplit(named)
    if parts.scheme in ("http", "https") and parts.netloc:
        return Repository(named.rstrip("/"))
    if "://" in named and parts.scheme != "file":
        raise UsageError(f"repository {named!r}: a path, or an http(s) or file URL is needed", StopReason.BAD_OPTION)
    folder = Path(unquote(parts.path) if parts.scheme == "file" else named).expanduser().absolute()
    if not any((folder / f"{_DATABASE}{end}").is_file() for end in ("", ".xz")):
        raise UsageError(f"{folder} is no TeX Live repository: it has no {_DATABASE}", StopReason.BAD_OPTION)
    return Repository(str(folder))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha512").hexdigest()


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(reason)
