"""`doctor`: what texmend finds on this machine, one row for each thing that it can use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from texmend.adapters.jail.process import run
from texmend.adapters.jail.sandbox import Rung, probe
from texmend.adapters.records.sessions import default_data_dir
from texmend.model.document import Engine
from texmend.model.errors import ModelUnavailable, UsageError
from texmend.model.report import Finding
from texmend.ports import ModelRequest
from texmend.settings import Settings

_WORDS = 16
"""Tokens that an answer to `doctor` may have: enough for a word, and for a thinking model to be cut off, which is an answer too."""
_PATIENCE = 60.0
"""Seconds for that answer; a model on this machine is loaded in them."""
_TOOLS = {
    "bibtex": "bibliographies",
    "biber": "bibliographies made with biblatex",
    "makeindex": "indexes and glossaries",
    "dvipdfmx": "uplatex documents",
    "dvips": "latex documents",
    "gs": "EPS figures and PostScript",
    "kpsewhich": "looking into the TeX tree",
}


def doctor(settings: Settings) -> Sequence[Finding]:
    """A finding for the distribution, every engine and tool, the sandbox, the data folder and the model."""
    return [_distribution(), *_engines(), *_tools(), _sandbox(), _data(), _model(settings)]


def _distribution() -> Finding:
    program = shutil.which("kpsewhich")
    if program is None:
        return Finding("TeX", "none found", False, "install TeX Live (Debian: apt install texlive-latex-extra texlive-xetex)")
    version = _first_line(("kpsewhich", "--version"))
    tree = _first_line(("kpsewhich", "-var-value=TEXMFDIST"))
    return Finding("TeX", f"{version}, {tree}; not managed by texmend, never changed", True)


def _engines() -> Iterator[Finding]:
    for engine in Engine:
        found = shutil.which(engine)
        yield Finding(engine, found or "not found", found is not None, "" if found else "documents that need it stop")


def _tools() -> Iterator[Finding]:
    for tool, purpose in _TOOLS.items():
        found = shutil.which(tool)
        yield Finding(tool, found or "not found", found is not None, "" if found else f"needed for {purpose}")


def _sandbox() -> Finding:
    rung = probe().rung
    advice = "" if rung is not Rung.NONE else "install bubblewrap, or build only documents that you trust"
    return Finding("sandbox", str(rung), rung is not Rung.NONE, advice)


def _data() -> Finding:
    folder = default_data_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        return Finding("data folder", f"{folder}: {e.strerror}", False, "TEXMEND_DATA names another")
    return Finding("data folder", str(folder), True)


def _model(settings: Settings) -> Finding:
    """The model is really asked, with a question of a few tokens: only an answer shows that name, key and address are right."""
    if settings.model in (None, "none"):
        return Finding("model", "none (rules only)", True, "")
    from texmend.app.models import open_client

    try:
        client = open_client(str(settings.model))
    except UsageError as e:
        return Finding("model", str(e), False, "correct the name (--model, TEXMEND_MODEL, or your configuration)")
    try:
        answer = client.ask(ModelRequest("You are asked whether you work.", "Answer with the word: ready", _WORDS, _PATIENCE))
    except ModelUnavailable as e:
        return Finding(
            "model", str(e), False, "docs/models.md explains each of these lines; without a model texmend repairs by rules"
        )
    finally:
        client.close()
    spent = f"{answer.input_tokens} + {answer.output_tokens} tokens, {answer.seconds:.1f} s"
    return Finding("model", f"{client.name} answers ({spent})", True)


def _first_line(argv: tuple[str, ...]) -> str:
    finished = run(argv, cwd=Path.cwd(), env={"PATH": os.environ.get("PATH", "")}, timeout=10)
    return finished.stdout.decode(errors="replace").splitlines()[0].strip() if finished.stdout else "?"
