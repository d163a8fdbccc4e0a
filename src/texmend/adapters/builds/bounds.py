"""What a document may touch, and what it tried to touch beyond that, from everything a build leaves behind. Pure but for names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from texmend.adapters.builds.generated import strip_comments
from texmend.model.diagnostic import MISSING_FILES, Diagnostic, Kind
from texmend.tex.recorder import Recorder

REFUSED = re.compile(r"Not (reading from|writing to) (.{1,4000}?) \(open(?:in|out)_any = \w+\)")
NO_FILE = re.compile(r"^No file ([/~.]\S{0,4000})\.$", re.MULTILINE)
OPENIN = re.compile(r"\\openin\s*(?:\\[A-Za-z@]+|\d+)\s*=?\s*(/[^\s\\{}]+|~[^\s\\{}]+|(?:[^\s\\{}]*/)?\.[^\s\\{}./][^\s\\{}]*)")
VERBATIM = re.compile(r"\\begin\{((?:verbatim|lstlisting|minted|Verbatim)\*?)\}")
SHELL = re.compile(r"^runsystem\((.*?)\)\.\.\.(?:disabled[^\n]*)", re.MULTILINE)
PIPE = "|"
LUA_TEMPORARY = re.compile(r"^/tmp/lua_\w+$|/m_t_x_t_e_s_t\.tmp$")
"""Names that os.tmpname gives, and the probe of the font loader's cache (luatexlibs, luat-cache)."""
FONT_SUFFIXES = (".otf", ".ttf", ".ttc", ".pfb", ".afm", ".pfa", ".pfm", ".dfont", ".pcf", ".gz")
DEVICES = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/random", "/dev/urandom")
SYSTEM = ("/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/var")
"""Folders of the system: a name in them is no author's slip, whatever the project holds."""
FONT_DATA = ("/etc/fonts", "/usr/share/fontconfig", "/usr/local/etc/fonts", "/usr/share/fonts", "/usr/share/poppler/cMap")
"""What LuaTeX's font loader reads itself when it looks for a font that its database lacks (luaotfload-database): the system's font
configuration and font folders. Debian's poppler-data links its CMaps into the latter."""
ADDED = frozenset("tex pdf png jpg jpeg mps eps ps bib jbig2 jb2 svg bmp sty cls bst".split())
"""Endings under which TeX looks for a name that lacks its own."""
READS = ("open", "lines", "input", "loadfile", "dofile", "dir", "chdir", "setmode")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The names, inside the box, of what a document may read and write."""

    tree: str
    """The copy of the workspace."""
    folder: str
    """The working folder, in the copy."""
    readable: tuple[str, ...]
    """The TeX trees, the fonts, what the user lets it read."""
    own: tuple[str, ...]
    """Folders that texmend gave the tools for themselves (font caches)."""
    links: tuple[str, ...] = ()
    """Links of the workspace that lead out, relative to it."""
    stems: frozenset[str] = frozenset()
    """Base names of the project's files without their endings, in lower case."""

    def relative(self, name: str) -> str | None:
        """The name relative to the workspace, None for one outside it."""
        full = posixpath.normpath(posixpath.join(self.folder, name))
        if full == self.tree:
            return "."
        return full[len(self.tree) + 1 :] if full.startswith(self.tree + "/") else None

    def may_read(self, name: str) -> bool:
        if name.startswith(PIPE) or name in DEVICES:
            return True
        if name.startswith("~"):
            return False
        inside = self.relative(name)
        if inside is not None:
            return not is_hidden(inside)
        full = posixpath.normpath(posixpath.join(self.folder, name))
        return (
            _below(full, self.readable + self.own + FONT_DATA) or full.endswith(FONT_SUFFIXES) or bool(LUA_TEMPORARY.search(full))
        )

    def is_meant_here(self, name: str) -> bool:
        """Whether an absolute name that was not found, or not read, is a project file's name on another machine."""
        full = posixpath.normpath(name)
        if not full.startswith("/") or is_hidden(full) or _below(full, SYSTEM):
            return False
        name = posixpath.basename(full).lower()
        for _ in range(2):  # an ending of its own, and one that TeX tried behind it
            stem, dot, suffix = name.rpartition(".")
            name = stem if dot and suffix in ADDED else name
        return name in self.stems

    def may_write(self, name: str) -> bool:
        if name in DEVICES:
            return True
        inside = self.relative(name)
        if inside is not None:
            return not is_hidden(inside)
        full = posixpath.normpath(posixpath.join(self.folder, name))
        return _below(full, self.own) or bool(LUA_TEMPORARY.search(full))


ENDINGS = frozenset(
    """sty cls clo def cfg ldf fd lbx bbx cbx dbx bib bst tex enc map tfm code.tex
    pdf png jpg jpeg jbig2 jb2 eps ps mps bmp gif tif tiff""".split()
)


def _below(name: str, folders: Iterable[str]) -> bool:
    return any(name == f or name.startswith(f.rstrip("/") + "/") for f in folders)


def is_hidden(name: str) -> bool:
    """Whether a part of the name begins with a dot."""
    return any(part.startswith(".") and part not in (".", "..") for part in name.split("/"))


def recorded(recorder: Recorder, bounds: Bounds) -> list[str]:
    """What the engine opened beyond the bounds."""
    found = [f"reads {n}" for n in recorder.inputs if not bounds.may_read(n)]
    return found + [f"writes {n}" for n in recorder.outputs if not bounds.may_write(n)]


def refused(said: str, bounds: Bounds) -> list[str]:
    """What TeX's own guards refused, or did not find, beyond the bounds, as the tools say it."""
    found = []
    for deed, name in REFUSED.findall(said):
        may = bounds.may_read if deed.startswith("reading") else bounds.may_write
        if deed.startswith("reading") and is_bare_ending(name):
            continue
        if not may(name) and not (deed.startswith("reading") and bounds.is_meant_here(name)):
            found.append(f"tried to {'read' if deed.startswith('reading') else 'write'} {name}")
    absent = [n for n in NO_FILE.findall(said) if not is_bare_ending(n)]
    return found + [f"tried to read {name}" for name in absent if not bounds.may_read(name)]


def is_bare_ending(name: str) -> bool:
    """Whether a name is only the ending that was put behind an empty one: `.lbx` of no known language, `.pdf` of no figure."""
    return name.startswith(".") and name[1:].lower() in ENDINGS


def asked_in_source(text: str, bounds: Bounds) -> list[str]:
    r"""What a source opens by \openin beyond the bounds: such a miss leaves no trace in LuaTeX."""
    return [f"tried to read {n}" for n in OPENIN.findall(without_verbatim(strip_comments(text))) if not bounds.may_read(n)]


def without_verbatim(text: str) -> str:
    """The text without what stands in verbatim environments."""
    kept, at = [], 0
    while start := VERBATIM.search(text, at):
        kept.append(text[at : start.start()])
        end = text.find(f"\\end{{{start[1]}}}", start.end())
        if end < 0:
            return "".join(kept)
        at = end
    return "".join([*kept, text[at:]])


def missing(diagnostics: Iterable[Diagnostic], bounds: Bounds) -> list[str]:
    """The missing files that lie beyond the bounds, or behind a link that leads out."""
    found = []
    for d in diagnostics:
        if d.kind not in MISSING_FILES or d.kind is Kind.MISSING_FONT or not d.subject:
            continue
        if is_bare_ending(d.subject):
            continue
        is_odd = d.subject.startswith(("/", "~")) or "/." in f"/{d.subject}"
        if is_odd and not bounds.may_read(d.subject) and not bounds.is_meant_here(d.subject):
            found.append(f"tried to read {d.subject}")
        inside = bounds.relative(d.subject)
        if inside is not None and any(
            link == inside or link.rpartition(".")[0] == inside or inside.startswith(link + "/") for link in bounds.links
        ):
            found.append(f"reads {inside}, a link that leads out of the workspace")
    return found


def lua_attempts(witness: str, bounds: Bounds) -> list[str]:
    """What Lua code asked for beyond the bounds, as the witness wrote it down."""
    found = []
    for line in witness.splitlines():
        operation, _, rest = line.partition("\t")
        name, _, mode = rest.partition("\t")
        if operation == "socket":
            found.append("Lua tried to use the network")
        elif operation in ("popen", "execute", "exec", "spawn"):
            continue  # held back by LuaTeX without shell escape
        elif operation in READS and not (operation == "open" and set(mode) & set("wa+")):
            if not bounds.may_read(name):
                found.append(f"Lua tried to read {name}")
        elif not bounds.may_write(name) and not (operation == "open" and LUA_TEMPORARY.search(name)):
            found.append(f"Lua tried to {'remove' if operation in ('remove', 'rmdir') else 'write'} {name}")
    return found


def held_back(said: str) -> list[str]:
    """The shell commands that TeX did not run."""
    return [f"shell command not run: {c[:200]}" for c in SHELL.findall(said)]


def for_want_of_shell(d: Diagnostic, commands: Iterable[str]) -> Diagnostic:
    """An error that is there because a shell command did not run is said to be one: a file whose name is a command, a file that
    one of the commands held back would have made, no pages where one would have made them."""
    if d.kind in MISSING_FILES and d.subject.startswith(PIPE):
        return replace(d, kind=Kind.SHELL_ESCAPE, subject=d.subject.removeprefix(PIPE).removesuffix(".tex").strip('"'))
    held = [c.partition(": ")[2] for c in commands]
    stem = posixpath.splitext(posixpath.basename(d.subject.strip('"')))[0] if d.kind in MISSING_FILES else ""
    makers = (
        held if d.kind is Kind.NO_PAGES else [c for c in held if stem and re.search(rf"(?<![\w.-]){re.escape(stem)}(?![\w-])", c)]
    )
    return replace(d, kind=Kind.SHELL_ESCAPE, subject=makers[0]) if makers else d


def looks_made(before: bytes, after: bytes) -> bool:
    """Whether a file that a build overwrote had been made by an earlier run: half of its lines are the same again."""
    old = {line.strip() for line in before.splitlines() if line.strip()}
    new = {line.strip() for line in after.splitlines() if line.strip()}
    return len(old & new) * 2 >= max(len(old), 1)
