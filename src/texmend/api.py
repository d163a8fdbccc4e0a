"""The Python face: compile, mend, and drafts of writing agents. `texmend` gives these names without importing them first."""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from texmend.model.document import encode
from texmend.model.errors import UsageError
from texmend.model.events import Event, Listener, ignore
from texmend.model.outcome import StopReason
from texmend.model.report import Report
from texmend.settings import Settings

__all__ = ["Draft", "Settings", "compile_document", "mend", "watch"]


@dataclass(frozen=True)
class Draft:
    """A generated document that lies in no folder yet: text, class file, .bib, figures.

    It is assembled in an isolated folder of its own, so any number of drafts may be mended at once. The sanitizer runs
    before the first build, template variables that the text forgot are filled in, and a missing figure gets a visible box.
    """

    text: str
    """The root, as it was generated."""
    assets: Mapping[str, bytes | str | Path] = field(default_factory=dict)
    """What lies beside it, by relative POSIX name: bytes, text, or the file to copy."""
    template: str | None = None
    """The template that the text was to fill: its declarations say which variables there are, and their defaults."""
    name: str = "main.tex"


def compile_document(
    path: str | Path, engine: str | None = None, settings: Settings = Settings(), listen: Listener = ignore
) -> Report:
    """The document was built once in a copy of its own; the report lists what is wrong. Nothing is written beside it."""
    from texmend.app.check import check

    return check(str(path), replace(settings, engine=engine or settings.engine), listen)


def mend(document: str | Path | Draft, settings: Settings = Settings(), listen: Listener = ignore) -> Report:
    """The document was mended as far as it can be; the report says how far, and where everything is.

    A file or folder is written only when the result is verified. What comes of a `Draft` stays in its session: the report's
    `pdf_path` and `zip_path` say where.
    """
    from texmend.app.fix import fix

    if not isinstance(document, Draft):
        return fix(str(document), settings, listen)
    with tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        root = _assemble(document, Path(folder))
        return fix(str(root), replace(settings, draft=True, workspace=folder), listen)


def watch(document: str | Path | Draft, settings: Settings = Settings()) -> Iterator[Event | Report]:
    """Every event of the session as it happens, and the report as the last item. The session runs in a thread of its own."""
    items: queue.SimpleQueue[Event | Report | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            items.put(mend(document, settings, items.put))
        except BaseException as e:
            items.put(e)

    threading.Thread(target=work, name="texmend", daemon=True).start()
    while True:
        item = items.get()
        if isinstance(item, BaseException):
            raise item
        yield item
        if isinstance(item, Report):
            return


def _assemble(draft: Draft, folder: Path) -> Path:
    """The root, written with its assets.

    Raises:
        UsageError: an asset's name leads out of the folder, or is none.
    """
    files: dict[str, bytes | str | Path] = {**draft.assets, draft.name: draft.text}
    if draft.template is not None:
        files[TEMPLATE] = draft.template
    for name, content in files.items():
        pure = PurePosixPath(name)
        if not pure.parts or pure.is_absolute() or "\0" in name or any(p.startswith(".") for p in pure.parts):
            raise UsageError(f"{name!r}: the name of an asset is relative and has no dots in front", StopReason.BAD_OPTION)
        place = folder / pure
        place.parent.mkdir(parents=True, exist_ok=True)
        match content:
            case Path():
                place.write_bytes(content.read_bytes())
            case str():
                place.write_bytes(encode(content))
            case _:
                place.write_bytes(content)
    return folder / draft.name


TEMPLATE = "texmend-template.tex"
"""The name under which the template of a draft lies beside it."""
