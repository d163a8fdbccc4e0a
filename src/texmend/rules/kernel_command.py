r"""A command of a later LaTeX than the one that is installed, `\IfPackageLoadedT`, gets the meaning that it has there.

Every meaning is given by \providecommand or an equivalent: where LaTeX has the command, its own stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble
from texmend.rules.text import masked, uses

_SECOND = r"{\csname @secondoftwo\endcsname}"


def _expl(name: str, body: str) -> str:
    return rf"\ExplSyntaxOn \cs_if_free:NT {name} {{ {body} }} \ExplSyntaxOff"


def _one_branch(family: str, arguments: int) -> dict[str, str]:
    """The forms with one branch of a condition with two, `arguments` ahead of the branches."""
    given = "".join(f"{{#{n}}}" for n in range(1, arguments + 1))
    yes, no = rf"\{family}T", rf"\{family}F"
    return {
        yes: rf"\providecommand{yes}[{arguments + 1}]{{\{family}TF{given}{{#{arguments + 1}}}{{}}}}",
        no: rf"\providecommand{no}[{arguments}]{{\{family}TF{given}{{}}}}",
    }


def _loaded(family: str, ending: str) -> dict[str, str]:
    name = rf"\{family}LoadedTF"
    test = rf"\csname @ifundefined\endcsname{{ver@#1{ending}}}{{\csname @secondoftwo\endcsname}}{{\csname @firstoftwo\endcsname}}"
    return {name: rf"\providecommand{name}[1]{{{test}}}", **_one_branch(f"{family}Loaded", 1)}


def _copies(verb: str) -> dict[str, str]:
    name = rf"\{verb}EnvironmentCopy"
    one = rf"\expandafter\{verb}CommandCopy\csname %s#1\expandafter\endcsname\csname %s#2\endcsname"
    return {name: rf"\providecommand{name}[2]{{{one % ('', '')}{one % ('end', 'end')}}}"}


_MEANINGS = {
    **_loaded("IfPackage", ".sty"),
    **_loaded("IfClass", ".cls"),
    **_loaded("IfFile", ""),
    **_one_branch("IfPackageAtLeast", 2),
    **_one_branch("IfClassAtLeast", 2),
    **_one_branch("IfFormatAtLeast", 1),
    **_one_branch("IfPackageLoadedWithOptions", 2),
    **_one_branch("IfClassLoadedWithOptions", 2),
    **_one_branch("IfFileAtLeast", 2),
    **_one_branch("IfExplAtLeast", 1),
    r"\IfFormatAtLeastTF": r"\providecommand\IfFormatAtLeastTF{\csname @ifl@t@r\endcsname\fmtversion}",
    r"\IfExplAtLeastTF": r"\providecommand\IfExplAtLeastTF{\csname @ifl@t@r\endcsname\ExplLoaderFileDate}",
    r"\IfFileAtLeastTF": (r"\providecommand\IfFileAtLeastTF[1]{\csname @ifl@t@r\expandafter\endcsname\csname ver@#1\endcsname}"),
    **_copies("New"),
    **_copies("Renew"),
    **_copies("Declare"),
    **{rf"\IfBlank{x}": _expl(rf"\IfBlank{x}", rf"\cs_new_eq:NN \IfBlank{x} \tl_if_blank:n{x}") for x in ("TF", "T", "F")},
    r"\UseName": r"\providecommand\UseName[1]{\csname #1\endcsname}",
    r"\ExpandArgs": _expl(r"\ExpandArgs", r"\cs_new:Npn \ExpandArgs #1 { \use:c { exp_args:N #1 } }"),
    r"\DocumentMetadata": r"\providecommand\DocumentMetadata[1]{}",
    r"\IfDocumentMetadataTF": rf"\providecommand\IfDocumentMetadataTF{_SECOND}",
    r"\IfPDFManagementActiveTF": rf"\providecommand\IfPDFManagementActiveTF{_SECOND}",
    r"\IfTaggingActiveTF": rf"\providecommand\IfTaggingActiveTF{_SECOND}",
    **{
        rf"\{name}": rf"\providecommand\{name}[1]{{}}"
        for name in "SuspendTagging ResumeTagging tagpdfsetup tagstructbegin tagmcbegin tagtool".split()
    },
    **{rf"\{name}": rf"\providecommand\{name}{{}}" for name in "tagpdfparaOn tagpdfparaOff tagstructend tagmcend".split()},
    r"\NewTemplateType": r"\RequirePackage{xtemplate}\providecommand\NewTemplateType{\DeclareObjectType}",
}
"""LaTeX News 32 to 41 and the kernel's sources for the meanings. An older LaTeX does not tag a PDF: there the commands for tags do
nothing. \\NewTemplateType was xtemplate's \\DeclareObjectType."""

LATER = {
    **dict.fromkeys(
        (r"\AddToHookWithArguments", r"\AddToHookNextWithArguments", r"\NewHookWithArguments", r"\UseHookWithArguments"),
        "2023-06-01",
    ),
    **dict.fromkeys((r"\hook_gput_code_with_args:nnn", r"\hook_gput_next_code_with_args:nn"), "2023-06-01"),
    **dict.fromkeys((r"\NewSocket", r"\NewSocketPlug", r"\AssignSocketPlug", r"\UseSocket"), "2023-11-01"),
    **dict.fromkeys((r"\NewProperty", r"\RecordProperties", r"\RefProperty"), "2023-11-01"),
}
"""Commands that nothing in an older LaTeX does the work of, and the release that brought them (LaTeX News 37 and 38)."""


def _propose(scene: Scene) -> Iterator[Fix]:
    name = scene.diagnostic.subject if scene.diagnostic else ""
    meaning = _MEANINGS.get(name)
    if meaning is None or any(meaning in (scene.document.text(p) or "") for p in scene.tex_paths):
        return
    edits = _before_class(scene, meaning) if _is_early(scene, name) else put_in_preamble(scene, meaning, first_use=name)
    yield Fix(tuple(edits), f"{name} is a command of a later LaTeX: it gets the meaning that it has there")


def _is_early(scene: Scene, name: str) -> bool:
    """Whether the command is used ahead of the class, or where no line of the preamble may come before it."""
    root = scene.document.root
    start = scene.scan(root.path).class_start or 0
    places = [(p, at) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), name)]
    return any(at < start if p == root.path else p.endswith((".sty", ".cls")) for p, at in places)


def _before_class(scene: Scene, line: str) -> list[tuple[str, Edit]]:
    r"""Ahead of everything: nothing but comments and \DocumentMetadata, which may follow, stands before the class."""
    m = re.search(r"^[ \t]*\\", masked(scene.document.root_text), re.M)
    at = m.start() if m else 0
    return [(scene.document.root.path, Edit(at, at, line + "\n"))]


_DOC = "%s\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_T = r"\providecommand\IfPackageLoadedT[2]{\IfPackageLoadedTF{#1}{#2}{}}"
_COPY = _MEANINGS[r"\NewEnvironmentCopy"]
_FILE = _MEANINGS[r"\IfFileLoadedTF"]
RULE = Rule(
    name="kernel-command",
    summary="A command of a later LaTeX gets the meaning that it has there.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers", "hidden")),
    cases=(
        Case(
            "in the preamble",
            _DOC % ("", "\\IfPackageLoadedT{amsmath}{\\typeout{a}}\n", "Text."),
            _DOC % ("", f"{_T}\n\\IfPackageLoadedT{{amsmath}}{{\\typeout{{a}}}}\n", "Text."),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\IfPackageLoadedT",
        ),
        Case(
            "in the text",
            _DOC % ("", "\\NewEnvironmentCopy{cited}{quote}\n", "\\begin{cited}Text.\\end{cited}"),
            _DOC % ("", f"{_COPY}\n\\NewEnvironmentCopy{{cited}}{{quote}}\n", "\\begin{cited}Text.\\end{cited}"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\NewEnvironmentCopy",
        ),
        Case(
            "in a class of the project",
            {
                "main.tex": _DOC.replace("article", "mine") % ("% My paper\n", "", "Text."),
                "mine.cls": "\\ProvidesClass{mine}\n\\LoadClass{article}\n\\IfFileLoadedTF{size10.clo}{}{}\n",
            },
            {
                "main.tex": _DOC.replace("article", "mine") % (f"% My paper\n{_FILE}\n", "", "Text."),
                "mine.cls": "\\ProvidesClass{mine}\n\\LoadClass{article}\n\\IfFileLoadedTF{size10.clo}{}{}\n",
            },
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\IfFileLoadedTF",
            file="mine.cls",
        ),
        Case(
            "for tags, which an older LaTeX does not make",
            _DOC % ("", "", "\\SuspendTagging{a}Text.\\ResumeTagging{a}"),
            _DOC % ("", "\\providecommand\\SuspendTagging[1]{}\n", "\\SuspendTagging{a}Text.\\ResumeTagging{a}"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\SuspendTagging",
            builds=False,
        ),
        Case(
            "another command",
            _DOC % ("", "", "\\IfNothingT{a}{b}"),
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\IfNothingT",
        ),
    ),
)
