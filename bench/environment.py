"""The environment's half on a real TeX Live: a tree is set up from a local repository, and documents are mended in it.

    python bench/environment.py [--out FOLDER] [--keep]

Every program is the real one. `make_tlnet.py` of the folder that TEXMEND_BENCH names (../shared) builds tree and repository
out of the distribution's files, without a network; FOLDER keeps them for the next time. Prints one line for each check and
exits 1 when one of them fails.
"""

# ruff: noqa: E501  (a document is one line)

from __future__ import annotations

import argparse
import functools
import hashlib
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "src")]
from tests.tlnet import Tlnet, sty  # noqa: E402

from texmend.adapters.tree.installer import installed_packages  # noqa: E402
from texmend.adapters.tree.owned import Owned, Tree  # noqa: E402
from tlnet import complete  # noqa: E402

SYSTEM = [Path(p) for p in ("/usr/share/texlive", "/usr/share/texmf", "/var/lib/texmf", "/etc/texmf")]
DISTRIBUTION = Path("/usr/share/texlive/texmf-dist")
CHAIN = [f"texmendchain{n}" for n in "abcde"]


def document(packages: str = "", body: str = "Text.", cls: str = "article", more: str = "") -> str:
    loads = "".join(f"\\usepackage{p if p.startswith('[') else '{' + p + '}'}\n" for p in packages.split())
    return f"\\documentclass{cls if cls.startswith('[') else '{' + cls + '}'}\n{loads}{more}\\begin{{document}}\n{body}\n\\end{{document}}\n"


ACM = "\\title{A}\\author{B}\\affiliation{\\institution{I}\\city{C}\\country{D}}\\begin{abstract}Short.\\end{abstract}\\maketitle Text."
DOCUMENTS: dict[str, tuple[str, str, int]] = {
    # name: (text, what has to be listed afterwards, rounds at most)
    "one package": (document("booktabs", "\\begin{tabular}{l}\\toprule a\\\\\\bottomrule\\end{tabular}"), "booktabs", 1),
    "seven packages": (
        document("[most]{tcolorbox} siunitx cleveref", "\\section{A}\\label{a}\\begin{tcolorbox}See \\cref{a}: \\qty{3}{\\metre}.\\end{tcolorbox}"),
        "tcolorbox environ trimspaces pdfcol listings listingsutf8 siunitx cleveref", 4),
    "fifteen packages": (
        document(cls="[manuscript,nonacm]{acmart}", body=ACM),
        "acmart xstring totpages environ hyperxmp ifmtarg ncctools comment preprint xcolor microtype caption float", 4),
    "a class": (document(cls="elsarticle"), "elsarticle", 2),
    "a bibliography style": (document(body="\\cite{k}\\bibliographystyle{IEEEtran}\\bibliography{b}"), "ieeetran", 2),
    "a style of biblatex": (
        document("[style=apa]{biblatex}", "\\cite{k}\\printbibliography", more="\\addbibresource{b.bib}\n"), "biblatex biblatex-apa", 3),
    "a TikZ library": (document("tikz", "\\tikz\\draw (0,0)--(1,1);", more="\\usetikzlibrary{hobby}\n"), "pgf hobby", 3),
    "a language with its hyphenation": (document("[ngerman]{babel}"), "babel-german hyphen-german", 3),
    "a theme": (document(cls="beamer", body="\\begin{frame}x\\end{frame}", more="\\usetheme{Madrid}\n"), "beamer", 3),
    "metrics and Type 1": (document("wasysym", "\\smiley"), "wasysym wasy wasy-type1", 4),
    "Type 1 of T1 fonts": (document("[T1]{fontenc}"), "cm-super", 1),
    "OpenType by file name": (
        "% !TEX program = xelatex\n" + document("fontspec", more="\\setmainfont{FandolSong-Regular.otf}\n"), "fandol", 2),
    "OpenType by name, XeTeX": ("% !TEX program = xelatex\n" + document("fontspec", more="\\setmainfont{FandolFang}\n"), "fandol", 2),
    "OpenType by name, LuaTeX": ("% !TEX program = lualatex\n" + document("fontspec", more="\\setmainfont{FandolKai}\n"), "fandol", 2),
}  # fmt: skip
BIB = "@book{k, author={Ada Okafor}, title={T}, year={2020}, publisher={P}}\n"


class Checks:
    """Prints each check as it is made."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, what: str, good: bool, said: str = "") -> None:
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}{': ' if said else ''}{said}", flush=True)


class World:
    """A folder with a repository, a data folder and workspaces."""

    def __init__(self, out: Path, room: Path) -> None:
        self.repository, self.room, self.data = out / "tlnet", room, room / "data"

    def command(self, *words: str, data: Path | None = None, folder: Path | None = None) -> subprocess.Popen[bytes]:
        kept = {k: v for k, v in os.environ.items() if k != "TEXMEND_BENCH"}
        env = {**kept, "TEXMEND_DATA": str(data or self.data), "PYTHONPATH": str(ROOT / "src")}
        return subprocess.Popen([sys.executable, "-m", "texmend", *words, "--json"], env=env, cwd=folder or self.room,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)  # fmt: skip

    def texmend(self, *words: str, data: Path | None = None, folder: Path | None = None) -> dict[str, Any]:
        out, err = self.command(*words, data=data, folder=folder).communicate(timeout=900)
        assert b"Traceback" not in err, err.decode()
        return dict(json.loads(out))

    def workspace(self, name: str, text: str) -> Path:
        folder = self.room / name.replace(" ", "-")
        folder.mkdir(exist_ok=True)
        (folder / "main.tex").write_text(text)
        (folder / "b.bib").write_text(BIB)
        return folder

    def fix(self, name: str, text: str, data: Path) -> dict[str, Any]:
        return self.texmend("fix", "--no-model", "main.tex", data=data, folder=self.workspace(name, text))

    def copy(self) -> Path:
        """The tree as it was set up, for one check alone."""
        target = Path(tempfile.mkdtemp(dir=self.room)) / "data"
        subprocess.run(["cp", "-al", self.data, target], check=True)
        marker = target / "tex"
        for name in ("tlpkg", "texmf-var", "texmf-config", "texmf-dist/web2c", "texmf-dist/ls-R"):  # changed in place: real copies
            for place in marker.glob(f"0*/{name}"):
                aside = place.with_name(place.name + ".copy")
                (shutil.copytree if place.is_dir() else shutil.copy2)(
                    place, aside, **({"symlinks": True} if place.is_dir() else {})
                )
                (shutil.rmtree if place.is_dir() else Path.unlink)(place)
                aside.rename(place)
        return target


def tree_of(data: Path) -> Tree:
    tree = Owned(data / "tex").current()
    assert tree is not None
    return tree


def state(folders: Sequence[Path]) -> str:
    """A hash of names, kinds, sizes and times of everything below the folders."""
    h = hashlib.sha256()
    for root in folders:
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                stat = (Path(folder) / name).lstat()
                h.update(
                    f"{folder}/{name}\0{stat.st_mode}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode("utf-8", "surrogateescape")
                )
    return h.hexdigest()


def contents(data: Path) -> str:
    """A hash of the bytes of the tree in use, and which one it is; tlmgr's own log does not count."""
    h, folder = hashlib.sha256(), tree_of(data).folder
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "texmend-in-use" and p.suffix != ".log"):
        h.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return f"{folder.name} {h.hexdigest()}"


def _files(folder: str) -> dict[str, str | bytes]:
    return {str(p.relative_to(DISTRIBUTION)): p.read_bytes() for p in (DISTRIBUTION / folder).iterdir() if p.is_file()}


def _some_of_cm_super() -> dict[str, str | bytes]:
    """The real package is 60 MB; one font of it will do."""
    fonts = Path("/usr/share/texmf/fonts")
    lines = (fonts / "map/dvips/cm-super/cm-super-minimal-t1.map").read_text().splitlines(keepends=True)
    return {
        "fonts/map/dvips/cm-super/cm-super-t1.map": "".join(line for line in lines if line.startswith("ecrm1000 ")),
        "fonts/enc/dvips/cm-super/cm-super-t1.enc": (fonts / "enc/dvips/cm-super/cm-super-t1.enc").read_bytes(),
        "fonts/type1/public/cm-super/sfrm1000.pfb": (fonts / "type1/public/cm-super/sfrm1000.pfb").read_bytes(),
    }


def build(out: Path, shared: Path) -> None:
    """Tree and repository are in `out`, the repository with everything that setup needs."""
    if not (out / "complete").exists():
        subprocess.run([sys.executable, str(shared / "tools/make_tlnet.py"), str(out)], check=True)
        complete(out)
        (out / "complete").touch()
    tlnet = Tlnet(out / "tlnet")
    for name, following in zip(CHAIN, [*CHAIN[1:], ""], strict=True):
        tlnet.add(name, sty(name, *([following] if following else [])))
    tlnet.add("babel-german", _files("tex/generic/babel-german"))
    names = ("loadhyph/loadhyph-de-1996.tex", "patterns/tex/hyph-de-1996.tex", "patterns/ptex/hyph-de-1996.ec.tex")
    patterns = {f"tex/generic/hyph-utf8/{n}": (DISTRIBUTION / f"tex/generic/hyph-utf8/{n}").read_bytes() for n in names}
    how = "execute AddHyphen name=ngerman lefthyphenmin=2 righthyphenmin=2 file=loadhyph-de-1996.tex"
    tlnet.add("hyphen-german", patterns, lines=(how,))
    tlnet.add(
        "wasy-type1",
        _files("fonts/type1/public/wasy-type1") | _files("fonts/map/dvips/wasy-type1"),
        lines=("execute addMap wasy.map",),
    )
    tlnet.add("cm-super", _some_of_cm_super(), lines=("execute addMixedMap cm-super-t1.map",))
    tlnet.add("texmendtwinx", {"tex/latex/x/texmendtwin.sty": "x"})
    tlnet.add("texmendtwiny", {"tex/latex/y/texmendtwin.sty": "y"})
    tlnet.add("texmendbook", {"tex/latex/b/introduction.tex": "x"})
    tlnet.add("texmendbroken", sty("texmendbroken"))
    tlnet.add("texmendabsent", sty("texmendabsent"))
    tlnet.write()
    tlnet.container("texmendbroken").write_bytes(b"not what the database says")
    tlnet.container("texmendabsent").unlink()


def check_setup(world: World, check: Checks) -> None:
    started = time.monotonic()
    said = world.texmend("setup", "--repository", str(world.repository))
    tree = tree_of(world.data)
    size = int(subprocess.run(["du", "-sm", str(tree.folder)], capture_output=True, text=True, check=True).stdout.split()[0])
    check("setup from a folder", said["status"] == "verified", f"{said['detail']} ({size} MB, {time.monotonic() - started:.0f} s)")
    said = world.texmend("setup", "--scheme", "infraonly")
    check("a scheme without LaTeX is refused", said["stop_reason"] == "bad_option" and tree_of(world.data) == tree, said["detail"])
    check("setup again finds it there", "there already" in world.texmend("setup")["detail"])
    rows = {r["what"]: r["found"] for r in world.texmend("doctor")["findings"]}
    check(
        "doctor names it first, and the system's", "managed by texmend" in rows["TeX"] and "packages" in rows.get("another TeX", "")
    )


def check_documents(world: World, check: Checks) -> None:
    for name, (text, wanted, most) in DOCUMENTS.items():
        data = world.copy()
        before = set(installed_packages(tree_of(data).folder))
        said = world.fix(name, text, data)
        came = set(installed_packages(tree_of(data).folder)) - before
        rounds = [a["what"] for a in said["environment_actions"] if a["action"] == "installed"]
        missing = set(wanted.split()) - came - before
        good = said["status"] == "verified" and not missing and len(rounds) <= most
        extra = f", not there: {' '.join(sorted(missing))}" if missing else ""
        check(name, good, f"{said['stop_reason']}, {len(came)} packages in {len(rounds)} rounds, {said['seconds']:.1f} s{extra}"
              + ("" if good else f"; {said['detail'][:300]}; {rounds}"))  # fmt: skip
        if "hyphenation" in name:
            lists = (tree_of(data).folder / "texmf-var/tex/generic/config/language.dat").read_text()
            check(f"{name}: patterns are in the formats' list", "loadhyph-de-1996" in lists)
        shutil.rmtree(data.parent)


def check_refusals(world: World, check: Checks) -> None:
    data = world.copy()
    before = contents(data)
    cases = {
        "ambiguous_package": document("texmendtwin"), "package_not_found": document("texmendnobody"),
        "missing_asset": document(body="\\input{introduction}"), "install_failed": document("booktabs texmendbroken"),
    }  # fmt: skip
    for reason, text in {**cases, "install_failed ": document("texmendabsent")}.items():
        said = world.fix(reason, text, data)
        check(
            f"nothing is installed: {reason}",
            said["stop_reason"] == reason.strip() and contents(data) == before,
            said["detail"][:150],
        )
    said = world.fix("chain", document(CHAIN[0]), data)
    came = [c for c in CHAIN if c in installed_packages(tree_of(data).folder)]
    check("a fifth round is not begun", said["stop_reason"] == "recovery_cap" and came == CHAIN[:4], said["stop_reason"])
    (tree_of(data).folder / f"texmf-dist/tex/latex/{CHAIN[0]}/{CHAIN[0]}.sty").unlink()
    tree = tree_of(data)
    subprocess.run(
        [f"{tree.programs}/mktexlsr"],
        env={**os.environ, "PATH": f"{tree.programs}:{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )
    said = world.fix("excluded", document(CHAIN[0]), data)
    check("an installed package is excluded", said["stop_reason"] == "package_not_found" and not said["environment_actions"])


def check_two_at_once(world: World, check: Checks) -> None:
    data = world.copy()
    both = [world.command("fix", "--no-model", "main.tex", data=data, folder=world.workspace(f"at once {p}", document(p)))
            for p in ("booktabs", "siunitx")]  # fmt: skip
    reasons = [json.loads(p.communicate(timeout=600)[0])["stop_reason"] for p in both]
    listed = {"booktabs", "siunitx"} <= set(installed_packages(tree_of(data).folder))
    check("two sessions install at once, nothing is lost", reasons == ["verified"] * 2 and listed, " ".join(reasons))


def killed(process: subprocess.Popen[bytes], when: Callable[[], bool]) -> bool:
    """The process was killed at that moment; False if it had ended before."""
    while process.poll() is None and not when():
        time.sleep(0.001)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return alive


def check_killed(world: World, check: Checks) -> None:
    data = world.copy()
    before, copy = contents(data), data / "tex" / "000002" / "texmf-dist/tex/latex/booktabs"
    process = world.command(
        "fix", "--no-model", "main.tex", data=data, folder=world.workspace("killed", document("siunitx booktabs"))
    )
    alive = killed(process, lambda: copy.exists() or (data / "tex/000002/texmf-dist/tex/latex/siunitx").exists())
    check("killed half-way in an installation: the tree is as it was", alive and contents(data) == before)
    said = world.fix("killed", document("siunitx booktabs"), data)
    left = sorted(p.name for p in (data / "tex").iterdir() if p.name.isdecimal())
    check("the next run recovers", said["status"] == "verified" and len(left) == 1, f"{said['stop_reason']}, trees left: {left}")


class _Counting(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; counts the containers that are asked for, and can be told to fail."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        if self.path.startswith("/archive/"):
            self.asked.append(self.path)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


def check_network(world: World, check: Checks) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Counting, directory=str(world.repository)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url, data = f"http://127.0.0.1:{server.server_port}", world.room / "network" / "data"
    data.mkdir(parents=True)
    process = world.command("setup", "--scheme", "basic", "--repository", url, data=data)
    alive = killed(process, lambda: len(_Counting.asked) >= 4)
    first = set(_Counting.asked[:3])
    check("setup killed while it fetches: no tree is in use", alive and Owned(data / "tex").current() is None)
    _Counting.asked.clear()
    said = world.texmend("setup", "--scheme", "basic", "--repository", url, data=data)
    again = first & set(_Counting.asked)
    check(
        "the next setup goes on where it ended",
        said["status"] == "verified" and not again,
        f"{said['detail']}; fetched twice: {len(again)}",
    )
    server.shutdown()
    server.server_close()
    before = contents(data)
    said = world.fix("offline", document("booktabs"), data)
    check("offline: the tree is as it was", said["stop_reason"] == "offline" and contents(data) == before, said["detail"])


def check_update(world: World, check: Checks) -> None:
    data = world.copy()
    aside = world.room / "newer"
    subprocess.run(["cp", "-al", world.repository, aside], check=True)
    for path in [*(aside / "tlpkg").iterdir()]:
        path.unlink()
    shutil.copytree(world.repository / "tlpkg", aside / "tlpkg", dirs_exist_ok=True)
    tlnet = Tlnet(aside)
    tlnet.container("url").unlink()
    tlnet.add("url", {"tex/latex/url/url.sty": "\\ProvidesPackage{url}[2030/01/01 newer]\n"}, revision=70000)
    tlnet.write()
    said = world.texmend("setup", "--update", "--repository", str(aside), data=data)
    text = (tree_of(data).folder / "texmf-dist/tex/latex/url/url.sty").read_text()
    check("setup --update brings the newer package", said["status"] == "verified" and "2030" in text, said["detail"])
    old = (tree_of(world.data).folder / "texmf-dist/tex/latex/url/url.sty").read_text()
    check("and leaves the other tree alone", "2030" not in old)
    said = world.texmend("setup", "--remove", data=data)
    check("setup --remove", said["status"] == "verified" and not (data / "tex").exists())


def check_space_and_damage(world: World, check: Checks) -> None:
    aside, data = world.room / "huge", world.room / "space" / "data"
    data.mkdir(parents=True)
    tlnet = Tlnet(aside)
    tlnet.stanzas["scheme-small"] = "name scheme-small\ncategory Scheme\nrevision 1\ndepend latex-bin"
    tlnet.stanzas["latex-bin"] = "name latex-bin\ncategory TLCore\nrevision 1\nrunfiles size=99999999999\n texmf-dist/x"
    tlnet.stanzas["texlive.infra.x86_64-linux"] = "name texlive.infra.x86_64-linux\ncategory TLCore\nrevision 1"
    tlnet.write()
    said = world.texmend("setup", "--repository", str(aside), data=data)
    check("no space: said before anything is fetched", said["stop_reason"] == "resource_limit", said["detail"])
    (aside / "tlpkg/texlive.tlpdb.sha512").write_text("0" * 128)
    said = world.texmend("setup", "--repository", str(aside), data=data)
    check("a damaged database is refused", said["stop_reason"] == "install_failed", said["detail"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where tree and repository are, or will be")
    parser.add_argument("--only", default="", help="documents whose name contains this, and nothing else")
    options = parser.parse_args()
    shared = Path(os.environ.get("TEXMEND_BENCH", ROOT.parent / "shared"))
    if not (shared / "tools/make_tlnet.py").exists():
        print(f"bench: NOT RUN, NOTHING MEASURED: {shared}/tools/make_tlnet.py not found", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="texmend-environment-") as folder:
        out = (options.out or Path(folder) / "tlnet").absolute()
        build(out, shared)
        world, check = World(out, Path(folder)), Checks()
        before = state(SYSTEM)
        check_setup(world, check)
        if options.only:
            for name in [n for n in DOCUMENTS if options.only not in n]:
                del DOCUMENTS[name]
            check_documents(world, check)
        else:
            for part in (
                check_documents,
                check_refusals,
                check_two_at_once,
                check_killed,
                check_network,
                check_update,
                check_space_and_damage,
            ):
                part(world, check)
        check("the system's trees are as they were", state(SYSTEM) == before)
        print(f"{check.failed} failed" if check.failed else "all good")
        return min(check.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
