"""`doctor`: what texmend finds on this machine, one row for each thing that it can use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from texmend.adapters.builds.tectonic import fault
from texmend.adapters.jail.sandbox import Rung, probe
from texmend.adapters.records.sessions import default_data_dir
from texmend.adapters.tree.distribution import Distribution, Owner, distributions, in_container
from texmend.adapters.tree.owned import Owned, Tree
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
    """A finding for every distribution, engine and tool, the sandbox, the data folder and the model."""
    own = Owned(default_data_dir() / "tex").current()
    first = own.programs if own and not own.fault and settings.tex != "system" else None
    path = os.pathsep.join(filter(None, (str(first or ""), os.environ.get("PATH", os.defpath))))
    found = distributions({**os.environ, "PATH": path}, own)
    return [*_distributions(found), _own(own, first), *_engines(path, found), *_tools(path), _sandbox(), _data(), _model(settings)]


def _distributions(found: Sequence[Distribution]) -> Iterator[Finding]:
    """The one that builds documents, then those that it hides."""
    if not found:
        yield Finding(
            "TeX", "none found", False, "texmend setup installs one of its own (or, on Debian, apt install texlive-latex-extra)"
        )
    for n, one in enumerate(found):
        yield Finding("TeX" if n == 0 else "another TeX", _described(one), not one.faults, _advice(one, n))


def _described(one: Distribution) -> str:
    package = f" ({one.package})" if one.package else ""
    change = "" if one.owner is Owner.TEXMEND else "; never changed by texmend"
    faults = "".join(f"; {fault}" for fault in one.faults)
    container = ", in a container" if in_container() and one.owner is not Owner.TEXMEND else ""
    return f"{one.name}, managed by {one.owner}{package}{container}, {one.programs}{faults}{change}"


def _advice(one: Distribution, n: int) -> str:
    if one.faults and "format" in one.faults[0]:
        return "fmtutil-sys --all builds the formats; texmend setup installs a TeX of its own"
    if one.faults:
        return "install it again, or let texmend setup install a TeX of its own"
    return "used only for programs that the first one lacks" if n else ""


def _own(own: Tree | None, used: Path | None) -> Finding:
    """What `texmend setup` has made."""
    what = "texmend's own"
    if own is None:
        return Finding(what, "not set up", True, "texmend setup installs one, in which missing packages may be installed")
    if own.fault:
        return Finding(what, f"{own.folder}: {own.fault}", False, "texmend setup makes it anew")
    if own.programs is None:
        return Finding(what, f"a tree of packages on top of TeX Live {own.marker.release}, {own.folder}", True)
    unused = "" if used else "; not used (tex = system)"
    return Finding(what, f"TeX Live {own.marker.release}, scheme {own.marker.scheme}, {own.folder}{unused}", True)


def _engines(path: str, distributions: Sequence[Distribution]) -> Iterator[Finding]:
    faulty = {one.programs for one in distributions if one.faults}
    for engine in Engine:
        found = shutil.which(engine, path=path)
        if engine is Engine.TECTONIC:
            yield _tectonic(found)
            continue
        if found and Path(found).parent in faulty:
            yield Finding(engine, f"{found}, of a TeX with a fault (see above)", False, "documents that need it may stop")
            continue
        yield Finding(engine, found or "not found", found is not None, "" if found else "documents that need it stop")


def _tectonic(found: str | None) -> Finding:
    """Never needed: only documents and users that ask for it get it."""
    if found is None:
        return Finding(Engine.TECTONIC, "not found (not needed)", True)
    why = fault(found, os.environ)
    return Finding(
        Engine.TECTONIC,
        f"{found}{f' does not start: {why}' if why else ''}",
        not why,
        "xelatex builds the same documents" if why else "",
    )


def _tools(path: str) -> Iterator[Finding]:
    for tool, purpose in _TOOLS.items():
        found = shutil.which(tool, path=path)
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
