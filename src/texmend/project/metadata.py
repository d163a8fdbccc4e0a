"""What a workspace says about its root: texmend.toml, and arXiv's 00README in its old and new forms.

The forms of 00README are described at info.arxiv.org/help/00README.html: lines of "name toplevelfile" in 00README.XXX, and a
list of sources with a usage in JSON, YAML or TOML.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Files
from texmend.project.texts import readable

SETTINGS = "texmend.toml"
_LIMIT = 1 << 20
_PAIR = re.compile(r"^[\s-]*[\"']?(filename|usage|compiler)[\"']?\s*[:=]\s*[\"']?([^\"'#\r\n]+?)[\"']?\s*,?\s*$")


def named_root(files: Files, folder: str) -> tuple[str, str] | None:
    """The root that the folder's own metadata names (relative to the folder), and the file that says so.

    Raises:
        UsageError: bad_option for a texmend.toml that cannot be read; ambiguous_root for a 00README with several top-level files.
    """
    path = f"{folder}/{SETTINGS}" if folder else SETTINGS
    if root := _from_settings(files, path):
        return root, path
    for readme in _readmes(files, folder):
        names = toplevel_files(readme, _text(files, readme))
        if len(names) > 1:
            raise UsageError(f"{readme} names several top-level files: {', '.join(names[:8])}", StopReason.AMBIGUOUS_ROOT)
        if names:
            return names[0], readme
    return None


def named_compiler(files: Files, folder: str) -> tuple[str, str] | None:
    """The compiler that a 00README in the folder asks for, as it is written there, and that file."""
    for readme in _readmes(files, folder):
        pairs = list(_pairs(readme, _text(files, readme)))
        for key, value in pairs:
            if key == "compiler":
                return value, readme
    return None


def _from_settings(files: Files, path: str) -> str | None:
    text = _text(files, path)
    if not text.strip():
        return None
    try:
        root = tomllib.loads(text).get("root")
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {str(error).splitlines()[0]}", StopReason.BAD_OPTION) from None
    if root is not None and (not isinstance(root, str) or not root.strip()):
        raise UsageError(f"{path}: root must be the name of a file", StopReason.BAD_OPTION)
    return root


def _text(files: Files, path: str) -> str:
    return readable(files.read(path, _LIMIT) or b"")


def _readmes(files: Files, folder: str) -> list[str]:
    """The 00README files of a folder, the new forms before the old one."""
    order = {".json": 0, ".yaml": 1, ".yml": 1, ".toml": 2, ".xxx": 3, ".txt": 4, "": 5}
    prefix = f"{folder}/" if folder else ""
    here = [p for p in files.paths() if p.startswith(prefix) and "/" not in p[len(prefix) :]]
    named = [p for p in here if PurePosixPath(p).stem.lower() == "00readme" and PurePosixPath(p).suffix.lower() in order]
    return sorted(named, key=lambda p: (order[PurePosixPath(p).suffix.lower()], p))


def toplevel_files(name: str, text: str) -> tuple[str, ...]:
    """The top-level files that a 00README of this name declares, in its order; never raises."""
    if PurePosixPath(name).suffix.lower() in (".json", ".yaml", ".yml", ".toml"):
        return _from_pairs(_pairs(name, text))
    lines = (line.split() for line in text.splitlines())
    return tuple(" ".join(words[:-1]) for words in lines if len(words) > 1 and words[-1].lower() == "toplevelfile")


def _from_pairs(pairs: Iterator[tuple[str, str]]) -> tuple[str, ...]:
    """The names whose usage is "toplevel"; the two keys of one source may stand in either order."""
    names: list[str] = []
    held: dict[str, str] = {}
    for key, value in pairs:
        if key == "compiler":
            continue
        if key in held:
            held = {}
        held[key] = value
        if len(held) == 2 and held["usage"].lower() == "toplevel":
            names.append(held["filename"])
    return tuple(dict.fromkeys(names))


def _pairs(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The keys that matter, in the order of the file, from any of the three notations."""
    if name.lower().endswith(".json"):
        try:
            yield from _walk(json.loads(text), 0)
            return
        except (ValueError, RecursionError):
            pass  # a damaged file is read line by line
    for line in text.splitlines():
        if m := _PAIR.match(line[:1000]):
            yield m[1], m[2].strip()


def _walk(node: object, depth: int) -> Iterator[tuple[str, str]]:
    if depth > 20:
        return
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("filename", "usage", "compiler") and isinstance(value, str):
                yield str(key), value
            else:
                yield from _walk(value, depth + 1)
    elif isinstance(node, list):
        for item in node:
            yield from _walk(item, depth + 1)
