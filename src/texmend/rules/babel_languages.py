r"""Commands for languages without babel, which TeX answers with "Not loaded.": it is loaded with the languages that they name."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_load, loaded, option_list
from texmend.rules.text import masked

_SAID = "Not loaded"
r"""What the format's own \selectlanguage says, before babel has defined it (hyphen.cfg of babel)."""
_USED = re.compile(r"\\(?:(select|foreign)language|begin\s*\{otherlanguage\*?\})\s*\{([a-z]+)\}")
_PLAIN = "english"
"""What LaTeX itself hyphenates and names things in."""


def _propose(scene: Scene) -> list[Fix]:
    d = scene.diagnostic
    if d is None or not d.message.startswith(_SAID) or loaded(scene) & {"babel", "polyglossia"}:
        return []
    texts = [masked(scene.document.text(p) or "") for p in scene.tex_paths]
    used = [m for text in texts for m in _USED.finditer(text)]
    named = [n for n in dict.fromkeys(m.group(2) for m in used) if scene.lookup.in_tree(f"{n}.ldf")]
    if not named:
        return []
    begun = class_load(scene)
    of_class = [o for o in (option_list(scene, begun) if begun else []) if scene.lookup.in_tree(f"{o}.ldf")]
    options = [n for n in named if n not in of_class]
    if options and (of_class or not _speaks_first(texts[0], used[0])):
        main = of_class[-1] if of_class else _PLAIN
        options = [*(n for n in options if n != main), f"main={main}"]
    elif options:
        options = [*options[1:], options[0]]  # babel takes the last one for the language of the document
    why = f"the language commands are babel's, which is not loaded: {', '.join(named)}"
    return [Fix(tuple(add_package(scene, "babel", options)), why)]


def _speaks_first(root: str, first: re.Match[str]) -> bool:
    """Whether the document chooses its language before any text: then that is the language it is written in."""
    body = root.find(r"\begin{document}") + len(r"\begin{document}")
    return first.string is root and first.group(1) == "select" and not root[body : first.start()].strip()


_DOC = "\\documentclass%s{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="babel-languages",
    summary="Where commands for languages are used without babel, it is loaded with the languages that they name.",
    kinds=frozenset((Kind.TEX_ERROR,)),
    propose=_propose,
    cases=(
        Case(
            "a quotation in another language",
            _DOC % ("", "", "He said \\foreignlanguage{german}{Hallo}."),
            _DOC % ("", "\\usepackage[german,main=english]{babel}\n", "He said \\foreignlanguage{german}{Hallo}."),
            kind=Kind.TEX_ERROR,
            message="Not loaded.",
        ),
        Case(
            "the language of the document",
            _DOC % ("", "", "\\selectlanguage{german}\nHallo Welt."),
            _DOC % ("", "\\usepackage[german]{babel}\n", "\\selectlanguage{german}\nHallo Welt."),
            kind=Kind.TEX_ERROR,
            message="Not loaded.",
        ),
        Case(
            "the class has them all",
            _DOC % ("[american,french]", "", "Bon. \\selectlanguage{american} Good."),
            _DOC % ("[american,french]", "\\usepackage{babel}\n", "Bon. \\selectlanguage{american} Good."),
            kind=Kind.TEX_ERROR,
            message="Not loaded.",
        ),
        Case("no such language", _DOC % ("", "", "\\selectlanguage{xyzzy}"), None, kind=Kind.TEX_ERROR, message="Not loaded."),
    ),
)
