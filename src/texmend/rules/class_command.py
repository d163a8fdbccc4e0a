r"""A command of another class: chapters in an article, a subtitle where the class has none; written as this class has it."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import before_body, body_start, class_load, class_name, put_in_preamble
from texmend.rules.text import braced_end, masked, skip_blank, uses

_WITH_CHAPTERS = {
    "article": "report",
    "scrartcl": "scrreprt",
    "amsart": "amsbook",
    "extarticle": "extreport",
    "ctexart": "ctexrep",
    "proc": "report",
}
_WITHOUT_HEADINGS = frozenset(("letter", "minimal", "standalone", "dinbrief", "newlfm"))
_HEADINGS = {
    r"\section": r"\Large\bfseries ",
    r"\subsection": r"\large\bfseries ",
    r"\subsubsection": r"\bfseries ",
    r"\paragraph": r"\bfseries ",
}
_FLOATS = frozenset(("table", "figure"))
_CAPTION = r"\renewcommand{\caption}[2][]{\par\smallskip##2\par\smallskip}"
"""The kernel's \\caption asks for a float and its counter, which these classes have not got."""
_BOOKS = frozenset("book report memoir scrbook scrreprt amsbook extbook extreport ctexbook ctexrep".split())
_FRONT = {
    "abstract": "Abstract",
    **{f"acknowledg{e}": f"Acknowledg{e}" for e in ("ment", "ments", "ement", "ements")},
    "acks": "Acknowledgments",
    "preface": "Preface",
    "foreword": "Foreword",
    "declaration": "Declaration",
}
"""Parts of a thesis or paper that classes have under these names, with their headings."""
_BOOK_PARTS = (r"\frontmatter", r"\mainmatter", r"\backmatter")
_PRINTED = {
    r"\keywords": "Keywords",
    r"\keyword": "Keywords",
    r"\subject": "",
    r"\affiliation": "",
    r"\address": "",
    r"\email": "",
    r"\institute": "",
    r"\institution": "",
    r"\course": "",
    r"\university": "",
    r"\department": "",
    r"\supervisor": "Supervisor",
    r"\studentid": "",
    r"\orcid": "ORCID",
    r"\affil": "",
    r"\acknowledgments": "Acknowledgments",
    r"\acknowledgements": "Acknowledgements",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    name, load = d.subject, class_load(scene)
    if name == r"\chapter" and load and class_name(scene) in _WITH_CHAPTERS:
        new = _WITH_CHAPTERS[class_name(scene)]
        _, start, end = load.names[0]
        yield Fix(
            ((load.path, Edit(start, end, new)),),
            f"chapters are not known to the class {class_name(scene)}; {new} is its sister that has them",
        )
    elif name in _HEADINGS and class_name(scene) in _WITHOUT_HEADINGS:
        line = (
            f"\\NewDocumentCommand{{{name}}}{{s o m}}{{\\par\\bigskip\\noindent{{{_HEADINGS[name]}#3\\par}}\\nopagebreak\\medskip}}"
        )
        yield Fix(tuple(before_body(scene, line)), f"the class {class_name(scene)} knows no {name}: a heading in bold letters")
    elif d.kind is Kind.UNDEFINED_ENVIRONMENT:
        if name in _FRONT:
            heading = r"\chapter*" if load and class_name(scene) in _BOOKS else r"\section*"
            line = f"\\newenvironment{{{name}}}{{{heading}{{{_FRONT[name]}}}}}{{}}"
            why = f"the class {class_name(scene)} has no environment {name}: its text gets a heading of that name"
            if class_name(scene) not in _WITHOUT_HEADINGS:
                yield Fix(tuple(before_body(scene, line)), why)
        elif name.rstrip("*") in _FLOATS and class_name(scene) in _WITHOUT_HEADINGS:
            line = f"\\newenvironment{{{name}}}[1][]{{\\par\\medskip{_CAPTION}}}{{\\par\\medskip}}"
            why = f"the class {class_name(scene)} knows no floats: the {name.rstrip('*')} stands where it is"
            yield Fix(tuple(before_body(scene, line)), why)
    elif name in _BOOK_PARTS:
        line = f"\\providecommand{{{name}}}{{\\clearpage}}"
        yield Fix(tuple(put_in_preamble(scene, line)), f"{name} belongs to book classes: here it starts a new page")
    elif name == r"\subtitle":
        yield from _subtitle(scene)
    elif name in _PRINTED:
        yield from _printed(scene, name, _PRINTED[name])


def _subtitle(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    sub = next(uses(mask, r"\subtitle"), None)
    title = next(uses(mask, r"\title"), None)
    if sub is None or title is None:
        return
    a = skip_blank(mask, sub + len(r"\subtitle"))
    b = skip_blank(mask, title + len(r"\title"))
    sub_end, title_end = braced_end(mask, a), braced_end(mask, b)
    if sub_end is None or title_end is None:
        return
    inner = text[a + 1 : sub_end - 1]
    edits = (Edit(sub, sub_end, ""), Edit(title_end - 1, title_end - 1, f"\\\\ \\large {inner}"))
    yield Fix(tuple((path, e) for e in edits), "the class knows no subtitle: it becomes the title's second line")


def _printed(scene: Scene, name: str, label: str) -> Iterator[Fix]:
    """In the body the words are printed where they stand; in the preamble they go with the author."""
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    edits: list[Edit] = []
    for at in uses(mask, name):
        start = skip_blank(mask, at + len(name))
        end = braced_end(mask, start)
        if end is None:
            return
        inner = text[start + 1 : end - 1]
        if at > body_start(text):
            lead = f"\\textbf{{{label}:}} " if label else ""
            edits.append(Edit(at, end, f"\\par\\noindent {lead}{inner}\\par"))
        else:
            author = next(uses(mask, r"\author"), None)
            b = skip_blank(mask, author + len(r"\author")) if author is not None else 0
            author_end = braced_end(mask, b) if author is not None else None
            if author_end is None or (author is not None and author <= at < author_end):
                lead = f"{label}: " if label else ""
                if author_end is None:
                    return
                edits.append(Edit(at, end, f"\\\\ {lead}{inner}"))
                continue
            lead = f"{label}: " if label else ""
            edits += [Edit(at, end, ""), Edit(author_end - 1, author_end - 1, f" \\\\ {lead}{inner}")]
    if edits:
        yield Fix(
            tuple((path, e) for e in edits), f"the class does not know {name}: its words are printed where they belong", sure=False
        )


_DOC = "\\documentclass{%s}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="class-command",
    allowed=frozenset(("class", "structure")),
    summary="A command of another class (chapters, subtitles, keywords) is written with what the document's class has.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "chapters",
            _DOC % ("article", "", r"\chapter{A}"),
            _DOC % ("report", "", r"\chapter{A}"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\chapter",
        ),
        Case(
            "a heading in a letter",
            _DOC % ("letter", "", "\\begin{letter}{A}\n\\section*{Work}\nIt is.\n\\end{letter}"),
            _DOC
            % (
                "letter",
                "\\NewDocumentCommand{\\section}{s o m}"
                "{\\par\\bigskip\\noindent{\\Large\\bfseries #3\\par}\\nopagebreak\\medskip}\n",
                "\\begin{letter}{A}\n\\section*{Work}\nIt is.\n\\end{letter}",
            ),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\section",
            settled=False,
        ),
        Case(
            "no heading of the class's",
            _DOC % ("article", "", r"\sektion{A}"),
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\sektion",
        ),
        Case(
            "a subtitle",
            _DOC % ("article", "\\title{A}\n\\subtitle{B}\n", r"\maketitle"),
            _DOC % ("article", "\\title{A\\\\ \\large B}\n\n", r"\maketitle"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\subtitle",
            builds=False,
        ),
        Case("nothing of a class", _DOC % ("article", "", r"\foo{A}"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\foo"),
    ),
)
