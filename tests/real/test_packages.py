"""Exact package recovery with the real tlmgr and a real repository: a tree of texmend's own on top of the system's engines."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.real.command import Said, texmend
from tests.tlnet import Tlnet, sty
from texmend.adapters.tree.installer import installed_packages
from texmend.adapters.tree.owned import Owned

pytestmark = pytest.mark.tex
CHAIN = [f"texmendchain{n}" for n in "abcde"]
FONTS = Path("/usr/share/texlive/texmf-dist/fonts")
SYSTEM = [Path(p) for p in ("/usr/share/texlive/texmf-dist", "/usr/share/texmf", "/var/lib/texmf", "/etc/texmf")]


def document(*packages: str, body: str = "Text.") -> str:
    loads = "".join(f"\\usepackage{{{p}}}\n" for p in packages)
    return f"\\documentclass{{article}}\n{loads}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def system_state() -> str:
    """A hash of the names, sizes and times of everything in the system's trees."""
    h = hashlib.sha256()
    for root in SYSTEM:
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                stat = (Path(folder) / name).lstat()
                h.update(f"{folder}/{name}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return h.hexdigest()


@pytest.fixture(scope="module")
def before() -> str:
    """The system's trees before anything was installed."""
    return system_state()


@pytest.fixture(scope="module")
def tlnet(tmp_path_factory: pytest.TempPathFactory) -> Tlnet:
    repository = Tlnet(tmp_path_factory.mktemp("tlnet"))
    for name, following in zip(CHAIN, [*CHAIN[1:], ""], strict=True):
        repository.add(name, sty(name, *([following] if following else [])))
    repository.add("texmendone", sty("texmendone"))
    repository.add("texmendtwo", sty("texmendtwo"))
    repository.add("texmendtwinx", {"tex/latex/x/texmendtwin.sty": "x"})
    repository.add("texmendtwiny", {"tex/latex/y/texmendtwin.sty": "y"})
    repository.add("latex-texmend-dev", {"tex/latex-dev/texmendone/texmendone.sty": "development"})
    repository.add(
        "texmendbundle",
        {"tex/latex/b/my-texmendone.sty": "", "tex/latex/b/texmendone.sty.bak": "", "tex/latex/b/texmend-introduction.tex": "x"},
    )
    font = {"tex/latex/texmendfont/texmendfont.sty": "\\font\\zz=texmendf10 \\def\\texmendfont{{\\zz a}}\n"}
    repository.add("texmendfont", font | {"fonts/tfm/t/texmendf10.tfm": (FONTS / "tfm/public/wasy/wasy10.tfm").read_bytes()})
    outlines = {
        "fonts/type1/t/texmendf10.pfb": (FONTS / "type1/public/wasy-type1/wasy10.pfb").read_bytes(),
        "fonts/map/dvips/t/texmendf.map": "texmendf10 wasy10 <texmendf10.pfb\n",
    }
    repository.add("texmendfont-type1", outlines, lines=("execute addMap texmendf.map",))
    repository.add("texmendbroken", sty("texmendbroken"))
    repository.add("texmendabsent", sty("texmendabsent"))
    repository.write()
    repository.container("texmendbroken").write_bytes(b"not what the database says")
    repository.container("texmendabsent").unlink()
    return repository


@pytest.fixture(scope="module")
def fresh(tlnet: Tlnet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("fresh") / "data"
    said = texmend(data.parent, "setup", "--user-tree", "--repository", str(tlnet.folder), data=data)
    assert said.report["status"] == "verified", said.report["detail"]
    return data


@pytest.fixture
def data(fresh: Path, tmp_path: Path) -> Iterator[Path]:
    """A data folder with an empty tree of its own."""
    shutil.copytree(fresh, tmp_path / "data", symlinks=True)
    yield tmp_path / "data"


@pytest.fixture
def fix(data: Path, tmp_path: Path) -> Callable[..., Said]:
    def run(text: str, **files: str) -> Said:
        folder = tmp_path / "ws"
        folder.mkdir(exist_ok=True)
        (folder / "main.tex").write_text(text)
        for name, content in files.items():
            (folder / name.replace("__", ".")).write_text(content)
        return texmend(folder, "fix", "--no-model", "main.tex", data=data)

    return run


def listed(data: Path) -> set[str]:
    tree = Owned(data / "tex").current()
    assert tree is not None
    return set(installed_packages(tree.folder))


def test_one_batch_brings_all_that_the_source_loads(before: str, fix: Callable[..., Said], data: Path) -> None:
    said = fix(document("texmendone", "texmendtwo"))
    assert said.report["status"] == "verified", said.report["detail"]
    assert [a["what"] for a in said.report["environment_actions"]] == ["texmendone, texmendtwo"]
    assert said.report["changes"] == []
    assert listed(data) == {"texmendone", "texmendtwo"}
    assert system_state() == before
    # a package that is installed is not installed again, even when its file is gone
    tree = Owned(data / "tex").current()
    assert tree is not None
    (tree.folder / "tex/latex/texmendone/texmendone.sty").unlink()
    said = fix(document("texmendone"))
    assert (said.report["stop_reason"], said.report["environment_actions"]) == ("package_not_found", [])


def test_a_fifth_round_is_not_begun(fix: Callable[..., Said], data: Path) -> None:
    said = fix(document(CHAIN[0]))
    assert (said.report["status"], said.report["stop_reason"]) == ("stopped", "recovery_cap")
    assert listed(data) == set(CHAIN[:4])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (document("texmendtwin"), "ambiguous_package"),
        (document("texmendnobody"), "package_not_found"),
        (document("texmendabsent"), "install_failed"),
        (document(body="\\input{texmend-introduction}"), "missing_asset"),
    ],
)
def test_nothing_is_installed(fix: Callable[..., Said], data: Path, text: str, reason: str) -> None:
    before = Owned(data / "tex").current()
    said = fix(text)
    assert (said.report["status"], said.report["stop_reason"]) == ("stopped", reason), said.report["detail"]
    if reason == "ambiguous_package":
        assert "texmendtwinx, texmendtwiny" in said.report["detail"]
    assert Owned(data / "tex").current() == before
    assert listed(data) == set()
    assert sorted(p.name for p in (data / "tex").iterdir()) == ["000001", "lock", "now"]


def test_one_bad_container_leaves_the_tree_as_it_was(fix: Callable[..., Said], data: Path) -> None:
    said = fix(document("texmendone", "texmendbroken"))
    assert said.report["stop_reason"] == "install_failed"
    assert listed(data) == set()


def test_a_font_comes_with_its_outlines_and_its_map(before: str, fix: Callable[..., Said], data: Path) -> None:
    said = fix(document("texmendfont", body="\\texmendfont"))
    assert said.report["status"] == "verified", said.report["detail"]
    assert listed(data) == {"texmendfont", "texmendfont-type1"}
    assert system_state() == before


def start(folder: Path, data: Path, text: str) -> subprocess.Popen[bytes]:
    folder.mkdir()
    (folder / "main.tex").write_text(text)
    command = [sys.executable, "-m", "texmend", "fix", "--no-model", "--json", "main.tex"]
    env = {**os.environ, "TEXMEND_DATA": str(data)}
    return subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )


def test_two_sessions_at_once_lose_nothing(data: Path, tmp_path: Path) -> None:
    both = [start(tmp_path / name, data, document(name)) for name in ("texmendone", "texmendtwo")]
    assert [b'"stop_reason": "verified"' in p.communicate(timeout=120)[0] for p in both] == [True, True]
    assert listed(data) == {"texmendone", "texmendtwo"}


def test_killed_in_the_middle_of_an_installation(data: Path, tmp_path: Path, fix: Callable[..., Said]) -> None:
    """Killed when the copy of the tree appears, before tlmgr has ended: the tree is as it was, and the next run is not hindered."""
    running = start(tmp_path / "first", data, document("texmendone", "texmendtwo"))
    copy = data / "tex" / "000002"
    while not copy.exists() and running.poll() is None:
        time.sleep(0.002)
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=60)
    assert copy.exists()
    tree = Owned(data / "tex").current()
    assert tree is not None and tree.folder.name == "000001" and listed(data) == set()
    said = fix(document("texmendone"))
    assert said.report["status"] == "verified"
    assert listed(data) == {"texmendone"}
    assert sorted(p.name for p in (data / "tex").iterdir() if p.name.isdecimal()) == ["000002"]


def test_packages_of_another_year_are_left_out(data: Path, tmp_path: Path) -> None:
    """The system's TeX was replaced by a newer one since."""
    marker = data / "tex/now/texmend-tree.json"
    marker.write_text(marker.read_text().replace('"release": "20', '"release": "19'))
    (tmp_path / "main.tex").write_text(document())
    said = texmend(tmp_path, "check", "main.tex", data=data)
    assert said.report["status"] == "verified"
    assert any("left out" in n for n in said.report["notes"])


def test_another_year_is_refused(tmp_path: Path) -> None:
    repository = Tlnet(tmp_path / "old", year="2019")
    said = texmend(tmp_path, "setup", "--user-tree", "--repository", str(repository.write()), data=tmp_path / "data")
    assert (said.code, said.report["stop_reason"]) == (1, "install_failed")
    assert "same year" in said.report["detail"]
    assert Owned(tmp_path / "data" / "tex").current() is None
