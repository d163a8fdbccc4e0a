r"""A command or environment that nobody defines, not even an installed package: where stand-ins are allowed, a plain
one that prints its content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.misspelt_command import glued, likely_slip
from texmend.rules.preamble import everything_loaded, put_in_preamble
from texmend.rules.text import braced_end, masked, option_end, skip_blank, uses
from texmend.tex.nearmiss import near
from texmend.tex.renown import COMMON
from texmend.tex.scan import Mode


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not scene.placeholders or not d.subject or _is_defined(scene, d.subject):
        return
    line = (_environment if d.kind is Kind.UNDEFINED_ENVIRONMENT else _command)(scene, d.subject)
    if line:
        yield Fix(
            tuple(put_in_preamble(scene, line)),
            f"{d.subject} is in no package that can be meant: a plain one that prints its content stands for it",
            placeholders=(d.subject,),
            sure=False,
        )


def _is_defined(scene: Scene, name: str) -> bool:
    return any(name == known.name for p in scene.tex_paths for known in scene.scan(p).definitions)


def _environment(scene: Scene, name: str) -> str:
    known = scene.lookup.defined_environments(everything_loaded(scene))
    if name.isalpha() and name not in known and _is_table(scene, name):
        return f"\\newenvironment{{{name}}}[1]{{\\begin{{tabular}}{{#1}}}}{{\\end{{tabular}}}}"
    if (
        not re.fullmatch(r"[A-Za-z]+\*?", name)
        or name in known
        or near(name, known)
        or any(package in COMMON for package in scene.lookup.environment_packages(name))
    ):
        return ""
    opened = re.compile(r"\\begin\{" + re.escape(name) + r"\}\s*\[([^\]]*)\]")
    options = [m.group(1) for p in scene.tex_paths for m in opened.finditer(masked(scene.document.text(p) or ""))]
    if any("=" in o for o in options):
        return (
            f"\\newenvironment{{{name}}}[1][]{{\\par\\medskip}}{{\\par\\medskip}}"
            if all("=" in o for o in options) and not _titled(options)
            else ""
        )
    if _is_list(scene, name):
        return f"\\newenvironment{{{name}}}{'[1][]' if options else ''}{{\\begin{{itemize}}}}{{\\end{{itemize}}}}"
    if options:
        return f"\\newenvironment{{{name}}}[1][]{{\\par\\medskip\\noindent\\textbf{{#1}}\\par}}{{\\par\\medskip}}"
    return f"\\newenvironment{{{name}}}{{\\par\\medskip\\noindent}}{{\\par\\medskip}}"


def _is_list(scene: Scene, name: str) -> bool:
    """Whether every environment of this name begins with an item."""
    found = [
        masked(scan.text)[e.begin_end : e.begin_end + 400]
        for scan in map(scene.scan, scene.tex_paths)
        for e in scan.environments
        if e.name == name
    ]
    return bool(found) and all(re.match(r"\s*(?:\[[^\]]*\])?\s*\\item(?![A-Za-z])", body) for body in found)


def _is_table(scene: Scene, name: str) -> bool:
    """Whether every environment of this name has the columns of a table, and its cells."""
    scans = [scene.scan(path) for path in scene.tex_paths]
    found = [masked(x.text)[e.begin_end : e.end_start] for x in scans for e in x.environments if e.name == name]
    return bool(found) and all(_COLUMNS.match(body) and "&" in body and "\\\\" in body for body in found)


_COLUMNS = re.compile(r"\s*\{\s*(?:[|lcr]|[pmb]\{[^{}]*\}|@\{[^{}]*\}|\s)+\}")


def _titled(options: list[str]) -> bool:
    return any(re.search(r"title|caption|name|label", o) for o in options)


def exists_nowhere(scene: Scene, name: str) -> bool:
    """Whether no package can be meant that has the command, neither one that people use nor one that has others that are
    unknown here, and no other command either."""
    if not re.fullmatch(r"\\[A-Za-z]+", name) or glued(name):
        return False
    packages = scene.lookup.command_packages(name)
    unknown = tuple(dict.fromkeys(d.subject for d in scene.diagnostics if d.kind is Kind.UNDEFINED_COMMAND and d.subject))
    shared = scene.lookup.defining_most(unknown) if packages else {}
    if any(p in COMMON or shared.get(p, 0) > 1 for p in packages):
        return False
    known = scene.lookup.defined_commands(everything_loaded(scene))
    return name not in known and not any(likely_slip(scene, name, right) for right in near(name, known))


def _command(scene: Scene, name: str) -> str:
    if not exists_nowhere(scene, name):
        return ""
    found = calls(scene, name)
    modes = {mode for mode, _, _ in found}
    if not found or not modes <= {Mode.TEXT, Mode.MATH, Mode.PREAMBLE}:
        return ""
    braced = min(n for _, _, n in found)
    options = [option for _, option, _ in found if option is not None]
    if modes == {Mode.MATH} and not options:
        return _symbol(name, braced) if braced == max(n for _, _, n in found) <= _MOST else ""
    if braced > _MOST:
        return ""
    if modes == {Mode.PREAMBLE}:
        return ""  # nothing is printed there: a setting
    if not braced and not options and modes == {Mode.TEXT} and (said := _word(scene, name)):
        return f"\\newcommand{{{name}}}{{{said}}}"
    told = "#1 " if options and any("=" not in o for o in options) else ""
    first = 2 if options else 1
    return definition(name, len(options) > 0, braced, told + " ".join(f"#{n}" for n in range(first, first + braced)))


def _word(scene: Scene, name: str) -> str:
    """The name as a word, where every use stands amid a sentence: without it the sentence would lack one."""
    places = [(text, at) for p in scene.tex_paths for text in [masked(scene.document.text(p) or "")] for at in uses(text, name)]
    if not all(_AHEAD.search(text, max(0, at - 40), at) and _BEHIND.match(text, at + len(name)) for text, at in places):
        return ""
    return name[1:] + " " * all(text[at + len(name)].isspace() for text, at in places)  # TeX takes the space away


_AHEAD = re.compile(r"[A-Za-z,;][ ~]+\Z")
_BEHIND = re.compile(r"[ ]+[A-Za-z(]|[.,;:!?)]")


_MOST = 3
"""Arguments of a command that prints them one after the other; one with more draws something."""


def calls(scene: Scene, name: str) -> list[tuple[Mode, str | None, int]]:
    """Where a command is used: what TeX reads there, the text of its bracket if it has one, and how many braces follow."""
    return [
        (scene.scan(path).mode_at(at), *_arguments(text, at + len(name)))
        for path in scene.tex_paths
        for text in [masked(scene.document.text(path) or "")]
        for at in uses(text, name)
    ]


def definition(name: str, optional: bool, braced: int, body: str) -> str:
    """What defines a command with so many arguments in braces, and perhaps one in brackets before them."""
    count = braced + optional
    return f"\\newcommand{{{name}}}{f'[{count}]' if count else ''}{'[]' if optional else ''}{{{body.strip()}}}"


def _symbol(name: str, arguments: int) -> str:
    """The name itself, applied to the arguments if there are any."""
    applied = f"({', '.join(f'#{n + 1}' for n in range(arguments))})" if arguments else ""
    return f"\\newcommand{{{name}}}{f'[{arguments}]' if arguments else ''}{{\\mathrm{{{name[1:]}}}{applied}}}"


def _arguments(mask: str, at: int) -> tuple[str | None, int]:
    """The text of the bracket that follows, None without one, and how many arguments in braces follow directly."""
    start = skip_blank(mask, at)
    end = option_end(mask, start)
    option = mask[start + 1 : end - 1] if end > start else None
    n, at = 0, end if option is not None else at
    while (closed := braced_end(mask, at)) is not None:
        n, at = n + 1, closed
    return option, n


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_BOX = "\\begin{keypointz}\nIt is so.\n\\end{keypointz}"
RULE = Rule(
    name="stand-in",
    summary=(
        "A command or environment that exists nowhere gets a plain stand-in that prints its content, "
        "where stand-ins are allowed; it is reported."
    ),
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT)),
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    cases=(
        Case(
            "an environment",
            _DOC % ("", _BOX),
            _DOC % ("\\newenvironment{keypointz}{\\par\\medskip\\noindent}{\\par\\medskip}\n", _BOX),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="keypointz",
            placeholders=True,
        ),
        Case(
            "a list",
            _DOC % ("", "\\begin{keypointz}\n\\item It is so.\n\\end{keypointz}"),
            _DOC
            % (
                "\\newenvironment{keypointz}{\\begin{itemize}}{\\end{itemize}}\n",
                "\\begin{keypointz}\n\\item It is so.\n\\end{keypointz}",
            ),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="keypointz",
            placeholders=True,
            settled=False,
        ),
        Case(
            "a command",
            _DOC % ("", "So \\zqlabelword{this} it is."),
            _DOC % ("\\newcommand{\\zqlabelword}[1]{#1}\n", "So \\zqlabelword{this} it is."),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\zqlabelword",
            placeholders=True,
        ),
        Case(
            "a symbol",
            _DOC % ("", "Let $\\Zqparams = 3$."),
            _DOC % ("\\newcommand{\\Zqparams}{\\mathrm{Zqparams}}\n", "Let $\\Zqparams = 3$."),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\Zqparams",
            placeholders=True,
            settled=False,
        ),
        Case(
            "a command with options, and with more or less behind it",
            _DOC % ("", "So \\zqword[w=1]{this}{one} and \\zqword{that}."),
            _DOC % ("\\newcommand{\\zqword}[2][]{#2}\n", "So \\zqword[w=1]{this}{one} and \\zqword{that}."),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\zqword",
            placeholders=True,
        ),
        Case(
            "a table",
            _DOC % ("", "\\begin{zqtable}{|c|r|}\na & 1 \\\\\n\\end{zqtable}"),
            _DOC
            % (
                "\\newenvironment{zqtable}[1]{\\begin{tabular}{#1}}{\\end{tabular}}\n",
                "\\begin{zqtable}{|c|r|}\na & 1 \\\\\n\\end{zqtable}",
            ),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="zqtable",
            placeholders=True,
        ),
        Case("without leave", _DOC % ("", _BOX), None, kind=Kind.UNDEFINED_ENVIRONMENT, subject="keypointz"),
    ),
)
