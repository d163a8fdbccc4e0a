r"""A second `\documentclass` in the preamble, as of a generated text that begins again: the first stays, with all options."""

from __future__ import annotations

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_options, body_start, loads_in, option_list, whole_line


def _propose(scene: Scene) -> list[Fix]:
    d, path, text = scene.diagnostic, scene.document.root.path, scene.document.root_text
    if d is None or r"Two \documentclass" not in d.message:
        return []
    classes = [x for x in loads_in(path, text) if x.is_class and x.command == "documentclass" and x.start < body_start(text)]
    first, again = classes[:1], [x for x in classes[1:] if [n for n, _, _ in x.names] == [n for n, _, _ in classes[0].names]]
    if not again:
        return []
    options = [o for x in again for o in option_list(scene, x) if o not in option_list(scene, first[0])]
    edits = [*add_options(scene, first[0], options), *((path, Edit(*whole_line(text, x.start, x.end), "")) for x in again)]
    return [Fix(tuple(edits), "the class is loaded twice: the first time stays, with the options of both")]


_DOC = "\\documentclass%s{article}\n\\usepackage{amsmath}\n%s\\title{T}\n\\begin{document}\n\\maketitle\n\\end{document}\n"
_SAID = "LaTeX Error: Two \\documentclass or \\documentstyle commands."
RULE = Rule(
    name="second-class",
    summary="Where the preamble loads its class a second time, the first load stays, with the options of both.",
    kinds=frozenset((Kind.LATEX_ERROR,)),
    propose=_propose,
    cases=(
        Case(
            "with further options",
            _DOC % ("[a4paper]", "\\documentclass[11pt,a4paper]{article}\n"),
            _DOC % ("[a4paper,11pt]", ""),
            kind=Kind.LATEX_ERROR,
            message=_SAID,
        ),
        Case(
            "another class",
            _DOC % ("", "\\documentclass{report}\n"),
            None,
            kind=Kind.LATEX_ERROR,
            message=_SAID,
        ),
    ),
)
