r"""A counter or length that is set or stepped and was never declared: `\newcounter`, `\newlength`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded, put_in_preamble
from texmend.rules.text import masked
from texmend.rules.undefined import package_of_counter
from texmend.tex.nearmiss import near

_LENGTH = re.compile(r"\\(?:setlength|addtolength|settowidth|settoheight|settodepth)\s*\{?\s*(\\[A-Za-z]+)\s*\}?")
_COUNTERS = frozenset(
    """page section subsection subsubsection chapter part paragraph subparagraph figure table equation footnote mpfootnote
    enumi enumii enumiii enumiv secnumdepth tocdepth topnumber bottomnumber totalnumber dbltopnumber MaxMatrixCols
    parentequation""".split()
)
_STEP = r"\\(?:setcounter|addtocounter|stepcounter|refstepcounter)\s*\{\s*%s\s*\}"


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or any(d.subject == known.name for p in scene.tex_paths for known in scene.scan(p).definitions):
        return
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    if d.kind is Kind.UNDEFINED_COUNTER:
        if (
            re.search(_STEP % re.escape(d.subject), text)
            and not near(d.subject, _COUNTERS)
            and not package_of_counter(scene, d.subject)
            and re.fullmatch(r"[A-Za-z][\w@-]*", d.subject)
        ):
            yield Fix(
                tuple(put_in_preamble(scene, f"\\newcounter{{{d.subject}}}")), f"the counter {d.subject} is used and never declared"
            )
        return
    names = dict.fromkeys(_LENGTH.findall(text))
    if _of_a_package(scene, d.subject):
        return
    if d.subject in names and d.subject not in scene.lookup.defined_commands(everything_loaded(scene)):
        known = scene.lookup.defined_commands(everything_loaded(scene))
        if not near(d.subject, [c for c in known if c in _LENGTHS]):
            yield Fix(
                tuple(put_in_preamble(scene, f"\\newlength{{{d.subject}}}")), f"the length {d.subject} is set and never declared"
            )


def _of_a_package(scene: Scene, name: str) -> bool:
    """Whether it is the package that is missing: one has this register, or a command with the same first word."""
    word = re.match(r"\\[A-Z]?[a-z]{4,}(?=[A-Z])", name)
    unknown = {x.subject for x in scene.diagnostics if x.kind is Kind.UNDEFINED_COMMAND}
    kin = [x for x in unknown if word and x.startswith(word.group())]
    return any(scene.lookup.command_packages(x) for x in (name, *kin))


_LENGTHS = frozenset(
    "\\" + n
    for n in """parindent parskip textwidth textheight linewidth columnwidth columnsep columnseprule tabcolsep arraycolsep
    arrayrulewidth doublerulesep fboxsep fboxrule topmargin oddsidemargin evensidemargin headheight headsep footskip
    marginparwidth marginparsep topsep itemsep parsep leftmargin rightmargin labelwidth labelsep abovecaptionskip
    belowcaptionskip textfloatsep floatsep intextsep baselineskip hoffset voffset paperwidth paperheight abovedisplayskip
    belowdisplayskip footnotesep unitlength leftmargini LTpre LTpost extrarowheight aboverulesep belowrulesep bibsep""".split()
)
_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="undeclared-register",
    summary="A counter or a length that is set and was never declared is declared.",
    kinds=frozenset((Kind.UNDEFINED_COUNTER, Kind.UNDEFINED_COMMAND)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a counter",
            _DOC % ("", "\\setcounter{runs}{3}x"),
            _DOC % ("\\newcounter{runs}\n", "\\setcounter{runs}{3}x"),
            kind=Kind.UNDEFINED_COUNTER,
            subject="runs",
        ),
        Case(
            "a length",
            _DOC % ("", "\\setlength{\\mygap}{2cm}x"),
            _DOC % ("\\newlength{\\mygap}\n", "\\setlength{\\mygap}{2cm}x"),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\mygap",
        ),
        Case("a slip", _DOC % ("", "\\setcounter{secton}{3}x"), None, kind=Kind.UNDEFINED_COUNTER, subject="secton"),
    ),
)
