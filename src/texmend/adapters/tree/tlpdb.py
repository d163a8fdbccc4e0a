"""TeX Live's package database, `texlive.tlpdb`, as values: read, closed over dependencies, and written for an installed tree.

The format is that of TeX Live's own `TLPDB.pm` and `TLPOBJ.pm` (2016 to 2026): stanzas with a blank line between them,
the first word of a line is its key, a line that begins with a space is a file of the list above it. Reading is total:
what is not known is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

BLOCK = 4096
"""Bytes that one unit of `size=` stands for (TLConfig.pm)."""
_CONFIG, _INSTALLATION = "00texlive.config", "00texlive.installation"
_ARCHITECTURE = ".ARCH"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SIZE = re.compile(r"size=(\d+)")


@dataclass(frozen=True)
class Package:
    """One stanza."""

    name: str
    text: str
    """As it is written in the database, without the blank line."""

    @cached_property
    def _fields(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for line in self.text.splitlines():
            if not line.startswith(" "):
                key, _, value = line.partition(" ")
                found.setdefault(key, []).append(value)
        return {k: tuple(v) for k, v in found.items()}

    def _first(self, key: str, default: str = "") -> str:
        return self._fields.get(key, (default,))[0]

    @property
    def category(self) -> str:
        return self._first("category")

    @property
    def revision(self) -> int:
        return _number(self._first("revision", "0"))

    @property
    def depends(self) -> tuple[str, ...]:
        return self._fields.get("depend", ())

    @property
    def relocated(self) -> bool:
        """Its files are named RELOC/…, and its container has them without texmf-dist/."""
        return self._first("relocated") == "1"

    @property
    def container_size(self) -> int:
        """Bytes of the container of its run-time files."""
        return _number(self._first("containersize", "0"))

    @property
    def checksum(self) -> str:
        """SHA-512 of that container in hexadecimal digits, "" if the database names none."""
        return self._first("containerchecksum")

    @property
    def installed_size(self) -> int:
        """Bytes on the disk, as the database says."""
        lists = (*self._fields.get("runfiles", ()), *self._fields.get("binfiles", ()))
        return BLOCK * sum(_number(m[1]) for m in map(_SIZE.search, lists) if m)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Its run-time files and programs relative to the root of a tree; none that would leave it."""
        found, wanted = [], False
        for line in self.text.splitlines():
            if not line.startswith(" "):
                wanted = line.startswith(("runfiles", "binfiles"))
            elif wanted:
                found.append(_in_tree(line[1:]))
        return tuple(f for f in found if f and not f.startswith("/") and ".." not in f.split("/"))

    def as_installed(self) -> str:
        """The stanza as an installed tree has it: without lists of files that were not installed, nothing to relocate."""
        lines, kept = [], True
        for line in self.text.splitlines():
            if not line.startswith(" "):
                kept = not line.startswith(("docfiles", "srcfiles", "doccontainer", "srccontainer", "relocated", "container"))
            if kept:
                lines.append(f" {_in_tree(line[1:])}" if line.startswith(" ") else line)
        return "\n".join(lines) + "\n"


def _in_tree(name: str) -> str:
    """The file's own name; a file may be followed by details."""
    path = name.split(" ")[0]
    return "texmf-dist/" + path.removeprefix("RELOC/") if path.startswith("RELOC/") else path


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 16 else 0


@dataclass(frozen=True)
class Database:
    """A whole database."""

    packages: Mapping[str, Package]

    @property
    def release(self) -> str:
        """The year of TeX Live, "" if it is not said."""
        config = self.packages.get(_CONFIG)
        said = [d.partition("/")[2] for d in config.depends if d.startswith("release/")] if config else []
        return said[0] if said else ""

    @property
    def schemes(self) -> tuple[str, ...]:
        """Names without "scheme-"."""
        return tuple(n.removeprefix("scheme-") for n in self.packages if n.startswith("scheme-"))

    @property
    def architectures(self) -> tuple[str, ...]:
        return tuple(n.removeprefix("texlive.infra.") for n in self.packages if n.startswith("texlive.infra."))

    @property
    def installed(self) -> Mapping[str, Package]:
        """Without the stanzas that describe the database itself."""
        return {n: p for n, p in self.packages.items() if not n.startswith("00texlive")}

    def closure(self, names: Iterable[str], architecture: str) -> tuple[Package, ...]:
        """The packages of these names and all that they depend on, sorted; a dependency that the database lacks is left out."""
        waiting, found = list(names), {}
        while waiting:
            name = waiting.pop().replace(_ARCHITECTURE, f".{architecture}")
            if name not in found and name in self.packages:
                found[name] = self.packages[name]
                waiting += found[name].depends
        return tuple(found[n] for n in sorted(found))


def parse(text: str) -> Database:
    """Every stanza whose name is one that a package can have."""
    return Database({p.name: p for p in _stanzas(text)})


def _stanzas(text: str) -> Iterator[Package]:
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        stanza = "\n".join(line for line in block.split("\n") if line.strip() and not line.startswith("#"))
        name = stanza.partition("\n")[0].removeprefix("name ")
        if stanza.startswith("name ") and _NAME.fullmatch(name):
            yield Package(name, stanza)


def installed_database(packages: Iterable[Package], release: str, revision: int, architecture: str, repository: str) -> str:
    """The text of the database of a tree that holds these packages, without their documentation, and knows where they come from."""
    options = {
        "autobackup": "0", "create_formats": "1", "desktop_integration": "0", "file_assocs": "0", "generate_updmap": "0",
        "install_docfiles": "0", "install_srcfiles": "0", "location": repository, "post_code": "1",
    }  # fmt: skip
    lines = [
        f"name {_CONFIG}", "category TLCore", f"revision {revision}",
        *(f"depend {d}" for d in ("container_format/xz", "container_split_doc_files/1", "container_split_src_files/1",
                                  "minrelease/2016", f"release/{release}", f"revision/{revision}")),
        "", f"name {_INSTALLATION}", "category TLCore",
        *(f"depend opt_{k}:{v}" for k, v in options.items()), f"depend setting_available_architectures:{architecture}", "", "",
    ]  # fmt: skip
    return "\n".join(lines) + "\n".join(p.as_installed() for p in sorted(packages, key=lambda p: p.name)) + "\n"
