r"""More waiting floats than LaTeX has boxes: more boxes, or a flush where a section starts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, put_in_preamble
from texmend.rules.text import masked


def _propose(scene: Scene) -> Iterator[Fix]:
    if any(r"\extrafloats" in masked(scene.document.text(p) or "") for p in scene.tex_paths):
        return
    floats = sum(
        len(re.findall(r"\\begin\{(?:figure|table)\*?\}|\\foreach|\\loop", scene.document.text(p) or "")) for p in scene.tex_paths
    )
    yield Fix(
        tuple(put_in_preamble(scene, f"\\extrafloats{{{max(200, 2 * floats)}}}")),
        "more floats wait for a place than LaTeX has boxes: it gets more boxes",
    )
    yield Fix(
        tuple(add_package(scene, "morefloats")),
        "more floats wait for a place than LaTeX has boxes: morefloats adds some",
        sure=False,
    )


_DOC = "\\documentclass{article}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="too-many-floats",
    summary="More floats wait for a place than LaTeX has boxes: \\extrafloats gives it more, all figures stay.",
    kinds=frozenset((Kind.TOO_MANY_FLOATS,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("boxes", _DOC % "", _DOC % "\\extrafloats{200}\n", kind=Kind.TOO_MANY_FLOATS, builds=False),
        Case("has them", _DOC % "\\extrafloats{100}\n", None, kind=Kind.TOO_MANY_FLOATS),
    ),
)
