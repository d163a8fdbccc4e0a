"""Completes a repository that `make_tlnet.py` has made: the packages of its own tree, the infrastructure and TeX Live's schemes
get containers too, so that a tree can be set up from nothing.

    python bench/tlnet.py OUT      OUT holds tree/ and tlnet/
"""

from __future__ import annotations

import hashlib
import io
import lzma
import sys
import tarfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from texmend.adapters.tree.tlpdb import Package, parse

OWN = ("texlive.infra", "texlive-scripts", "kpathsea", "tex", "knuth-lib", "plain", "hyphen-base", "unicode-data", "tex-ini-files")
"""What every scheme has."""
XETEX = ("xetex", "xetexconfig", "xunicode", "euenc", "fontspec", "unicode-math", "lm-math")
NOT_INFRASTRUCTURE = ("texmf-var/", "texmf-config/", "texmf-local/", "home/", "tlpkg/texlive.tlpdb", "tlpkg/tlpobj/", "texmf.cnf",
                      "texmf-dist/ls-R", "texmf-dist/web2c/fmtutil.cnf", "texmf-dist/web2c/updmap.cfg")  # fmt: skip


def container(files: Iterable[tuple[str, Path]]) -> bytes:
    """A .tar.xz of files and links."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, path in files:
            archive.add(path, name, recursive=False)
    return lzma.compress(out.getvalue(), preset=0)


def complete(out: Path) -> int:
    """Every package of the repository has a container; gives the number of those that were added."""
    tree, tlnet = out / "tree", out / "tlnet"
    database = parse((tlnet / "tlpkg/texlive.tlpdb").read_text())
    bare = {n: p for n, p in database.installed.items() if not p.checksum}
    files = {n: [(f, tree / f) for f in p.files if (tree / f).exists()] for n, p in bare.items()}
    listed = {name for found in files.values() for name, _ in found} | {f for p in database.installed.values() for f in p.files}
    files["texlive.infra"] += [(n, p) for n, p in _all(tree) if n not in listed and not n.startswith(NOT_INFRASTRUCTURE)]
    with ThreadPoolExecutor() as pool:
        packed = dict(zip(files, pool.map(container, files.values()), strict=True))
    for scheme in ("infraonly", "basic", "small"):
        bare[f"scheme-{scheme}"] = _scheme(scheme, [n for n in files if "." not in n or n == "texlive.infra"])
        packed[f"scheme-{scheme}"] = container(())
    for name, data in packed.items():
        (tlnet / f"archive/{name}.tar.xz").write_bytes(data)
    stanzas = {n: p.text for n, p in database.packages.items()}
    stanzas |= {n: _with_container(p.text, packed[n]) for n, p in bare.items()}
    write_database(tlnet, "\n\n".join(stanzas[n] for n in sorted(stanzas)) + "\n")
    return len(packed)


def write_database(tlnet: Path, text: str) -> None:
    """The repository's database is this text, in both forms and with its checksum."""
    data = text.encode()
    (tlnet / "tlpkg/texlive.tlpdb").write_bytes(data)
    (tlnet / "tlpkg/texlive.tlpdb.xz").write_bytes(lzma.compress(data, preset=0))
    (tlnet / "tlpkg/texlive.tlpdb.sha512").write_text(f"{hashlib.sha512(data).hexdigest()}  texlive.tlpdb\n")


def _all(tree: Path) -> list[tuple[str, Path]]:
    return [(str(p.relative_to(tree)), p) for p in sorted(tree.rglob("*")) if p.is_file() or p.is_symlink()]


def _scheme(name: str, packages: list[str]) -> Package:
    own = {"infraonly": OWN, "basic": tuple(n for n in packages if n not in XETEX), "small": tuple(packages)}[name]
    lines = [f"name scheme-{name}", "category Scheme", "revision 65000", *(f"depend {n}" for n in own if n in packages)]
    return Package(f"scheme-{name}", "\n".join(lines))


def _with_container(text: str, data: bytes) -> str:
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if line.startswith(("runfiles", "binfiles"))), len(lines))
    return "\n".join(
        [*lines[:at], f"containersize {len(data)}", f"containerchecksum {hashlib.sha512(data).hexdigest()}", *lines[at:]]
    )


if __name__ == "__main__":
    print(f"{complete(Path(sys.argv[1]))} containers added")
