r"""A counter past the last letter or footnote sign: alphalph goes on with aa, bb or with doubled signs, the first ones as
before.
"""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, put_in_preamble
from texmend.rules.text import masked


def _propose(scene: Scene) -> Iterator[Fix]:
    if "alphalph" in loaded(scene):
        return
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    lines = [
        "\\makeatletter",
        "\\renewcommand*{\\@alph}[1]{\\alphalph{#1}}",
        "\\renewcommand*{\\@Alph}[1]{\\AlphAlph{#1}}",
        "\\makeatother",
    ]
    if "\\fnsymbol" in text or "\\thanks" in text:
        signs = ["\\makeatletter", "\\let\\onefnsymbol\\@fnsymbol", "\\newalphalph{\\manyfnsymbols}[mult]{\\onefnsymbol}{9}"]
        signs += ["\\renewcommand*{\\@fnsymbol}[1]{\\manyfnsymbols{#1}}", "\\makeatother"]
        yield Fix(
            tuple(put_in_preamble(scene, "\n".join(["\\usepackage{alphalph}", *signs]))),
            "there are nine footnote signs: alphalph goes on with doubled ones",
        )
    yield Fix(
        tuple(put_in_preamble(scene, "\n".join(["\\usepackage{alphalph}", *lines]))),
        "a counter goes past the letter z: alphalph goes on with aa, ab",
    )


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\setcounter{section}{30}\\Alph{section}\n\\end{document}\n"
_AFTER = (
    "\\usepackage{alphalph}\n\\makeatletter\n\\renewcommand*{\\@alph}[1]{\\alphalph{#1}}\n\\renewcommand*{\\@Alp"
    "h}[1]{\\AlphAlph{#1}}\n\\makeatother\n"
)
RULE = Rule(
    name="counter-limit",
    summary=(
        "A counter past the last letter or footnote sign goes on with double letters or signs (alphalph); what ca"
        "me before looks the same."
    ),
    kinds=frozenset((Kind.COUNTER_TOO_LARGE,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("letters", _DOC % "", _DOC % _AFTER, kind=Kind.COUNTER_TOO_LARGE),
        Case("it is there", _DOC % "\\usepackage{alphalph}\n", None, kind=Kind.COUNTER_TOO_LARGE),
    ),
)
