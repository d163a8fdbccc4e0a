"""A package repository for the real tlmgr: TeX Live's layout, its own database format, our own tiny packages."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from texmend.adapters.tree.tlpdb import parse

CONFIG = """name 00texlive.config
category Package
revision 1
depend container_format/xz
depend container_split_doc_files/1
depend container_split_src_files/1
depend minrelease/2016
depend release/{year}
depend revision/1"""
INSTALLATION = """name 00texlive.installation
category TLCore
depend opt_location:__MASTER__
depend setting_available_architectures:x86_64-linux"""


@dataclass
class Tlnet:
    """A repository in a folder; `write` makes what was added visible."""

    folder: Path
    year: str = "2022"
    stanzas: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("tlpkg", "archive"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        there = self.folder / "tlpkg/texlive.tlpdb"
        if there.exists():
            self.stanzas = {n: p.text for n, p in parse(there.read_text()).packages.items()}
        else:
            self.stanzas = {"00texlive.config": CONFIG.format(year=self.year), "00texlive.installation": INSTALLATION}

    def container(self, name: str) -> Path:
        return self.folder / f"archive/{name}.tar.xz"

    def add(self, name: str, files: Mapping[str, str | bytes], *, revision: int = 1, lines: tuple[str, ...] = ()) -> None:
        """A relocatable package; files are named below texmf-dist. More lines of its stanza: "depend other", "execute …"."""
        head = [f"name {name}", "category Package", f"revision {revision}", f"shortdesc {name} of a test", "relocated 1", *lines]
        tail = ["runfiles size=1", *(f" RELOC/{f}" for f in sorted(files))] if files else []
        data = _archive({f"tlpkg/tlpobj/{name}.tlpobj": "\n".join([*head, *tail]) + "\n", **files})
        self.container(name).write_bytes(data)
        sums = [f"containersize {len(data)}", f"containerchecksum {hashlib.sha512(data).hexdigest()}"]
        self.stanzas[name] = "\n".join([*head, *sums, *tail])

    def write(self) -> Path:
        data = ("\n\n".join(self.stanzas[n] for n in sorted(self.stanzas)) + "\n\n").encode()
        (self.folder / "tlpkg/texlive.tlpdb").write_bytes(data)
        (self.folder / "tlpkg/texlive.tlpdb.xz").write_bytes(lzma.compress(data, preset=0))
        (self.folder / "tlpkg/texlive.tlpdb.sha512").write_text(f"{hashlib.sha512(data).hexdigest()}  texlive.tlpdb\n")
        return self.folder


def _archive(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o644
            archive.addfile(info, io.BytesIO(data))
    return lzma.compress(out.getvalue(), preset=0)


def sty(name: str, *loads: str) -> dict[str, str]:
    """A package that loads others, as the files of its container."""
    text = "".join(f"\\RequirePackage{{{n}}}\n" for n in loads)
    return {f"tex/latex/{name}/{name}.sty": f"\\ProvidesPackage{{{name}}}\n{text}\\newcommand\\{name}{{}}\n"}
