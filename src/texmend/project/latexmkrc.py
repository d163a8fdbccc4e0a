"""A latexmkrc read as text: hints for engine and root, and the settings that are not obeyed. It is never run.

Meaning of the settings: latexmk's own manual, "List of configuration variables". Of two files in one folder latexmk reads
`latexmkrc` before `.latexmkrc`, and only the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from texmend.model.document import Engine
from texmend.ports import Files
from texmend.project.texts import readable

NAMES = ("latexmkrc", ".latexmkrc")
_LIMIT = 256 << 10
_MODES = {"1": Engine.PDFLATEX, "2": Engine.LATEX, "3": Engine.UPLATEX, "4": Engine.LUALATEX, "5": Engine.XELATEX}
_COMMANDS = {1: "pdflatex", 2: "latex", 3: "latex", 4: "lualatex", 5: "xelatex"}
_SCALAR = re.compile(r"^\s*(?:our\s+|my\s+)?\$([A-Za-z_]\w*)\s*=\s*([^\r\n]*?)\s*;?\s*$", re.MULTILINE)
_LIST = re.compile(r"^\s*(?:our\s+)?@default_files\s*=\s*\(([^)]{0,4000})\)", re.MULTILINE)
_QUOTED = re.compile(r"'([^'\r\n]{1,400})'|\"([^\"\r\n]{1,400})\"")
_STATEMENT = re.compile(r"[^\r\n]{1,4000}")
_NAME_OF = re.compile(r"\s*(?:our\s+|my\s+)?([$@%]\w+(?:\{[^}]{0,60}\}|\[[^\]]{0,60}\])?)|\s*(sub\s+\w+|\w+)")
_HONOURED = frozenset(("$pdf_mode", "@default_files", "$bibtex_use", "$silent", "$quiet", "$pvc_view_file_via_temporary"))
_ENGINE_WORDS = (
    (re.compile(r"\b(?:uplatex|platex|ptex2pdf|uptex|e-?uptex)\b"), Engine.UPLATEX),
    (re.compile(r"\b(?:xelatex|xetex)\b"), Engine.XELATEX),
    (re.compile(r"\b(?:lualatex|luatex|luahblatex|luahbtex)\b"), Engine.LUALATEX),
    (re.compile(r"\b(?:pdflatex|pdftex)\b"), Engine.PDFLATEX),
    (re.compile(r"(?<![\w-])latex\b"), Engine.LATEX),
)


@dataclass(frozen=True, slots=True)
class Hints:
    """What a latexmkrc says; empty if there is none."""

    path: str = ""
    engine: Engine | None = None
    engine_why: str = ""
    default_files: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    """The names of the settings that are not obeyed, each once, in order: the user is told."""

    @property
    def note(self) -> str:
        """One sentence for the user; empty if there is no such file."""
        if not self.path:
            return ""
        rest = f"; not obeyed: {', '.join(self.ignored[:12])}" if self.ignored else ""
        return f"{self.path} was read as text and never run{rest}"


def find_hints(files: Files, folder: str) -> Hints:
    """The hints of the latexmkrc in the folder, else of the one in the workspace's own folder."""
    for place in dict.fromkeys((folder, "")):
        for name in NAMES:
            path = f"{place}/{name}" if place else name
            if (data := files.read(path, _LIMIT)) is not None:
                return read_hints(path, readable(data))
    return Hints()


def read_hints(path: str, text: str) -> Hints:
    """The hints of a latexmkrc's text; settings that are made in other ways than by a plain value are ignored."""
    plain = "\n".join(_without_comment(line) for line in re.split(r"\r\n|\r|\n", text))
    scalars = {m[1]: m[2] for m in _SCALAR.finditer(plain)}
    mode = scalars.get("pdf_mode", "").strip("'\" ")
    engine, why = _engine(mode, scalars)
    listed = _LIST.search(plain)
    defaults = tuple(a or b for a, b in _QUOTED.findall(listed[1])) if listed else ()
    return Hints(path, engine, f"{path}: {why}" if why else "", defaults, _ignored(plain))


def _without_comment(line: str) -> str:
    """The line up to a comment sign that stands at its start or after a blank, outside quotes."""
    quote = ""
    for i, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "#" and (i == 0 or line[i - 1] in " \t;"):
            return line[:i]
    return line


def _engine(mode: str, scalars: dict[str, str]) -> tuple[Engine | None, str]:
    """The engine: the program that the command of this mode starts, else what the mode stands for."""
    if mode not in _MODES:
        commands = [c for c in ("pdflatex", "xelatex", "lualatex", "latex") if c in scalars]
        foreign = [(c, e) for c in commands if (e := _program(scalars[c])) is not None and e.value != c]
        return (foreign[0][1], f"${foreign[0][0]} starts {foreign[0][1]}") if len(foreign) == 1 and not mode else (None, "")
    command = _COMMANDS[int(mode)]
    if command in scalars and (program := _program(scalars[command])) is not None and program.value != command:
        return program, f"$pdf_mode = {mode} and ${command} starts {program}"
    if mode == "3":  # latex and dvipdf: the plain engine unless the command says otherwise
        return Engine.LATEX, "$pdf_mode = 3"
    return _MODES[mode], f"$pdf_mode = {mode}"


def _program(value: str) -> Engine | None:
    return next((engine for pattern, engine in _ENGINE_WORDS if pattern.search(value)), None)


def _ignored(plain: str) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for line in _STATEMENT.findall(plain):
        if line.strip() in ("", "1;", "{", "}", "};", ");") or not (m := _NAME_OF.match(line)):
            continue
        name = m[1] or m[2]
        if name not in _HONOURED and not re.fullmatch(r"else|elsif|if|return|my|our|use", name):
            names.setdefault(name)
    return tuple(names)[:40]
