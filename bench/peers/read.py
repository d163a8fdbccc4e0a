"""Reads logs with one peer; runs in the peers' own environment, so it imports nothing of texmend.

    python read.py PEER < JOBS > ENTRIES

JOBS is a JSON list of {"key", "log", "out", "blg", "src", "root", "exit"}; ENTRIES maps each key to
[{"level", "file", "line", "msg"}]. A peer is fed what it is made for: the log, or the terminal output (texfot, latexmk), and
the .blg where it has a reader for it. A peer that gives no line, but the text of the message, gets the number of its `l.N`.
"""

from __future__ import annotations
import __future__

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import typing
from pathlib import Path

Job = dict
Entry = dict
HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "peers"
DEBIAN = BUILD / "debian"
PLACED = re.compile(r"^(\.{0,2}/?[^\s:][^:\n]*\.\w+):(\d+): (.*)$")
NUMBERED = re.compile(r"^l\.(\d+)", re.M)


def entry(level: str, file: object, line: object, msg: object) -> Entry:
    return {"level": level, "file": str(file) if file else None, "line": int(line) if line else None, "msg": str(msg)}


def relative(file: object, job: Job) -> str | None:
    """The file as the log names it: peers that resolve names give absolute ones."""
    if not file:
        return None
    name = str(file)
    return os.path.relpath(name, job["src"]) if name.startswith(job["src"]) else name


def text_of(path: str | None) -> str:
    return Path(path).read_bytes().decode("utf-8", "replace") if path and Path(path).is_file() else ""


def ktex(job: Job) -> list[Entry]:
    from ktex import logcheck

    os.chdir(job["src"])
    logcheck.set_root(job["src"])
    with tempfile.TemporaryDirectory() as tmp:
        for suffix, name in ((".log", job["log"]), (".blg", job["blg"])):
            if name and Path(name).is_file():
                shutil.copyfile(name, f"{tmp}/main{suffix}")
        if not Path(f"{tmp}/main.log").exists():
            return []
        Path(f"{tmp}/main.blg").touch()
        found = logcheck.analyze(f"{tmp}/main")
    return [entry("error" if e.kind == "error" else "warning", e.file, e.line, f"{e.msg} {e.ctx or ''}") for e in found]


def pytexmk(job: Job) -> list[Entry]:
    from pytexmk import log_parser

    found = log_parser.LatexLogParser().parse(text_of(job["log"]), root_file=f"{job['src']}/{job['root']}")
    if blg := text_of(job["blg"]):
        reader = log_parser.BiberLogParser if "INFO - " in blg else log_parser.BibTeXLogParser
        found = [*found, *reader().parse(blg, f"{job['src']}/{job['root']}")]
    return [
        entry(
            "error" if e["type"] == log_parser.LogType.ERROR else "warning", relative(e.get("file"), job), e.get("line"), e["text"]
        )
        for e in found
    ]


def pytexlogs(job: Job) -> list[Entry]:
    easy = importlib.import_module("pytexlogs.easy")
    root = f"{job['src']}/{job['root']}"
    found = list(easy.parse_log_file(job["log"], root_file=root).entries) if Path(job["log"]).is_file() else []
    if blg := text_of(job["blg"]):
        engine = "biber" if "INFO - " in blg else "bibtex"
        found += easy.parse_log_file(job["blg"], engine=engine, root_file=root).entries
    return [
        entry("error" if e.level.value == "error" else "warning", relative(e.file, job), e.line, f"{e.text} {e.error_pos_text}")
        for e in found
    ]


def texoutparse(job: Job) -> list[Entry]:
    from texoutparse import LatexLogParser

    reader = LatexLogParser(context_lines=8)
    reader.process(text_of(job["log"]).splitlines())
    out = []
    for level, messages in (("error", reader.errors), ("warning", reader.warnings)):
        for m in messages:
            text = "\n".join(m.context_lines)
            number = NUMBERED.search(text)
            out.append(entry(level, None, number[1] if number else None, f"{m.info.get('message') or ''} {text}"))
    return out


def texmini(job: Job) -> list[Entry]:
    from texmini.project import tex_log_requirements
    from texmini.reporting import document_warnings, primary_latex_error

    if not Path(job["log"]).is_file():
        return []
    missing, _ = tex_log_requirements(Path(job["log"]))
    first = primary_latex_error(Path(job["log"]), job["root"], list(missing))
    out = [entry("error", first.file, first.line, first.message)] if first else []
    return [*out, *(entry("warning", None, None, w) for w in document_warnings(Path(job["log"])))]


def rubber(job: Job) -> list[Entry]:
    sys.path.insert(0, str(DEBIAN / "usr/lib/python3/dist-packages"))
    from rubber.converters.latex import LogCheck

    reader = LogCheck()
    if not Path(job["log"]).is_file() or not reader.readlog(job["log"], Path(job["log"]).stat().st_size):
        return []
    found = list(reader.parse(errors=1, refs=1, warnings=1))
    return [
        entry("warning" if d["kind"] == "warning" else "error", relative(d.get("file"), job), d.get("line"), d.get("text", ""))
        for d in found
    ]


def texfot(job: Job) -> list[Entry]:
    script = DEBIAN / "usr/share/texlive/texmf-dist/scripts/texfot/texfot.pl"
    with tempfile.TemporaryDirectory() as tmp:
        command = ["perl", str(script), f"--tee={tmp}/tee", "cat", job["out"]]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return lines_of(done.stdout.decode("utf-8", "replace"))


def lines_of(text: str) -> list[Entry]:
    """The messages in what a filter lets through."""
    out: list[Entry] = []
    for line in text.splitlines():
        placed, number = PLACED.match(line), NUMBERED.match(line)
        if placed:
            out.append(entry("error", placed[1], placed[2], placed[3]))
        elif number and out and out[-1]["line"] is None:
            out[-1].update(line=int(number[1]), msg=f"{out[-1]['msg']}\n{line}")
        elif line.startswith("!"):
            out.append(entry("error", None, None, line[1:].strip()))
        elif "arning" in line:
            out.append(entry("warning", None, None, line))
        elif out:
            out[-1]["msg"] += "\n" + line
    return out


def latexmk(job: Job) -> list[Entry]:
    """latexmk with an engine that leaves the log and the output of the real one: what it then says itself is its summary."""
    with tempfile.TemporaryDirectory() as tmp:
        shutil.copytree(job["src"], f"{tmp}/src")
        stem = Path(job["root"]).stem
        engine = Path(tmp) / "engine"
        log = f"cp '{job['log']}' {stem}.log\n" if Path(job["log"]).is_file() else ""
        engine.write_text(f"#!/bin/sh\n{log}exit {job['exit']}\n")
        engine.chmod(0o755)
        command = ["latexmk", "-norc", "-pdf", "-f-", "-e", f"$pdflatex = '{engine} %S'", job["root"]]
        done = subprocess.run(command, cwd=f"{tmp}/src", stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    return lines_of(re.sub(r"^(?:Latexmk: |  +)", "", said, flags=re.M))


READERS = {
    "ktex": ktex,
    "latexmk": latexmk,
    "pytexlogs": pytexlogs,
    "pytexmk": pytexmk,
    "rubber": rubber,
    "texfot": texfot,
    "texmini": texmini,
    "texoutparse": texoutparse,
}
ABSENT = {
    "compytex": "asks for Python 3.13, and its log reader uses syntax of 3.12",
    "texlogparser": "a Ruby program; not on the package index",
    "pplatex, texlab": "not on the registries that this benchmark installs from",
    "Overleaf, LaTeX Workshop": "parts of editors, in JavaScript; not on the registries that this benchmark installs from",
}
"""Known readers that do not run here, and why."""


class _Bridge(importlib.machinery.SourceFileLoader):
    """Modules written for a Python that evaluates annotations late."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)  # never the bytecode that the installer made
        return compile(self.get_data(path), path, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)


def bridge() -> None:
    """pytexlogs can be imported by an earlier Python than it asks for."""
    import typing_extensions

    for name in ("override",):
        if not hasattr(typing, name):
            setattr(typing, name, getattr(typing_extensions, name))
    hook = importlib.machinery.FileFinder.path_hook((_Bridge, [".py"]))
    sys.path_hooks.insert(0, lambda path: hook(path) if "/pytexlogs" in path else (_ for _ in ()).throw(ImportError()))
    spec = importlib.util.find_spec("pytexlogs")
    assert spec and spec.origin
    package = importlib.util.spec_from_loader("pytexlogs", _Bridge("pytexlogs", spec.origin), origin=spec.origin)
    assert package and package.loader
    package.submodule_search_locations = list(spec.submodule_search_locations or ())
    made: types.ModuleType = importlib.util.module_from_spec(package)
    sys.modules["pytexlogs"] = made
    package.loader.exec_module(made)


def main() -> None:
    """Every job is read; a log on which the peer fails has no entries, and the failure is on standard error."""
    peer = sys.argv[1]
    if peer == "pytexlogs":
        bridge()
    answers = {}
    out = os.dup(1)
    os.dup2(2, 1)  # some print while they read
    for job in json.load(sys.stdin):
        try:
            answers[job["key"]] = READERS[peer](job)
        except Exception as e:
            print(f"{peer} failed on {job['key']}: {type(e).__name__}: {e}", file=sys.stderr)
            answers[job["key"]] = []
    os.write(out, json.dumps(answers).encode())


if __name__ == "__main__":
    main()
