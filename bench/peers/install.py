"""Puts the peers into build/peers: a virtual environment for those of the package index, an unpacked tree for those of Debian.

Nothing of it is in texmend's own environment or lock files. What cannot be had is named, with the reason.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "peers"
PYTHON = FOLDER / "venv" / "bin" / "python"
DEBIAN = FOLDER / "debian"

FITTING = ("badness==0.28.0", "ktex==0.2.0", "pytexmk==1.0.4.251001", "texmini==0.6.2", "texoutparse==1.0.0", "typing-extensions")
NEWER = ("pytexlogs==0.4.0", "compytex==0.1.0")
"""They ask for a later Python than ours may be; the adapter bridges what it can."""
PACKAGES = (
    ("rubber", "usr/lib/python3/dist-packages/rubber"),
    ("texlive-extra-utils", "usr/share/texlive/texmf-dist/scripts/texfot"),
    ("chktex", "usr/bin/chktex"),
    ("chktex", "etc/chktexrc"),
    ("libpcre2-posix3", f"usr/lib/{sysconfig.get_config_var('MULTIARCH')}"),
)
"""Debian package, and what of it is unpacked."""


def install() -> None:
    """Every peer that can be had is in build/peers; the others are named on standard error."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER / "venv")], check=True)
    for package in FITTING:
        _pip(package)
    for package in NEWER:
        _pip(package, "--no-deps", "--ignore-requires-python")
    for package, part in PACKAGES:
        if not (DEBIAN / part).exists():
            _unpack(package, part)


def _pip(package: str, *options: str) -> None:
    name = package.partition("==")[0]
    known = subprocess.run([str(PYTHON), "-m", "pip", "show", "-q", name], capture_output=True, check=False).returncode == 0
    if not known and _quiet([str(PYTHON), "-m", "pip", "install", "-q", *options, package]) != 0:
        print(f"peers: {package} CANNOT BE INSTALLED HERE (package index)", file=sys.stderr)


def _unpack(package: str, part: str) -> None:
    place = FOLDER / "deb"
    place.mkdir(exist_ok=True)
    tools = all(shutil.which(t) for t in ("apt-get", "dpkg-deb"))
    if not tools or _quiet(["apt-get", "download", package], cwd=place) != 0:
        print(f"peers: {package} CANNOT BE HAD HERE (Debian package)", file=sys.stderr)
        return
    DEBIAN.mkdir(exist_ok=True)
    for deb in place.glob(f"{package}_*.deb"):
        files = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-xf", "-", "-C", str(DEBIAN), f"./{part}"], input=files, check=True)
        deb.unlink()


def _quiet(command: list[str], cwd: Path | None = None) -> int:
    return subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
