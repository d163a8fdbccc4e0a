r"""More waiting floats than LaTeX has boxes: more boxes, or a flush where a section starts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, body_start, put_in_preamble
from texmend.rules.text import masked


def _propose(scene: Scene) -> Iterator[Fix]:
    if any(r"\extrafloats" in masked(scene.document.text(p) or "") for p in scene.tex_paths):
        return
    floats = sum(
        len(re.findall(r"\\begin\{(?:figure|table)\*?\}|\\foreach|\\loop", scene.document.text(p) or "")) for p in scene.tex_paths
    )
    edits = [(path, e) for path in scene.tex_paths for e in _flushed(scene.document.text(path) or "")]
    if edits:
        yield Fix(
            tuple(edits), "more floats wait for a place than LaTeX has boxes: each section sets its own before the next one starts"
        )
    yield Fix(
        tuple(put_in_preamble(scene, f"\\extrafloats{{{max(200, 2 * floats)}}}\\maxdeadcycles=1000")),
        "more floats wait for a place than LaTeX has boxes: it gets more boxes",
    )
    yield Fix(
        tuple(add_package(scene, "morefloats")),
        "more floats wait for a place than LaTeX has boxes: morefloats adds some",
        sure=False,
    )


def _flushed(text: str) -> Iterator[Edit]:
    """A page break before each section that starts while floats may wait."""
    mask = masked(text)
    waiting = False
    for m in _FLOW.finditer(mask, body_start(text)):
        if m.group(1) is None:
            waiting = True
        elif waiting:
            waiting = False
            if not mask[: m.start()].rstrip().endswith((r"\clearpage", r"\cleardoublepage", r"\FloatBarrier")):
                yield Edit(m.start(), m.start(), "\\clearpage\n")


_FLOW = re.compile(
    r"\\((?:sub)?section|chapter|part)(?![A-Za-z])|\\begin\{(?:figure|table)\*?\}|\\foreach(?![A-Za-z])|\\loop(?![A-Za-z])"
)
_DOC = "\\documentclass{article}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="too-many-floats",
    summary="More floats wait for a place than LaTeX has boxes: \\extrafloats gives it more, all figures stay.",
    kinds=frozenset((Kind.TOO_MANY_FLOATS,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("boxes", _DOC % "", _DOC % "\\extrafloats{200}\\maxdeadcycles=1000\n", kind=Kind.TOO_MANY_FLOATS, builds=False),
        Case("has them", _DOC % "\\extrafloats{100}\n", None, kind=Kind.TOO_MANY_FLOATS),
    ),
)
