r"""A file named as another machine names it: with backslashes, a drive letter, or the folders of somebody's home.

The name is corrected where its end, after the last folders that do not exist here, is a file of the project.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.text import masked

_TEX, _FIGURE = (".tex", ""), ("", ".pdf", ".png", ".jpg", ".jpeg", ".eps", ".mps", ".svg")
_SUFFIXES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("input", "include", "subfile", "subfileinclude", "InputIfFileExists"), _TEX),
    **dict.fromkeys(("loadglsentries", "includestandalone"), _TEX),
    **dict.fromkeys(("includegraphics", "includepdf", "includesvg", "epsfbox"), _FIGURE),
    **dict.fromkeys(("bibliography", "addbibresource", "addglobalbib"), ("", ".bib")),
    **dict.fromkeys(("lstinputlisting", "verbatiminput", "VerbatimInput", "inputminted", "pgfplotstableread", "csvreader"), ("",)),
    **dict.fromkeys(("usepackage", "RequirePackage"), (".sty",)),
    **dict.fromkeys(("documentclass", "LoadClass"), (".cls",)),
    "bibliographystyle": (".bst",),
}  # fmt: skip
_NAMES = re.compile(
    r"\\(" + "|".join(_SUFFIXES) + r")\*?(?:\s*\[[^\[\]]*\])*\s*(?:\{\w+\}\s*(?=\{[^{}]*[/\\]))?\{([^{}\r\n]*[/\\][^{}\r\n]*)\}"
)
_BARE = re.compile(r"\\(input)[ \t]+([^\s{}%]*[/\\][^\s{}%]*)")
_FOLDERS = re.compile(r"\\(?:graphicspath|svgpath)\s*\{((?:\s*\{[^{}\r\n]*\}\s*)+)\}")
_ONE_FOLDER = re.compile(r"\{([^{}]*)\}")
_ROOTED = re.compile(r"^(?:file:/{0,2})?(?:[A-Za-z]:|/|~)")
_PLAIN = re.compile(r"[\w .,:()+~@=/\\-]+")


def _propose(scene: Scene) -> Iterator[Fix]:
    files = tuple(scene.lookup.project_files())
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene, path, files)]
    if edits:
        yield Fix(tuple(edits), "the path is written for another machine; this is the project's own file of that name")


def _in_text(scene: Scene, path: str, files: Sequence[str]) -> Iterator[Edit]:
    mask = masked(scene.document.text(path) or "")
    if "\\" not in mask:
        return
    folder = posixpath.dirname(scene.document.root.path)
    for m in (*_NAMES.finditer(mask), *_BARE.finditer(mask)):
        for item in re.compile(r"[^,]+").finditer(mask, *m.span(2)):
            name = item.group().strip()
            new = _here(name, files, folder, _SUFFIXES[m[1]]) if _is_foreign(name) else None
            if new:
                at = item.start() + item.group().index(name)
                yield Edit(at, at + len(name), new)
    for m in _FOLDERS.finditer(mask):
        for item in _ONE_FOLDER.finditer(mask, *m.span(1)):
            new = _folder_here(item[1], files, folder) if _is_foreign(item[1]) else None
            if new:
                yield Edit(*item.span(1), new)


def _is_foreign(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and not name.startswith("\\") and ("\\" in name or bool(_ROOTED.match(name)))


def _parts(name: str) -> list[str]:
    plain = _ROOTED.sub("", name.replace("\\", "/"))
    return [p for p in plain.split("/") if p not in ("", ".")]


def _here(name: str, files: Sequence[str], folder: str, suffixes: tuple[str, ...]) -> str | None:
    """The name of the project's file that the end of a name stands for, as the root sees it; as short as it was written."""
    parts = _parts(name)
    known = {posixpath.relpath(f, folder or "."): f for f in files}
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        for suffix in suffixes:
            if tail + suffix in known:
                return tail
    return _by_name(parts, known, suffixes) if parts else None


def _by_name(parts: list[str], known: dict[str, str], suffixes: tuple[str, ...]) -> str | None:
    """The only file of that base name in whatever folder and letter case."""
    wanted = {(parts[-1] + s).lower(): s for s in suffixes}
    found = [(f, wanted[base]) for f in known if (base := posixpath.basename(f).lower()) in wanted]
    if len(found) != 1:
        return None
    name, suffix = found[0]
    return name[: len(name) - len(suffix)] if suffix else name


def _folder_here(name: str, files: Sequence[str], folder: str) -> str | None:
    parts = _parts(name)
    folders = {posixpath.relpath(posixpath.dirname(f) or ".", folder or ".") for f in files}
    inside = {f[:at] for f in folders for at in [m.start() for m in re.finditer("/", f)]} | folders
    return next((t + "/" for start in range(len(parts)) if (t := "/".join(parts[start:])) in inside), None)


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_GRAPHICS = "\\usepackage{graphicx}\n"
RULE = Rule(
    name="foreign-path",
    summary="A path with backslashes, a drive or another machine's folders becomes that of the project's own file.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case(
            "backslashes",
            {"main.tex": _DOC % ("", "\\input{chapters\\intro}"), "chapters/intro.tex": "Text.\n"},
            {"main.tex": _DOC % ("", "\\input{chapters/intro}"), "chapters/intro.tex": "Text.\n"},
            kind=Kind.UNDEFINED_COMMAND,
            line=3,
        ),
        Case(
            "a drive and a home",
            _DOC % (_GRAPHICS, "\\includegraphics[width=3cm]{C:\\Users\\Anna\\thesis\\figs\\plot.png}"),
            _DOC % (_GRAPHICS, "\\includegraphics[width=3cm]{figs/plot.png}"),
            kind=Kind.UNDEFINED_COMMAND,
            files=("figs/plot.png",),
            builds=False,
        ),
        Case(
            "an absolute path",
            _DOC % (_GRAPHICS, "\\includegraphics{/home/anna/plots/run}"),
            _DOC % (_GRAPHICS, "\\includegraphics{figs/run}"),
            kind=Kind.MISSING_FIGURE,
            subject="/home/anna/plots/run",
            files=("figs/run.pdf",),
            builds=False,
        ),
        Case(
            "a folder of figures",
            _DOC % (_GRAPHICS + "\\graphicspath{{.\\figs\\}}\n", "\\includegraphics{run}"),
            _DOC % (_GRAPHICS + "\\graphicspath{{figs/}}\n", "\\includegraphics{run}"),
            kind=Kind.MISSING_FIGURE,
            files=("figs/run.pdf",),
            builds=False,
        ),
        Case(
            "a command that holds the folder",
            _DOC % ("\\newcommand\\chapters{parts}\n", "\\input{\\chapters/intro}"),
            None,
            kind=Kind.MISSING_FILE,
        ),
        Case(
            "no file of that name",
            _DOC % ("", "\\input{/home/anna/notes.tex}"),
            None,
            kind=Kind.MISSING_FILE,
            subject="/home/anna/notes.tex",
        ),
    ),
)
