r"""Backslashes that a JSON string ate: a tab before `extbf`, a form feed before `rac`, a backspace before `egin`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.document import newline_of
from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.text import masked

_NAMES = {
    "\t": """textbf textit texttt textsc textsf textrm textcolor textwidth textheight text textsuperscript textsubscript
    texorpdfstring tau theta times tabular
    title tableofcontents today tilde triangle tfrac tiny thanks thispagestyle tikz tikzset toprule to
    tan tanh top tag textbackslash textgreater
    textless textasciitilde textquotesingle tabularnewline thefigure thetable thesection titleformat tcbset topsep""",
    "\b": (
        "begin beta bar bf bfseries binom big Big bigl bigr bigg biggl biggr bibliography bibliographystyle bibitem"
        " boldsymbol bm boxed bot bullet bottomrule because"
    ),
    "\f": (
        "frac footnote footnotesize flushleft flushright forall fbox fancyhead fancyfoot fancyhf fill frametitle fo"
        "otnotemark footnotetext frame fontsize frontmatter"
    ),
    "\r": (
        "ref rho right rangle rightarrow renewcommand raggedright rule rm rmfamily rceil rfloor rVert rvert raisebo"
        "x row rowcolor resizebox rotatebox rightharpoonup"
    ),
    "\n": (
        "newcommand newline newpage noindent nabla nu neq ne not notag nonumber node newtheorem normalsize newenvir"
        "onment ni nocite nolinkurl normalfont notin num neg number numexpr"
    ),
    "\v": "vspace vec varepsilon vdots vfill vdash vert vartheta varphi vee",
    "\a": "alpha author and approx abstract addbibresource appendix addcontentsline angle ast arraystretch abs acute aleph align",
}
_SHORT = frozenset("nu ne ni to bf rm ref top tag row not neg num and".split())
"""Remains so short that they also start words or lines of prose: only where the place speaks for them."""


def _pattern(char: str, names: str) -> re.Pattern[str]:
    tails = sorted((n[1:] for n in names.split()), key=len, reverse=True)
    lead = "(?<!\r)" if char == "\n" else ""
    follow = "(?!\n)" if char == "\r" else ""
    return re.compile(lead + re.escape(char) + follow + "(" + "|".join(re.escape(t) for t in tails) + r")(?![A-Za-z])")


_PATTERNS = {c: _pattern(c, names) for c, names in _NAMES.items()}


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, edit) for path in scene.tex_paths for edit in _in_text(scene, path)]
    if edits:
        yield Fix(tuple(edits), "a control character stands where a backslash and a letter were: the command is written again")


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    text = scene.document.text(path) or ""
    mask = masked(text)
    newline = newline_of(text)
    for char, pattern in _PATTERNS.items():
        if char not in text or (char == "\r" and newline == "\r") or (char == "\n" and newline != "\n"):
            continue
        letter = {"\t": "t", "\b": "b", "\f": "f", "\r": "r", "\n": "n", "\v": "v", "\a": "a"}[char]
        for m in pattern.finditer(mask):
            if _means_it(mask, m, char, letter):
                start = m.start() - (text[: m.start()].endswith("\\") and not text[: m.start()].endswith("\\\\"))
                yield Edit(start, m.start() + 1, "\\" + letter)


def _means_it(mask: str, m: re.Match[str], char: str, letter: str) -> bool:
    """A tab or line end also stands in honest text: there the rest must be no word, or take an argument."""
    if char not in "\t\n":
        return True
    tail, after = m.group(1), mask[m.end() : m.end() + 1]
    word = letter + tail
    if char == "\n" and tail in ("ode", "um", "umber", "umexpr"):
        return bool(after) and after in "[({\\"
    if word in _SHORT or len(tail) < 3:
        before = mask[max(0, m.start() - 40) : m.start()]
        if char == "\n":  # the line below may honestly start with `i_t` or `u^2`
            paragraph = mask[mask.rfind("\n\n", 0, m.start()) + 1 : m.start()]
            return paragraph.count("$") % 2 == 1 and after in " $,_^=+-)" and not before.rstrip().endswith("\\\\")
        return (bool(after) and after in "{_^") or (before.count("$") % 2 == 1 and after in " $,_^=+-)")
    if tail in ("ode", "itle", "ilde", "ot", "op", "ag", "oday", "ill", "able", "riangle", "ext"):
        return after == "{"
    return True


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="eaten-escape",
    summary=(
        "A tab, form feed, backspace or line end in place of a backslash and its letter (a JSON string was read t"
        "wice): the command comes back."
    ),
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case("a tab", _DOC % "Some \textbf{bold} text.", _DOC % "Some \\textbf{bold} text.", builds=False),
        Case(
            "a form feed and a backspace",
            _DOC % "$\x0crac{a}{b}$ \x08egin{center}a\\end{center}",
            _DOC % "$\\frac{a}{b}$ \\begin{center}a\\end{center}",
        ),
        Case("a line end", _DOC % "$\nabla f = \nu$", _DOC % "$\\nabla f = \\nu$", builds=False),
        Case("a display of several lines", _DOC % "\\[\nf_t = a \\\\\ni_t = b\n\\]", None),
        Case("honest tabs and lines", _DOC % "A\ttop shelf\nnot bad\n\tand more", None),
    ),
)
