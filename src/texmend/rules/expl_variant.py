r"""A variant of an expl3 function that this kernel has not made, `\tl_set:Ne`: it is made from the function that it has.

Kernels of 2023 and later bring many variants of type `e`; documents written with them need them made in an older one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.expl_function import SWITCH
from texmend.rules.preamble import line_after
from texmend.rules.text import braced_end, masked, skip_blank

_VARIANT = re.compile(r"\\((?:[A-Za-z@]+_)+?[A-Za-z@_]*?)(_p)?:([NncVvoxef]+?)(TF|T|F)?")
_OF = str.maketrans("cVvoxef", "Nnnnnnn")
r"""The type that each argument has in the function itself (interface3, on \cs_generate_variant:Nn)."""


def _propose(scene: Scene) -> Iterator[Fix]:
    made: dict[tuple[str, int], list[str]] = {}
    for d in scene.diagnostics:
        m = _VARIANT.fullmatch(d.subject) if d.kind is Kind.UNDEFINED_COMMAND else None
        base = m.group(3).translate(_OF) if m else ""
        if m is None or base == m.group(3):
            continue
        place = _place(scene, f"\\{m.group(1)}{m.group(2) or ''}:{base}{m.group(4) or ''}", d.subject)
        if place:
            lines = made.setdefault(place, [])
            line = _line(m.group(1), base, m.group(3), "p" if m.group(2) else m.group(4))
            if line not in lines:
                lines.append(line)
    for (path, at), lines in made.items():
        at, start = line_after(scene.document.text(path) or "", at)
        edit = Edit(at, at, start + "\n".join(lines) + ("" if start else "\n"))
        yield Fix(((path, edit),), "a variant of a function of expl3 that this TeX has not made is made")


def _line(name: str, base: str, wanted: str, condition: str | None) -> str:
    if condition:
        return f"\\prg_generate_conditional_variant:Nnn \\{name}:{base} {{ {wanted} }} {{ {condition} }}"
    return f"\\cs_generate_variant:Nn \\{name}:{base} {{ {wanted} }}"


def _place(scene: Scene, base: str, used: str) -> tuple[str, int] | None:
    """Behind the document's own definition of the function; for one of the kernel where the file that uses it begins with expl3."""
    own = re.compile(
        r"\\(?:cs_(?:new|set|gset)\w*:\w+|prg_(?:new|set)\w*:\w+)\s*" + re.escape(base.removesuffix("TF")) + r"(?![A-Za-z@_:])"
    )
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        if m := own.search(mask):
            opened = mask.find("{", m.end())
            end = braced_end(mask, opened) if opened >= 0 else None
            while end is not None and mask[skip_blank(mask, end) : skip_blank(mask, end) + 1] == "{":
                end = braced_end(mask, skip_blank(mask, end))
            return (path, end) if end is not None else None
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        switch = SWITCH.search(mask)
        if switch and re.search(re.escape(used) + r"(?![A-Za-z@_:])", mask):
            return path, switch.end()
    return None


_DOC = "\\documentclass{article}\n\\ExplSyntaxOn\n%s\n\\ExplSyntaxOff\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="expl-variant",
    summary="A variant of an expl3 function that this kernel has not made is made from the function that it has.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    cases=(
        Case(
            "of a function of the kernel",
            _DOC % "\\tl_set:Ne \\l_tmpa_tl { a }",
            _DOC % "\\cs_generate_variant:Nn \\tl_set:Nn { Ne }\n\\tl_set:Ne \\l_tmpa_tl { a }",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\tl_set:Ne",
            settled=False,
        ),
        Case(
            "of a condition",
            _DOC % "\\tl_if_empty:eTF { } { } { }",
            _DOC % "\\prg_generate_conditional_variant:Nnn \\tl_if_empty:n { e } { TF }\n\\tl_if_empty:eTF { } { } { }",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\tl_if_empty:eTF",
            settled=False,
        ),
        Case(
            "of a function of the document",
            _DOC % "\\cs_new:Npn \\my_f:n #1 { }\n\\my_f:V \\l_tmpa_tl",
            _DOC % "\\cs_new:Npn \\my_f:n #1 { }\n\\cs_generate_variant:Nn \\my_f:n { V }\n\\my_f:V \\l_tmpa_tl",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\my_f:V",
            settled=False,
        ),
        Case("no variant", _DOC % "\\my_f:n { a }", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\my_f:n"),
    ),
)
