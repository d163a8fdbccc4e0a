"""When the engine must run again: the files that it writes in one pass and reads in the next, watched until they rest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from texmend.adapters.builds.generated import READ_NEXT_TIME
from texmend.tex.recorder import Recorder

MOST_PASSES = 4
"""Engine passes of one build (DESIGN section 2)."""
NEVER_READ = frozenset(["pdf", "log", "dvi", "xdv", "ps", "fls", "synctex", "gz", "idx", "glo", "acn", "slo", "nlo", "bcf", "xml"])
TRIVIAL = re.compile(
    rb"^(?:\\relax|\\gdef ?\\@abspage@last|\\citation\{|\\bibdata\{|\\bibstyle\{|\\babel@aux|\\@nameuse\{bbl@|\\@writefile\{"
    rb"|\\@input\{|\\providecommand|\\global\\let|\\let\\|\\gdef\\contentsline|\\ifx\\|\\fi\b|\\HyperFirst|\\AtEndDocument|\\nicematrix@redefine).*$",
    re.MULTILINE,
)
"""Lines of an .aux file that change nothing in the next pass by themselves."""
NO_FILE = re.compile(rb"^No file (.+?)\.$", re.MULTILINE)
RERUN = re.compile(rb"Rerun to get|Rerun LaTeX|rerun LaTeX|Label\(s\) may have changed|Please \(re\)?run")


def essence(name: str, data: bytes) -> bytes:
    """What of a file's bytes the next pass can notice."""
    return TRIVIAL.sub(b"", data).strip() if name.endswith(".aux") else data


def read_before_written(fls: bytes) -> frozenset[str]:
    """The files that a pass read before it wrote them, if it wrote them: what it read later is its own work."""
    written, read = set[bytes](), set[bytes]()
    for line in fls.splitlines():
        word, _, name = line.partition(b" ")
        name = name.removeprefix(b"./")
        if word == b"OUTPUT":
            written.add(name)
        elif word == b"INPUT" and name not in written:
            read.add(name)
    return frozenset(n.decode("utf-8", "surrogateescape") for n in read)


@dataclass
class Feedback:
    """What the passes so far wrote and read."""

    read: Callable[[str], bytes]
    """The bytes of a file of the working folder."""
    seen: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """Names that a pass read, or looked for in vain."""
    passes: int = 0

    def changed(self, recorder: Recorder, log: bytes, fls: bytes = b"") -> tuple[str, ...]:
        """The files that this pass left different from what it began with, and that the next pass would read."""
        self.passes += 1
        missing = [m.decode("utf-8", "surrogateescape") for m in NO_FILE.findall(log)]
        early = read_before_written(fls) if fls else recorder.inputs
        self.asked |= {*missing, *(early if self.passes > 1 else ())}
        now = {n: self._mark(n) for n in self._watched(recorder.outputs)}
        different = tuple(n for n, mark in now.items() if mark != self.seen.get(n, "") and self._is_read(n))
        self.seen |= now
        if not different and self.passes == 1 and RERUN.search(log):
            return ("references",)
        return different

    def _watched(self, outputs: Iterable[str]) -> list[str]:
        return [n for n in outputs if n.rpartition(".")[2] not in NEVER_READ]

    def _is_read(self, name: str) -> bool:
        return name in self.asked or name.rpartition(".")[2] in READ_NEXT_TIME

    def _mark(self, name: str) -> str:
        content = essence(name, self.read(name))
        return hashlib.sha256(content).hexdigest() if content else ""
