"""The benchmark's own verdict on a repair. Nothing that the repairer says is believed: the result is built anew by latexmk or
the plain engine, outside of texmend, and held against the right repair, built the same way.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120
LIKE = {"source": 0.95, "mutation": 0.98}
"""Least likeness of the page text to that of the right repair (the scorers beside the cases say the same)."""
_LATEXMK = {"pdflatex": ["-pdf"], "xelatex": ["-xelatex"], "lualatex": ["-lualatex"], "latex": ["-pdfps"],
            "uplatex": ["-pdfdvi", "-latex=uplatex %O %S", "-e", "$dvipdf='dvipdfmx %O -o %D %S'"]}  # fmt: skip
_TOKENS = re.compile(r"[^\W\d_]{2,}|\d+")


@dataclass(frozen=True)
class Built:
    ok: bool
    first: str
    """The first error, or how it ended."""
    words: tuple[str, ...]
    """The text of its pages."""
    absent: int
    """Glyphs that a font lacks."""


@dataclass(frozen=True)
class Verdict:
    builds: bool
    faithful: bool
    exact: bool
    lost: tuple[str, ...]
    likeness: float
    left: str


def build(folder: Path, root: str, engine: str, plain: bool) -> Built:
    """What a fresh build of this folder gives; its earlier PDF and log are gone before."""
    place = (folder / root).parent
    stem = Path(root).stem
    for suffix in (".pdf", ".log", ".aux"):
        (place / (stem + suffix)).unlink(missing_ok=True)
    alone = [engine, "-interaction=nonstopmode", "-no-shell-escape", Path(root).name]
    commands = [alone, alone] if plain else [["latexmk", "-norc", *_LATEXMK[engine], "-interaction=nonstopmode", Path(root).name]]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"}  # documents that print the time say the same
    code = 0
    for command in commands:
        try:
            code = subprocess.run(
                command, cwd=place, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            return Built(False, "timeout", (), 0)
        if code:
            break
    log, pdf = place / f"{stem}.log", place / f"{stem}.pdf"
    text = log.read_text(errors="replace") if log.exists() else ""
    first = next((line for line in text.splitlines() if line.startswith("!")), "")
    ok = code == 0 and not first and pdf.exists() and pdf.stat().st_size > 500
    absent = sum(line.startswith("Missing character") and "nullfont" not in line for line in text.splitlines())
    return Built(ok, first or f"exit {code}", _words(pdf) if ok else (), absent)


def _words(pdf: Path) -> tuple[str, ...]:
    done = subprocess.run(["pdftotext", "-q", str(pdf), "-"], capture_output=True, timeout=60, check=False)
    return tuple(done.stdout.decode(errors="replace").split())


def judge(case: dict[str, object], broken: Path, truth: Path, result: Path, engine: str) -> Verdict:
    """What one result is worth.

    Args:
        engine: that of the repairer's result; changing it is a legitimate repair.
    """
    root, kind = str(case["root"]), str(case["set"])
    plain = kind != "source"
    right = build(truth, root, str(case.get("engine_fixed") or case["engine"]), plain)
    got = build(result, root, engine, plain)
    texts = [_source(folder, root) for folder in (broken, truth, result)]
    lost = _lost(*texts)
    squeezed = re.sub(r"\s+", "", " ".join(got.words))
    if kind == "source":  # the cases say what must stand on the pages; a right repair may well change words of the source
        keep = case.get("keep_in_pdf")
        lost = [k for k in keep if re.sub(r"\s+", "", k) not in squeezed] if isinstance(keep, list) and got.ok else []
    like = difflib.SequenceMatcher(None, right.words, got.words, autojunk=False).ratio() if got.ok else 0.0
    if "truncated" in str(case["cls"]):  # what was cut off is gone for good, and the torn last words with it
        like, lost = float(got.ok), lost if len(lost) > 3 else []
    builds = got.ok and got.absent <= right.absent
    faithful = builds and like >= LIKE["source" if kind == "source" else "mutation"] and not lost
    exact = [re.sub(r"\s+", " ", t).strip() for t in texts[1:]]
    left = "" if builds else "glyphs are missing" if got.ok else got.first
    return Verdict(builds, faithful, exact[0] == exact[1], tuple(lost[:5]), round(like, 4), left)


def _source(folder: Path, root: str) -> str:
    return (folder / root).read_text(errors="replace")


def _lost(broken: str, truth: str, result: str) -> list[str]:
    """Words and numbers of both the broken source and the truth that the result has no more."""
    b, t, r = (Counter(_TOKENS.findall(x)) for x in (broken, truth, result))
    return sorted(((b & t) - r).elements())
