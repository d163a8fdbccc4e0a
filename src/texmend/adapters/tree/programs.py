"""Runs the programs of a tree that texmend owns: its own engines first, and nothing of the user's trees."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from texmend.adapters.jail.process import Finished, run
from texmend.adapters.tree.owned import Tree, user_folders
from texmend.model.errors import PackagesUnavailable

KEPT = ("LANG", "TMPDIR", "http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY",
        "SSL_CERT_FILE", "SSL_CERT_DIR")  # fmt: skip
"""What tlmgr's downloads need of the user's environment."""
ENGINES = ("pdflatex", "xelatex", "lualatex")
_ARCHITECTURES = {
    ("Linux", "x86_64"): "x86_64-linux", ("Linux", "aarch64"): "aarch64-linux", ("Linux", "armv7l"): "armhf-linux",
    ("Linux", "i686"): "i386-linux", ("Darwin", "arm64"): "universal-darwin", ("Darwin", "x86_64"): "universal-darwin",
    ("FreeBSD", "amd64"): "amd64-freebsd", ("NetBSD", "amd64"): "amd64-netbsd",
}  # fmt: skip
_SCRIPT = (
    'my $r = $ARGV[0]; my $d = TeXLive::TLPDB->new(root => $r) or die "no database\\n"; my $w = "$r/texmf-dist/web2c";'
    'my $c = "$r/texmf-var/tex/generic/config"; TeXLive::TLUtils::mkdirhier($c);'
    'TeXLive::TLUtils::create_fmtutil($d, "$w/fmtutil.cnf"); TeXLive::TLUtils::create_updmap($d, "$w/updmap.cfg");'
    'TeXLive::TLUtils::create_language_dat($d, "$c/language.dat", "/nonexistent");'
    'TeXLive::TLUtils::create_language_def($d, "$c/language.def", "/nonexistent");'
    'TeXLive::TLUtils::create_language_lua($d, "$c/language.dat.lua", "/nonexistent");'
)
"""What install-tl does with TeX Live's own modules: the lists of formats, maps and languages, written from the database."""
_SAMPLE = "\\documentclass{article}\\begin{document}texmend\\end{document}\n"


def architecture() -> str:
    """TeX Live's name for this machine, "" if it has none that we know."""
    name = _ARCHITECTURES.get((platform.system(), platform.machine()), "")
    return name + "musl" if name == "x86_64-linux" and any(Path("/lib").glob("ld-musl-*")) else name


def run_program(tree: Tree, argv: tuple[str, ...], seconds: float, environ: Mapping[str, str], cwd: Path | None = None) -> Finished:
    """A program of the tree, or of the system where the tree has none, has ended."""
    path = os.pathsep.join(filter(None, (str(tree.programs or ""), environ.get("PATH", os.defpath))))
    env = {"PATH": path, "LC_ALL": "C.UTF-8", **user_folders(tree), **{k: environ[k] for k in KEPT if k in environ}}
    if argv[0] == "tlmgr" and not tree.programs:
        env["TEXMFDBS"] = str(tree.folder)  # it runs mktexlsr on every tree, which would write the system's lists anew where it can
    program = shutil.which(argv[0], path=path) or argv[0]
    return run((program, *argv[1:]), cwd=cwd or tree.folder, env=env, timeout=seconds)


def make_lists(tree: Tree, environ: Mapping[str, str]) -> None:
    """The lists of formats, font maps, languages and files are those of the tree's database.

    Raises:
        PackagesUnavailable: a program of TeX Live failed.
    """
    modules = ("-I", str(tree.folder / "tlpkg"), "-MTeXLive::TLPDB", "-MTeXLive::TLUtils")
    _must(run_program(tree, ("perl", *modules, "-e", _SCRIPT, str(tree.folder)), 120, environ))
    _must(run_program(tree, ("mktexlsr",), 300, environ))


def make_maps(tree: Tree, environ: Mapping[str, str]) -> None:
    """The font maps are made."""
    _must(run_program(tree, ("updmap-sys",), 600, environ))


def make_user_maps(tree: Tree, environ: Mapping[str, str]) -> None:
    """The font maps of the system with those of the tree on top of it, which `tlmgr --usermode` lists but does not make."""
    if (tree.folder / "web2c" / "updmap.cfg").is_file():
        _must(run_program(tree, ("updmap-user",), 600, environ))


def make_formats(tree: Tree, environ: Mapping[str, str]) -> None:
    """The formats are built; whether they are good is what `sample_faults` says."""
    run_program(tree, ("fmtutil-sys", "--all", "--no-error-if-no-engine=luajithbtex,luajittex,mfluajit"), 1800, environ)
    _must(run_program(tree, ("mktexlsr",), 300, environ))


def sample_faults(tree: Tree, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What is wrong with the engines of the tree: each has built a document of one word, and its PDF is there."""
    assert tree.programs is not None
    found = []
    with tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        for engine in ENGINES:
            if engine == "pdflatex" or (tree.programs / engine).exists():
                (Path(folder) / f"{engine}.tex").write_text(_SAMPLE)
                words = (engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{engine}.tex")
                said = run_program(tree, words, 300, environ, Path(folder))
                if said.exit_code != 0 or not (Path(folder) / f"{engine}.pdf").exists():
                    found.append(f"{engine} does not build a document of one word: {last_line(said)}")
    return tuple(found)


def last_line(said: Finished) -> str:
    """What a program said last, or how it ended."""
    lines = [s for line in said.stdout.decode("utf-8", "replace").splitlines() if (s := line.strip())]
    if said.missing:
        return f"{said.argv[0]} is not installed"
    return "it took too long" if said.timed_out else lines[-1][:200] if lines else f"exit {said.exit_code}"


def _must(said: Finished) -> None:
    if said.exit_code != 0:
        raise PackagesUnavailable(f"{Path(said.argv[0]).name} failed: {last_line(said)}")
