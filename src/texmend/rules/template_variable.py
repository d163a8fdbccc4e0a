r"""A variable of the template that the text forgot to set: filled in from the template's own declaration.

Two shapes. A template file that lies beside the document (and is not read by it) defines `\course`, the text uses it: the
same definition goes into the preamble. A class stores what its command `\supervisor` was given in `\@supervisor`, and
the title page uses that: the command is called with nothing, so that the author sees an empty field, not an invented one.
"""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble
from texmend.tex.commands import Definition

_COPIED = frozenset((r"\newcommand", r"\providecommand", r"\renewcommand", r"\def", r"\newcommand*", r"\providecommand*"))
_MOST = 2_000
"""Characters; what is longer is no variable."""


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject.startswith("\\"):
        return
    if any(d.subject in scene.scan(p).defined_names for p in scene.tex_paths if _is_read(scene, p)):
        return
    declared = dict(_declared(scene, d.subject))
    if len(declared) == 1:  # papers that declare it differently are no template
        ((text, path),) = declared.items()
        yield Fix(tuple(put_in_preamble(scene, text)), f"{d.subject} is a variable that {path} declares and the text does not set")
    elif not declared:
        yield from _empty_field(scene, d.subject)


def _declared(scene: Scene, name: str) -> Iterator[tuple[str, str]]:
    """(declaration, path) wherever a file that the document does not read declares the variable."""
    for path, definition in _definitions(scene):
        if definition.name == name and not _is_read(scene, path) and definition.by in _COPIED:
            text = (scene.document.text(path) or "")[definition.start : definition.end]
            if len(text) < _MOST:
                yield text, path


def _empty_field(scene: Scene, name: str) -> Iterator[Fix]:
    r"""`\@supervisor` is set by a command `\supervisor` of one argument: it is called with nothing."""
    given = {c.name for c in scene.scan(scene.document.root.path).commands()}
    for path, definition in _definitions(scene):
        text = scene.document.text(path) or ""
        body = text[slice(*definition.body_span)] if definition.body_span else ""
        setter = definition.name == name.replace("@", "", 1) and definition.name not in {name, *given}
        if setter and definition.nargs == 1 and _is_read(scene, path) and _stores(body, name):
            why = f"{path} expects {definition.name}{{…}}, which the text does not give: it is set to nothing"
            yield Fix(tuple(put_in_preamble(scene, f"{definition.name}{{}}")), why)
            return


def _stores(body: str, name: str) -> bool:
    return any(f"{by}{name}" in body for by in (r"\def", r"\gdef", r"\edef", r"\xdef"))


def _definitions(scene: Scene) -> Iterator[tuple[str, Definition]]:
    for path in scene.all_tex_paths:
        yield from ((path, definition) for definition in scene.scan(path).definitions)


def _is_read(scene: Scene, path: str) -> bool:
    """A file counts as read by its name in the root's text; the template of a draft is only laid beside it."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return path == scene.document.root.path or stem in scene.document.root_text


_ROOT = "\\documentclass{article}\n%s\\begin{document}\nA report for \\course.\n\\end{document}\n"
_TEMPLATE = "\\documentclass{article}\n\\newcommand{\\course}{Physics 101}\n\\begin{document}\n\\end{document}\n"
_CLASS = (
    "\\LoadClass{article}\n\\newcommand{\\supervisor}[1]{\\gdef\\@supervisor{#1}}\n\\AtBeginDocument{Supervisor: \\@supervisor}\n"
)
_WITH_CLASS = "\\documentclass{report-x}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="template-variable",
    summary="A variable that the template declares and the text does not set is filled in from that declaration.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "declared by the template beside the text",
            {"main.tex": _ROOT % "", "texmend-template.tex": _TEMPLATE},
            {"main.tex": _ROOT % "\\newcommand{\\course}{Physics 101}\n", "texmend-template.tex": _TEMPLATE},
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\course",
            line=3,
        ),
        Case(
            "stored by a command of the class",
            {"main.tex": _WITH_CLASS % "", "report-x.cls": _CLASS},
            {"main.tex": _WITH_CLASS % "\\supervisor{}\n", "report-x.cls": _CLASS},
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\@supervisor",
            line=2,
        ),
        Case(
            "declared in two ways",
            {"main.tex": _ROOT % "", "one.tex": _TEMPLATE, "two.tex": _TEMPLATE.replace("101", "102")},
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\course",
            line=3,
        ),
        Case("declared nowhere", {"main.tex": _ROOT % ""}, None, kind=Kind.UNDEFINED_COMMAND, subject="\\course", line=3),
    ),
)
