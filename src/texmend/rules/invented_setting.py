r"""A command that exists nowhere and only sets something in the preamble: where stand-ins are allowed it gets a meaning that sets
nothing, and is reported."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble
from texmend.rules.stand_in import calls, definition, exists_nowhere
from texmend.tex.scan import Mode


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not scene.placeholders or not d.subject:
        return
    unknown = {x.subject for x in scene.diagnostics if x.kind is Kind.UNDEFINED_COMMAND and x.subject}
    lines = {name: _line(scene, name) for name in (d.subject, *sorted(unknown - {d.subject}))}
    settings = [name for name, line in lines.items() if line]
    if lines[d.subject]:
        text = "\n".join(lines[name] for name in settings)
        why = f"{', '.join(settings)} is in no package that can be meant: it sets nothing"
        yield Fix(tuple(put_in_preamble(scene, text, first_use=d.subject)), why, placeholders=tuple(settings), sure=False)


def _line(scene: Scene, name: str) -> str:
    if any(name == known.name for p in scene.tex_paths for known in scene.scan(p).definitions) or not exists_nowhere(scene, name):
        return ""
    found = calls(scene, name)
    if not found or any(mode is not Mode.PREAMBLE for mode, _, _ in found):
        return ""
    return definition(name, any(option is not None for _, option, _ in found), min(n for _, _, n in found), "")


_DOC = "\\documentclass{article}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="invented-setting",
    summary="A command of the preamble that exists nowhere is given a meaning that sets nothing, where stand-ins are allowed.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    allowed=frozenset(("hidden",)),
    cases=(
        Case(
            "a style that nobody sets",
            _DOC % "\\zqsetstyle{round}\n",
            _DOC % "\\newcommand{\\zqsetstyle}[1]{}\n\\zqsetstyle{round}\n",
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\zqsetstyle",
            placeholders=True,
        ),
        Case("without leave", _DOC % "\\zqsetstyle{round}\n", None, kind=Kind.UNDEFINED_COMMAND, subject="\\zqsetstyle"),
    ),
)
